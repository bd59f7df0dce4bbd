#include "core/json_places.hpp"

#include <algorithm>

namespace sluice::core {

namespace {

constexpr std::string_view spaces = " \t\r\n";

void skip_spaces(std::string_view& text) noexcept {
  text.remove_prefix(std::min(text.find_first_not_of(spaces), text.size()));
}

/// Behind the text that begins at the front, its quotes included.
std::size_t string_end(std::string_view text) noexcept {
  std::size_t at = 1;
  while (at < text.size() && text[at] != '"')
    at += text[at] == '\\' ? 2 : 1;
  return std::min(at + 1, text.size());
}

std::size_t nested_end(std::string_view text) noexcept {
  std::size_t depth = 0;
  std::size_t at = 0;
  while (at < text.size()) {
    const auto c = text[at];
    if (c == '"') {
      at += string_end(text.substr(at));
      continue;
    }
    ++at;
    if (c == '{' || c == '[')
      ++depth;
    else if ((c == '}' || c == ']') && --depth == 0)
      break;
  }
  return at;
}

/// Takes the value at the front.
std::string_view take_value(std::string_view& rest) noexcept {
  std::size_t end = 0;
  switch (kind_of(rest)) {
  case value_kind::string:
    end = string_end(rest);
    break;
  case value_kind::array:
  case value_kind::object:
    end = nested_end(rest);
    break;
  default:
    end = std::min(rest.find_first_of(",]} \t\r\n"), rest.size());
  }
  const auto value = rest.substr(0, end);
  rest.remove_prefix(end);
  return value;
}

/// Whether the object or array goes on; passes over a comma.
bool goes_on(std::string_view& rest) noexcept {
  skip_spaces(rest);
  if (rest.starts_with(',')) {
    rest.remove_prefix(1);
    skip_spaces(rest);
  }
  return !rest.empty() && rest.front() != '}' && rest.front() != ']';
}

} // namespace

value_kind kind_of(std::string_view text) noexcept {
  if (text.empty())
    return value_kind::absent;
  switch (text.front()) {
  case '"':
    return value_kind::string;
  case '{':
    return value_kind::object;
  case '[':
    return value_kind::array;
  case 't':
  case 'f':
    return value_kind::boolean;
  case 'n':
    return value_kind::null;
  default:
    return value_kind::number;
  }
}

std::string_view trimmed_json(std::string_view text) noexcept {
  skip_spaces(text);
  return text.substr(0, text.find_last_not_of(spaces) + 1);
}

bool json_members::next(member& found) noexcept {
  if (!goes_on(rest_))
    return false;
  const auto quoted = take_value(rest_);
  found.name = quoted.substr(1, quoted.size() - 2);
  skip_spaces(rest_);
  rest_.remove_prefix(1); // the colon
  skip_spaces(rest_);
  found.value = take_value(rest_);
  return true;
}

bool json_items::next(std::string_view& item) noexcept {
  if (!goes_on(rest_))
    return false;
  item = take_value(rest_);
  return true;
}

} // namespace sluice::core
