#include "core/contact_normalisation.hpp"

#include "core/email_address.hpp"
#include "core/error_text.hpp"
#include "core/phone_number.hpp"
#include "core/web_push_address.hpp"

#include <algorithm>
#include <utility>

namespace sluice::core {

namespace {

using text_or_fault = std::expected<std::string, std::string>;

constexpr std::size_t apns_token_digits_min = 16;
constexpr std::size_t apns_token_digits_max = 200;

bool is_control(char c) noexcept {
  return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
}

std::string_view without_spaces_around(std::string_view text) noexcept {
  const auto first = text.find_first_not_of(' ');
  return first == std::string_view::npos ? std::string_view{}
                                         : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

text_or_fault normalise_fcm(std::string_view text) {
  constexpr std::string_view allowed = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_:";
  if (text.find_first_not_of(allowed) != std::string_view::npos)
    return std::unexpected{
        std::string{"a Firebase installation id or token is letters, digits, '-', '_' and ':'"}};
  return std::string{text};
}

/// Apple promises no length of a device token.
text_or_fault normalise_apns(std::string_view text) {
  if (text.size() % 2 != 0 || text.size() < apns_token_digits_min || text.size() > apns_token_digits_max
      || text.find_first_not_of("0123456789abcdefABCDEF") != std::string_view::npos)
    return std::unexpected{"an APNs device token is an even number of "
                           + std::to_string(apns_token_digits_min) + " to "
                           + std::to_string(apns_token_digits_max) + " hexadecimal digits"};
  std::string made{text};
  std::ranges::transform(made, made.begin(),
                         [](char c) { return c >= 'A' && c <= 'F' ? static_cast<char>(c - 'A' + 'a') : c; });
  return made;
}

text_or_fault normalise_text(std::string_view text) {
  if (error_text(std::string{text}, text.size()) != text)
    return std::unexpected{std::string{"an address is UTF-8"}};
  return std::string{text};
}

text_or_fault normalise(contact_kind kind, std::string_view text) {
  switch (kind) {
  case contact_kind::email:
    return normalise_email(text);
  case contact_kind::phone:
    return normalise_phone_number(text);
  case contact_kind::fcm_installation:
  case contact_kind::fcm_token:
    return normalise_fcm(text);
  case contact_kind::apns_token:
    return normalise_apns(text);
  case contact_kind::web_push:
    return normalise_web_push(text);
  case contact_kind::other:
    break;
  }
  return normalise_text(text);
}

} // namespace

std::expected<contact_address, std::string> normalise_contact(contact_kind kind, std::string_view text) {
  if (std::ranges::any_of(text, is_control))
    return std::unexpected{std::string{"an address has no control characters and no line ends"}};
  text = without_spaces_around(text);
  if (text.empty() || text.size() > contact_bytes_max)
    return std::unexpected{"an address has 1 to " + std::to_string(contact_bytes_max) + " bytes"};
  auto made = normalise(kind, text);
  if (!made)
    return std::unexpected{std::move(made).error()};
  return contact_address{kind, *std::move(made)};
}

} // namespace sluice::core
