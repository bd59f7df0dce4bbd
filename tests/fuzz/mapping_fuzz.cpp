#include "core/filter.hpp"
#include "core/mapping.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

namespace {

void demand(bool holds) {
  if (!holds) {
    std::abort();
  }
}

} // namespace

/// A mapping or filter and a payload, with a zero byte between: whatever a mapping writes is valid JSON, and
/// a refusal says why.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sluice::core;
  const std::string_view input{reinterpret_cast<const char*>(data), size};
  const auto border = std::min(input.find('\0'), input.size());
  const auto rule = input.substr(0, border);
  mirror_record record;
  record.source_id = "c1";
  record.payload =
      border < input.size() ? input.substr(border + 1) : R"({"a":{"b":[1.0,"x"]},"c":"2026-01-31"})";

  if (auto map = mapping::compile(rule)) {
    std::string out;
    if (const auto projected = map->project(record, out)) {
      demand(check_payload(out, {.depth_max = 200, .bytes_max = std::size_t{1} << 30U}).has_value());
    } else {
      demand(!projected.error().what.empty());
    }
  } else {
    demand(!map.error().empty());
  }
  if (auto test = filter::compile(rule)) {
    demand(test->passes(record.payload).has_value() == check_payload(record.payload).has_value());
  } else {
    demand(!test.error().empty());
  }
  return 0;
}
