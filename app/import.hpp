#pragma once

#include "app/command_context.hpp"
#include "app/record_reader.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace sluice::app {

struct import_options {
  std::string file; ///< "-" is standard input
  std::string connection;
  std::string domain;
  std::string id_field;
  std::optional<record_format> format; ///< absent: by name, else by content
  bool skip_invalid = false;           ///< import the rest, write what is refused to FILE.rejected
  bool deleted = false;                ///< the file names records the source has deleted
  std::int64_t batch = 10'000;         ///< records a transaction
};

/// `sluice import`: upserts the records of a file into the mirror. A file with a refused line imports nothing
/// unless `skip_invalid`: it is read twice, checked whole before the first record is written. Batches are
/// transactions of their own; an import that was cut short is run again, and what is there already stays as
/// it is. With `deleted` its records become tombstones instead: of each only the id counts. A later import of
/// the record brings it back.
[[nodiscard]] int import_records(const command_context& context, const import_options& options);

} // namespace sluice::app
