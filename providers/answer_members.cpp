#include "providers/answer_members.hpp"

namespace sluice::providers {

std::vector<core::value> members_of(std::string_view body, std::vector<std::string> pointers) {
  const auto wanted = pointers.size();
  std::vector<core::value> values;
  auto reader = core::payload_reader::compile(std::move(pointers));
  if (!reader || !reader->read(body, values))
    values.assign(wanted, {});
  return values;
}

} // namespace sluice::providers
