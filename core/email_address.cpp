#include "core/email_address.hpp"

#include <algorithm>

namespace sluice::core {

namespace {

bool is_alphanumeric(char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/// atext of RFC 5322 section 3.2.3.
bool is_atom_character(char c) noexcept {
  return is_alphanumeric(c) || std::string_view{"!#$%&'*+-/=?^_`{|}~"}.contains(c);
}

/// Calls `is_good` with each part between dots; false at the first that is not.
template <class Predicate>
bool all_parts(std::string_view text, Predicate is_good) {
  for (;;) {
    const auto dot = text.find('.');
    if (!is_good(text.substr(0, dot)))
      return false;
    if (dot == std::string_view::npos)
      return true;
    text.remove_prefix(dot + 1);
  }
}

bool is_atom(std::string_view part) noexcept {
  return !part.empty() && std::ranges::all_of(part, is_atom_character);
}

bool is_label(std::string_view part) noexcept {
  return !part.empty() && part.size() <= domain_label_bytes_max && part.front() != '-' && part.back() != '-'
         && std::ranges::all_of(part, [](char c) { return is_alphanumeric(c) || c == '-'; });
}

/// The last label of a host is never a number (RFC 3696 section 2): "a@1.2.3.4" names no domain.
bool ends_in_letters(std::string_view domain) noexcept {
  const auto last = domain.substr(domain.rfind('.') + 1);
  return std::ranges::any_of(last, [](char c) { return c < '0' || c > '9'; });
}

} // namespace

std::expected<std::string, std::string> normalise_email(std::string_view text) {
  if (text.size() > email_bytes_max)
    return std::unexpected{"an e-mail address has at most " + std::to_string(email_bytes_max) + " bytes"};
  const auto at = text.rfind('@');
  if (at == std::string_view::npos)
    return std::unexpected{std::string{"an e-mail address has an '@' between its local part and its domain"}};
  const auto local = text.substr(0, at);
  const auto domain = text.substr(at + 1);
  if (local.size() > email_local_bytes_max || !all_parts(local, is_atom))
    return std::unexpected{
        "the part of an e-mail address before the '@' is 1 to " + std::to_string(email_local_bytes_max)
        + " ASCII letters, digits and signs of !#$%&'*+-/=?^_`{|}~, with single dots between them"};
  if (!domain.contains('.') || !all_parts(domain, is_label) || !ends_in_letters(domain))
    return std::unexpected{std::string{
        "the domain of an e-mail address is two or more labels of ASCII letters, digits and '-', each of at "
        "most 63 bytes, with dots between them; an international name is written as \"xn--…\""}};
  std::string made{text};
  std::transform(made.begin() + static_cast<std::ptrdiff_t>(at), made.end(),
                 made.begin() + static_cast<std::ptrdiff_t>(at),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return made;
}

} // namespace sluice::core
