#include "core/json_pointer.hpp"

#include <algorithm>

namespace sluice::core {
namespace {

std::expected<std::string, std::string> unescape(std::string_view token) {
  std::string out;
  out.reserve(token.size());
  for (std::size_t at = 0; at < token.size(); ++at) {
    if (token[at] != '~') {
      out += token[at];
      continue;
    }
    ++at;
    if (at == token.size() || (token[at] != '0' && token[at] != '1')) {
      return std::unexpected{"a ~ in it is not part of ~0 or ~1"};
    }
    out += token[at] == '0' ? '~' : '/';
  }
  return out;
}

} // namespace

std::expected<std::vector<std::string>, std::string> parse_pointer(std::string_view pointer) {
  std::vector<std::string> tokens;
  std::string_view rest = pointer;
  while (!rest.empty()) {
    if (rest.front() != '/') {
      return std::unexpected{"\"" + std::string{pointer}
                             + "\" is not a JSON pointer: it does not begin with /"};
    }
    rest.remove_prefix(1);
    const auto end = std::min(rest.find('/'), rest.size());
    auto token = unescape(rest.substr(0, end));
    if (!token) {
      return std::unexpected{"\"" + std::string{pointer} + "\" is not a JSON pointer: " + token.error()};
    }
    tokens.push_back(*std::move(token));
    rest.remove_prefix(end);
  }
  return tokens;
}

void append_pointer_token(std::string& pointer, std::string_view token) {
  pointer += '/';
  for (const char c : token) {
    if (c == '~') {
      pointer += "~0";
    } else if (c == '/') {
      pointer += "~1";
    } else {
      pointer += c;
    }
  }
}

std::size_t array_index(std::string_view token) noexcept {
  // Seventeen digits are more elements than any payload holds, and cannot overflow.
  if (token.empty() || token.size() > 17 || (token.size() > 1 && token.front() == '0')) {
    return not_an_index;
  }
  std::size_t index = 0;
  for (const char c : token) {
    if (c < '0' || c > '9') {
      return not_an_index;
    }
    index = index * 10 + static_cast<std::size_t>(c - '0');
  }
  return index;
}

std::size_t pointer_set::add(std::string_view pointer) {
  const auto found = std::ranges::find(pointers_, pointer);
  const auto place = static_cast<std::size_t>(found - pointers_.begin());
  if (found == pointers_.end()) {
    pointers_.emplace_back(pointer);
  }
  return place;
}

} // namespace sluice::core
