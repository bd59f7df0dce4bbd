#include "core/phone_number.hpp"

#include <algorithm>
#include <cstddef>
#include <phonenumbers/phonenumberutil.h>

namespace sluice::core {

namespace {

using i18n::phonenumbers::PhoneNumber;
using i18n::phonenumbers::PhoneNumberUtil;

constexpr std::size_t written_bytes_max = 64;

std::unexpected<std::string> refuse(std::string_view sentence) {
  return std::unexpected{std::string{sentence}};
}

bool is_written_internationally(std::string_view text) noexcept {
  return text.size() > 1 && text.size() <= written_bytes_max && text.front() == '+'
         && std::ranges::all_of(text.substr(1), [](char c) {
              return (c >= '0' && c <= '9') || std::string_view{" .-/()"}.contains(c);
            });
}

std::string_view fault_of_length(PhoneNumberUtil::ValidationResult result) noexcept {
  switch (result) {
  case PhoneNumberUtil::TOO_SHORT:
    return "the phone number is too short for its country";
  case PhoneNumberUtil::TOO_LONG:
    return "the phone number is too long for its country";
  case PhoneNumberUtil::IS_POSSIBLE_LOCAL_ONLY:
    return "the phone number lacks its area code";
  default:
    return "the phone number has a length that none of its country has";
  }
}

} // namespace

std::expected<std::string, std::string> normalise_phone_number(std::string_view text) {
  if (!is_written_internationally(text))
    return refuse("a phone number is written with '+', its country code and its digits; spaces and .-/() may "
                  "stand between them");
  const auto& numbers = *PhoneNumberUtil::GetInstance();
  PhoneNumber number;
  // "ZZ" is no country: nothing is assumed about a number that names none.
  switch (numbers.Parse(std::string{text}, "ZZ", &number)) {
  case PhoneNumberUtil::NO_PARSING_ERROR:
    break;
  case PhoneNumberUtil::INVALID_COUNTRY_CODE_ERROR:
    return refuse("the phone number's country code is assigned to no country");
  default:
    return refuse("the phone number has too few digits, or too many");
  }
  const auto length = numbers.IsPossibleNumberWithReason(number);
  if (length != PhoneNumberUtil::IS_POSSIBLE)
    return refuse(fault_of_length(length));
  std::string made;
  numbers.Format(number, PhoneNumberUtil::E164, &made);
  return made;
}

} // namespace sluice::core
