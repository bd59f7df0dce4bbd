#include "bench/http_head.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace sluice::bench {
namespace {

/// `name` in lower case; the line in any.
bool begins_with(std::string_view line, std::string_view name) {
  return line.size() > name.size()
         && std::ranges::equal(line.substr(0, name.size()), name, [](char each, char lower) {
              return std::tolower(static_cast<unsigned char>(each)) == lower;
            });
}

} // namespace

std::optional<std::size_t> body_length(std::string_view head) {
  constexpr std::string_view length_name = "content-length:";
  constexpr std::string_view encoding_name = "transfer-encoding:";
  std::size_t length = 0;
  for (std::size_t line = head.find('\n'); line != std::string_view::npos; line = head.find('\n', line + 1)) {
    const auto rest = head.substr(line + 1);
    // Most headers are told apart by their first letter.
    const char initial = rest.empty() ? '\0' : static_cast<char>(rest.front() | 0x20);
    if (initial == 't' && begins_with(rest, encoding_name)) {
      return std::nullopt;
    }
    if (initial != 'c' || !begins_with(rest, length_name)) {
      continue;
    }
    const char* digits = rest.data() + length_name.size();
    while (*digits == ' ' || *digits == '\t') {
      ++digits;
    }
    const auto parsed = std::from_chars(digits, rest.data() + rest.size(), length);
    if (parsed.ec != std::errc{}) {
      return std::nullopt;
    }
  }
  return length;
}

} // namespace sluice::bench
