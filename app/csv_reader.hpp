#pragma once

#include "app/byte_source.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace sluice::app {

struct csv_limits {
  std::size_t record_bytes_max = std::size_t{4} << 20;
  std::size_t fields_max = 10'000;
  std::size_t block_bytes = std::size_t{256} << 10; ///< read at once; at least 3
};

/// One record of a CSV text. `fault` is a sentence when the record is not RFC 4180; `fields` then has what
/// was read.
struct csv_record {
  std::int64_t line = 0; ///< where it begins, from 1; a field may span lines
  std::vector<std::string>
      fields; ///< decoded; the first `field_count` are this record's, the rest are spare buffers
  std::size_t field_count = 0;
  std::string raw; ///< the bytes as they stand, without the line end
  std::string fault;
};

/// Reads RFC 4180 as a stream: commas, quotes doubled inside of quotes, line ends CRLF or LF, line breaks
/// inside of quotes. A UTF-8 byte order mark at the start and blank lines are passed over. Bytes are not
/// judged here.
///
/// Refused records: a quote inside of an unquoted field, text behind a closing quote, a carriage return that
/// ends no line, a quote left open at the end, a record over the limits. Reading goes on behind the next line
/// end.
class csv_reader {
public:
  explicit csv_reader(byte_source& source, csv_limits limits = {})
      : in_{source, limits.block_bytes}, limits_{limits} {}

  /// False at the end. Reuses the record's buffers.
  [[nodiscard]] bool next(csv_record& record);

private:
  enum class ending : std::uint8_t { field, record, fault };

  bool skip_blank();
  ending read_field(csv_record& record);
  ending read_quoted(csv_record& record, std::string& field);
  ending read_plain(csv_record& record, std::string& field);
  ending end_of_field(csv_record& record);
  ending refuse(csv_record& record, std::string_view why);
  int take(csv_record& record);
  bool within_limit(const csv_record& record) const { return record.raw.size() <= limits_.record_bytes_max; }

  byte_reader in_;
  csv_limits limits_;
  std::int64_t line_ = 1;
  bool started_ = false;
};

} // namespace sluice::app
