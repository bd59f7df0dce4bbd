#include "api/url_text.hpp"

#include <algorithm>

namespace sluice::api {
namespace {

int hex_value(char c) {
  if (c >= '0' && c <= '9') {
    return c - '0';
  }
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

bool read_query(std::string_view text, request_target& into) {
  while (!text.empty()) {
    const auto pair = text.substr(0, text.find('&'));
    text.remove_prefix(std::min(text.size(), pair.size() + 1));
    const auto equals = std::min(pair.find('='), pair.size());
    const auto name = percent_decode(pair.substr(0, equals), true);
    const auto value = percent_decode(pair.substr(std::min(pair.size(), equals + 1)), true);
    if (!name || !value) {
      return false;
    }
    into.query.insert_or_assign(*name, *value);
  }
  return true;
}

} // namespace

std::optional<std::string> percent_decode(std::string_view text, bool plus_is_space) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '%') {
      const int high = at + 1 < text.size() ? hex_value(text[at + 1]) : -1;
      const int low = at + 2 < text.size() ? hex_value(text[at + 2]) : -1;
      if (high < 0 || low < 0) {
        return std::nullopt;
      }
      out += static_cast<char>(high * 16 + low);
      at += 2;
    } else {
      out += text[at] == '+' && plus_is_space ? ' ' : text[at];
    }
  }
  return out;
}

std::string percent_encode(std::string_view text) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  constexpr std::string_view plain = "-._~";
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const char lower = static_cast<char>(c | 0x20);
    if ((c >= '0' && c <= '9') || (lower >= 'a' && lower <= 'z' && byte < 0x80)
        || plain.find(c) != plain.npos) {
      out += c;
    } else {
      out += '%';
      out += digits[byte >> 4U];
      out += digits[byte & 0xFU];
    }
  }
  return out;
}

std::optional<request_target> split_target(std::string_view target) {
  if (!target.starts_with('/')) {
    return std::nullopt;
  }
  request_target out;
  const auto mark = std::min(target.find('?'), target.size());
  auto path = target.substr(1, mark - 1);
  while (!path.empty()) {
    const auto segment = path.substr(0, path.find('/'));
    path.remove_prefix(std::min(path.size(), segment.size() + 1));
    auto plain = percent_decode(segment, false);
    if (!plain || plain->empty()) {
      return std::nullopt;
    }
    out.segments.push_back(std::move(*plain));
  }
  if (mark < target.size() && !read_query(target.substr(mark + 1), out)) {
    return std::nullopt;
  }
  return out;
}

} // namespace sluice::api
