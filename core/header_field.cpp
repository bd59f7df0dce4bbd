#include "core/header_field.hpp"

#include <algorithm>
#include <array>

namespace sluice::core {

namespace {

constexpr std::array<std::string_view, 6> transport_headers{
    "host", "content-length", "transfer-encoding", "connection", "expect", "te"};

constexpr char lower(char c) noexcept {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

} // namespace

bool is_header_name(std::string_view text) noexcept {
  static constexpr std::string_view others = "!#$%&'*+-.^_`|~";
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')
           || others.find(c) != std::string_view::npos;
  });
}

bool is_header_value(std::string_view text) noexcept {
  return std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~'; });
}

bool is_transport_header(std::string_view name) noexcept {
  return std::ranges::any_of(transport_headers,
                             [name](std::string_view one) { return equal_header_names(one, name); });
}

bool equal_header_names(std::string_view left, std::string_view right) noexcept {
  return std::ranges::equal(left, right, {}, lower, lower);
}

} // namespace sluice::core
