#pragma once

#include "core/payload.hpp"

#include <rapidcheck.h>
#include <string>

namespace sluice::core {

/// Any text of valid UTF-8 without NUL, short code points as likely as long ones.
inline rc::Gen<std::string> any_text() {
  const auto code_point = rc::gen::oneOf(
      rc::gen::inRange<char32_t>(1, 0x80), rc::gen::inRange<char32_t>(0x80, 0x800),
      rc::gen::inRange<char32_t>(0x800, 0xD800), rc::gen::inRange<char32_t>(0xE000, 0x10000),
      rc::gen::inRange<char32_t>(0x10000, 0x110000), rc::gen::element<char32_t>('"', '\\', '/', '\n', 0x7F));
  return rc::gen::map(
      rc::gen::container<std::vector<char32_t>>(code_point), [](const std::vector<char32_t>& points) {
        std::string out;
        for (const char32_t c : points) {
          const auto tail = [&](unsigned shift) { out += static_cast<char>(0x80U | ((c >> shift) & 0x3FU)); };
          if (c < 0x80) {
            out += static_cast<char>(c);
          } else if (c < 0x800) {
            out += static_cast<char>(0xC0U | (c >> 6U));
            tail(0);
          } else if (c < 0x10000) {
            out += static_cast<char>(0xE0U | (c >> 12U));
            tail(6);
            tail(0);
          } else {
            out += static_cast<char>(0xF0U | (c >> 18U));
            tail(12);
            tail(6);
            tail(0);
          }
        }
        return out;
      });
}

inline rc::Gen<std::string> any_digits(int least, int most) {
  return rc::gen::exec([=] {
    const auto size = *rc::gen::inRange(least, most + 1);
    return *rc::gen::container<std::string>(static_cast<std::size_t>(size),
                                            rc::gen::inRange('0', static_cast<char>('9' + 1)));
  });
}

/// Any JSON number: up to 41 digits before the point, 40 after, an exponent of up to three digits.
inline rc::Gen<std::string> any_number() {
  return rc::gen::exec([] {
    std::string out = *rc::gen::element<std::string>("", "-");
    if (*rc::gen::arbitrary<bool>()) {
      out += '0';
    } else {
      out += *rc::gen::inRange('1', static_cast<char>('9' + 1));
      out += *any_digits(0, 40);
    }
    if (*rc::gen::arbitrary<bool>()) {
      out += '.' + *any_digits(1, 40);
    }
    if (*rc::gen::arbitrary<bool>()) {
      out += *rc::gen::element<std::string>("e", "E", "e+", "E-", "e-") + *any_digits(1, 3);
    }
    return out;
  });
}

/// Any JSON value at most `depth` deep, written compactly as append_json writes it.
inline std::string some_json(int depth) {
  std::string out;
  switch (*rc::gen::inRange(0, depth == 0 ? 5 : 7)) {
  case 0:
    return "null";
  case 1:
    return "true";
  case 2:
    return "false";
  case 3:
    return *any_number();
  case 4:
    append_json_string(out, *any_text());
    return out;
  case 5:
    out = "[";
    for (int left = *rc::gen::inRange(0, 4); left > 0; --left) {
      out += some_json(depth - 1) + (left > 1 ? "," : "");
    }
    return out + "]";
  default:
    out = "{";
    for (int left = *rc::gen::inRange(0, 4); left > 0; --left) {
      append_json_string(out, *any_text());
      out += ":" + some_json(depth - 1) + (left > 1 ? "," : "");
    }
    return out + "}";
  }
}

} // namespace sluice::core
