#include "core/name_fault.hpp"

#include "core/error_text.hpp"

#include <algorithm>

namespace sluice::core {

std::optional<std::string> name_fault(std::string_view name, std::size_t bytes_max) {
  const auto is_control = [](unsigned char c) { return c < 0x20 || c == 0x7f; };
  if (!name.empty() && name.size() <= bytes_max && error_text(std::string(name), name.size()) == name
      && std::ranges::none_of(name, is_control))
    return std::nullopt;
  return "a name is a text of 1 to " + std::to_string(bytes_max)
         + " bytes of UTF-8 without control characters";
}

} // namespace sluice::core
