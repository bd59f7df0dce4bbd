#include "core/json_tree.hpp"
#include "core/payload.hpp"

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

/// Any bytes: accepted or refused alike by everything that reads JSON; what is accepted comes out again as
/// JSON that says the same.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sluice::core;
  const std::string_view text{reinterpret_cast<const char*>(data), size};
  static auto reader =
      payload_reader::compile({"", "/a", "/a/b", "/a/0", "/0/a", "/0", "/1/1", "/a~1b"}).value();
  std::vector<value> values;

  const auto checked = check_payload(text);
  const auto read = reader.read(text, values);
  demand(checked.has_value() == read.has_value());
  demand(checked.has_value() == parse_json_tree(text).has_value());
  if (!checked) {
    demand(checked.error() == read.error() && !checked.error().empty());
    return 0;
  }

  std::string whole;
  append_json(whole, values[0]);
  const auto first = values;
  // Escapes may make the written text longer than a payload may be.
  if (whole.size() <= payload_limits{}.bytes_max) {
    demand(reader.read(whole, values).has_value());
    for (std::size_t index = 0; index < values.size(); ++index) {
      demand(values[index].kind == first[index].kind && values[index].text == first[index].text);
    }
  }
  return 0;
}
