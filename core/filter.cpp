#include "core/filter.hpp"

#include "core/predicate.hpp"

namespace sluice::core {

struct filter::implementation {
  predicate test;
  payload_reader reader;
  std::vector<value> values;
};

std::expected<filter, std::vector<std::string>> filter::compile(std::string_view json) {
  const auto tree = parse_json_tree(json);
  if (!tree) {
    return std::unexpected{std::vector{"the filter cannot be read: " + tree.error()}};
  }
  std::vector<std::string> faults;
  pointer_set pointers;
  auto test = predicate::compile(*tree, "", pointers, faults);
  auto reader = payload_reader::compile(std::move(pointers).take());
  if (!reader) {
    faults.push_back(reader.error());
  }
  if (!faults.empty()) {
    return std::unexpected{std::move(faults)};
  }
  return filter{std::make_unique<implementation>(std::move(test), *std::move(reader))};
}

filter::filter(std::unique_ptr<implementation> made) : implementation_{std::move(made)} {}
filter::filter(filter&&) noexcept = default;
filter& filter::operator=(filter&&) noexcept = default;
filter::~filter() = default;

std::expected<bool, std::string> filter::passes(std::string_view payload) {
  auto& compiled = *implementation_;
  if (auto read = compiled.reader.read(payload, compiled.values); !read) {
    return std::unexpected{std::move(read).error()};
  }
  return compiled.test.holds(compiled.values);
}

} // namespace sluice::core
