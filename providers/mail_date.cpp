#include "providers/mail_date.hpp"

#include "core/header_field.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace sluice::providers {

namespace {

constexpr std::array<std::string_view, 12> months{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                  "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

/// The next word, taken off the text; empty at its end.
std::string_view take_word(std::string_view& text) noexcept {
  const auto first = std::min(text.find_first_not_of(" \t"), text.size());
  text.remove_prefix(first);
  const auto end = std::min(text.find_first_of(" \t"), text.size());
  const auto word = text.substr(0, end);
  text.remove_prefix(end);
  return word;
}

std::optional<int> number_of(std::string_view text, std::size_t digits_max) noexcept {
  int number = 0;
  const auto* end = text.data() + text.size();
  const bool digits = std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
  if (text.empty() || text.size() > digits_max || !digits)
    return std::nullopt;
  std::from_chars(text.data(), end, number);
  return number;
}

std::optional<core::duration> time_of_day(std::string_view text) noexcept {
  if ((text.size() != 5 && text.size() != 8) || text[2] != ':' || (text.size() == 8 && text[5] != ':'))
    return std::nullopt;
  const auto hour = number_of(text.substr(0, 2), 2);
  const auto minute = number_of(text.substr(3, 2), 2);
  const auto second = text.size() == 8 ? number_of(text.substr(6), 2) : std::optional{0};
  if (!hour || !minute || !second || *hour > 23 || *minute > 59 || *second > 60)
    return std::nullopt;
  return std::chrono::hours{*hour} + std::chrono::minutes{*minute} + std::chrono::seconds{*second};
}

/// East of Greenwich.
std::optional<core::duration> zone_of(std::string_view text) noexcept {
  if (text == "GMT" || text == "UT")
    return core::duration::zero();
  if (text.size() != 5 || (text[0] != '+' && text[0] != '-'))
    return std::nullopt;
  const auto hours = number_of(text.substr(1, 2), 2);
  const auto minutes = number_of(text.substr(3), 2);
  if (!hours || !minutes || *minutes > 59)
    return std::nullopt;
  const core::duration offset = std::chrono::hours{*hours} + std::chrono::minutes{*minutes};
  return text[0] == '-' ? -offset : offset;
}

} // namespace

std::optional<core::timestamp> read_mail_date(std::string_view text) noexcept {
  auto word = take_word(text);
  if (word.ends_with(','))
    word = take_word(text);
  const auto day = number_of(word, 2);
  word = take_word(text);
  const auto month =
      std::ranges::find_if(months, [&](auto name) { return core::equal_header_names(name, word); });
  const auto year = number_of(take_word(text), 4);
  const auto time = time_of_day(take_word(text));
  const auto zone = zone_of(take_word(text));
  if (!day || month == months.end() || !year || *year < 1900 || !time || !zone)
    return std::nullopt;
  const std::chrono::year_month_day date{
      std::chrono::year{*year}, std::chrono::month{static_cast<unsigned>(month - months.begin()) + 1},
      std::chrono::day{static_cast<unsigned>(*day)}};
  if (!date.ok())
    return std::nullopt;
  return core::timestamp{std::chrono::sys_days{date}} + *time - *zone;
}

} // namespace sluice::providers
