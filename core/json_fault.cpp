#include "core/json_fault.hpp"

#include <boost/json/error.hpp>

#include <algorithm>

namespace sluice::core {

std::size_t json_depth_max(const payload_limits& limits) noexcept {
  constexpr std::size_t ceiling = 512;
  return std::min(limits.depth_max, ceiling);
}

std::expected<void, std::string> check_json_bytes(std::string_view text, const payload_limits& limits) {
  if (text.empty()) {
    return std::unexpected{"there is no JSON at byte 0: the text is empty"};
  }
  if (text.size() > limits.bytes_max) {
    return std::unexpected{"the JSON has " + std::to_string(text.size())
                           + " bytes, more than the limit: it may end at byte "
                           + std::to_string(limits.bytes_max)};
  }
  if (const auto nul = text.find('\0'); nul != std::string_view::npos) {
    return std::unexpected{"there is a NUL at byte " + std::to_string(nul)};
  }
  return {};
}

std::string describe_json_fault(int boost_error, std::string_view text, std::size_t offset,
                                const payload_limits& limits) {
  using boost::json::error;
  const std::string place = " at byte " + std::to_string(offset);
  switch (static_cast<error>(boost_error)) {
  case error::incomplete:
    return "the JSON ends too early," + place;
  case error::extra_data:
    return "something follows the JSON value" + place;
  case error::too_deep:
    return "the JSON is nested deeper than " + std::to_string(json_depth_max(limits)) + " levels" + place;
  case error::exponent_overflow:
    return "a number's exponent is too large" + place;
  case error::illegal_leading_surrogate:
  case error::illegal_trailing_surrogate:
    return "half a surrogate pair stands alone" + place;
  case error::input_error:
    return "a text holds the character \\u0000, which cannot be stored, before or" + place;
  default:
    // The parser has one error for both; a byte outside ASCII stands only in a text, if it is well formed.
    return offset < text.size() && static_cast<unsigned char>(text[offset]) >= 0x80
               ? "there is no valid UTF-8" + place
               : "the text is not JSON" + place;
  }
}

} // namespace sluice::core
