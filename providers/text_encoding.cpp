#include "providers/text_encoding.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace sluice::providers {

namespace {

constexpr std::string_view hex_digits = "0123456789ABCDEF";

constexpr std::array<bool, 256> unreserved = [] {
  std::array<bool, 256> table{};
  for (char c : std::string_view{"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"}) {
    table[static_cast<unsigned char>(c)] = true;
  }
  return table;
}();

void append_escape(std::string& out, char c) {
  const auto byte = static_cast<unsigned char>(c);
  out += '%';
  out += hex_digits[byte >> 4U];
  out += hex_digits[byte & 15U];
}

int hex_value(char c) {
  if (c >= '0' && c <= '9') {
    return c - '0';
  }
  if (c >= 'a' && c <= 'f') {
    return c - 'a' + 10;
  }
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

} // namespace

void append_percent_encoded(std::string& out, std::string_view text) {
  for (char c : text) {
    if (unreserved[static_cast<unsigned char>(c)]) {
      out += c;
    } else {
      append_escape(out, c);
    }
  }
}

void append_form_encoded(std::string& out, std::string_view text) {
  for (char c : text) {
    if (c == ' ') {
      out += '+';
    } else if (unreserved[static_cast<unsigned char>(c)] && c != '~') {
      out += c;
    } else {
      append_escape(out, c);
    }
  }
}

void append_form_field(std::string& form, std::string_view name, std::string_view value) {
  if (!form.empty())
    form += '&';
  append_form_encoded(form, name);
  form += '=';
  append_form_encoded(form, value);
}

form_fields parse_form(std::string_view text) {
  const auto decoded = [](std::string_view part) {
    std::string spaced{part};
    std::ranges::replace(spaced, '+', ' ');
    return percent_decoded(spaced);
  };
  form_fields fields;
  while (!text.empty()) {
    const auto end = std::min(text.find('&'), text.size());
    const auto field = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (field.empty())
      continue;
    const auto equals = std::min(field.find('='), field.size());
    fields.emplace_back(decoded(field.substr(0, equals)),
                        decoded(field.substr(std::min(equals + 1, field.size()))));
  }
  return fields;
}

std::string percent_decoded(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const int high = text[i] == '%' && i + 2 < text.size() ? hex_value(text[i + 1]) : -1;
    const int low = high >= 0 ? hex_value(text[i + 2]) : -1;
    if (low < 0) {
      out += text[i];
      continue;
    }
    out += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return out;
}

} // namespace sluice::providers
