#pragma once

#include "app/byte_source.hpp"

#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace sluice::app {

enum class record_format : std::uint8_t { csv, ndjson };

[[nodiscard]] std::optional<record_format> parse_record_format(std::string_view text) noexcept;
/// By the name's end (".csv", ".ndjson", ".jsonl"), else by the first byte: NDJSON begins with a brace.
[[nodiscard]] record_format guess_format(std::string_view path, std::string_view first_bytes);

/// One record of an import, checked: `fault` is empty, or a sentence that says what is wrong with it.
struct import_record {
  std::int64_t line = 0; ///< where it begins, from 1
  std::string source_id;
  std::string payload; ///< a JSON object
  std::string raw;     ///< as it stands in the file
  std::string fault;
};

/// Reads records as a stream and checks them: UTF-8, no NUL, a source id of 1 to 512 bytes, the payload's
/// limits.
class record_reader {
public:
  virtual ~record_reader() = default;

  /// False at the end. Reuses the record's buffers.
  [[nodiscard]] virtual bool next(import_record& record) = 0;
  /// What a file of some of these records begins with: a CSV file's header line, empty for NDJSON.
  [[nodiscard]] virtual const std::string& header() const noexcept = 0;
};

/// CSV: the first record names the columns, each further one becomes an object of texts; `id_field` is a
/// column. NDJSON: each line is an object and is kept as it is; `id_field` is a member's name, or a JSON
/// pointer when it begins with a slash, and its value a text or a number. The error is a sentence about the
/// header or the field.
[[nodiscard]] std::expected<std::unique_ptr<record_reader>, std::string>
make_record_reader(byte_source& source, record_format format, const std::string& id_field);

} // namespace sluice::app
