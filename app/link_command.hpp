#pragma once

#include "app/command_context.hpp"
#include "app/record_reader.hpp"

#include <optional>
#include <string>

namespace sluice::app {

struct link_options {
  std::string rule;
  std::string file; ///< "-": standard input
  std::optional<record_format> format;
  bool skip_invalid = false; ///< leave out lines that are refused
};

/// `sluice link`: tells the rule which remote ids its target has already, from lines with a source_id and a
/// remote_id.
[[nodiscard]] int link_file(const command_context& context, const link_options& options);

} // namespace sluice::app
