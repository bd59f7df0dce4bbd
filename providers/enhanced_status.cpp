#include "providers/enhanced_status.hpp"

#include <algorithm>
#include <charconv>

namespace sluice::providers {

namespace {

/// One to three digits; takes them off the text.
std::optional<int> take_number(std::string_view& text) noexcept {
  int number = 0;
  const auto* end = text.data() + std::min<std::size_t>(text.size(), 3);
  if (text.empty() || text.front() < '0' || text.front() > '9')
    return std::nullopt;
  const auto [stop, fault] = std::from_chars(text.data(), end, number);
  text.remove_prefix(static_cast<std::size_t>(stop - text.data()));
  return fault == std::errc{} ? std::optional{number} : std::nullopt;
}

bool take_dot(std::string_view& text) noexcept {
  if (!text.starts_with('.'))
    return false;
  text.remove_prefix(1);
  return true;
}

} // namespace

std::optional<enhanced_status> read_enhanced_status(std::string_view text) noexcept {
  const auto kind = take_number(text);
  if (!kind || (*kind != 2 && *kind != 4 && *kind != 5) || !take_dot(text))
    return std::nullopt;
  const auto subject = take_number(text);
  if (!subject || !take_dot(text))
    return std::nullopt;
  const auto detail = take_number(text);
  const bool ends = text.empty() || text.front() == ' ' || text.front() == '\t' || text.front() == '('
                    || text.front() == '\r' || text.front() == '\n';
  if (!detail || !ends)
    return std::nullopt;
  return enhanced_status{*kind, *subject, *detail};
}

std::string to_string(const enhanced_status& status) {
  return std::to_string(status.kind) + '.' + std::to_string(status.subject) + '.'
         + std::to_string(status.detail);
}

bool means_no_mailbox(const enhanced_status& status) noexcept {
  return status.kind == 5 && status.subject == 1
         && (status.detail == 1 || status.detail == 6 || status.detail == 10);
}

} // namespace sluice::providers
