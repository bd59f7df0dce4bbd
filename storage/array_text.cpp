#include "storage/array_text.hpp"

#include <array>
#include <charconv>
#include <utility>

namespace sluice::storage {

void array_text::separate() {
  text_ += text_.empty() ? '{' : ',';
}

void array_text::add(std::int64_t value) {
  separate();
  std::array<char, 24> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  text_.append(digits.data(), end);
}

void array_text::add(std::string_view value) {
  separate();
  text_ += '"';
  for (std::size_t from = 0;;) {
    const auto next = value.find_first_of("\"\\", from);
    text_.append(value.substr(from, next - from));
    if (next == std::string_view::npos)
      break;
    text_ += '\\';
    text_ += value[next];
    from = next + 1;
  }
  text_ += '"';
}

void array_text::add(std::optional<core::timestamp> value) {
  if (value) {
    add(*value);
    return;
  }
  separate();
  text_ += "NULL";
}

void array_text::add(std::optional<std::string_view> value) {
  if (value) {
    add(*value);
    return;
  }
  separate();
  text_ += "NULL";
}

std::string array_text::take() {
  if (text_.empty())
    text_ = '{';
  text_ += '}';
  return std::exchange(text_, {});
}

} // namespace sluice::storage
