#include "app/csv_reader.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace {

using sluice::app::csv_limits;

/// Everything a reader says about a text, as one text.
std::string read_all(std::string_view text, std::size_t block_bytes) {
  sluice::app::text_source source{text};
  sluice::app::csv_reader reader{
      source, csv_limits{.record_bytes_max = 256, .fields_max = 16, .block_bytes = block_bytes}};
  sluice::app::csv_record record;
  std::string out;
  while (reader.next(record)) {
    out += std::to_string(record.line) + "\1" + record.fault + "\1";
    for (std::size_t field = 0; record.fault.empty() && field < record.field_count; ++field) {
      out += record.fields[field] + "\2";
    }
    if (record.field_count > 16 || record.raw.size() > 256 + 2 * block_bytes + 2) {
      std::abort(); // a limit did not hold
    }
  }
  return out;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text{reinterpret_cast<const char*>(data), size};
  // The limit on a record is noticed at the end of a block, so longer texts may differ there.
  const auto whole = read_all(text, 4096);
  if (size <= 256 && read_all(text, 3) != whole) {
    std::abort(); // how the bytes arrive must not matter
  }
  return 0;
}
