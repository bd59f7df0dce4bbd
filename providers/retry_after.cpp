#include "providers/retry_after.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <vector>

namespace sluice::providers {

namespace {

constexpr core::duration wait_max = std::chrono::days{366};

std::optional<int> whole_number(std::string_view text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || number < 0 || text.front() == '-') {
    return std::nullopt;
  }
  return number;
}

bool all_digits(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

std::optional<core::duration> from_seconds(std::string_view text) {
  const auto point = std::min(text.find('.'), text.size());
  const auto whole = text.substr(0, point);
  const auto fraction = text.substr(std::min(point + 1, text.size()));
  if (whole.empty() || !all_digits(whole) || !all_digits(fraction)) {
    return std::nullopt;
  }
  if (whole.size() > 9) {
    return wait_max;
  }
  const bool more = fraction.find_first_not_of('0') != std::string_view::npos;
  const std::chrono::seconds seconds{*whole_number(whole) + (more ? 1 : 0)};
  return std::min<core::duration>(seconds, wait_max);
}

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  while (!text.empty()) {
    const auto end = std::min(text.find_first_of(" ,-"), text.size());
    if (end > 0) {
      words.push_back(text.substr(0, end));
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

std::optional<std::chrono::month> month_of(std::string_view name) {
  constexpr std::array<std::string_view, 12> names{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                   "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) {
    return std::nullopt;
  }
  return std::chrono::month{static_cast<unsigned>(found - names.begin()) + 1};
}

std::optional<std::chrono::seconds> time_of_day(std::string_view text) {
  if (text.size() != 8 || text[2] != ':' || text[5] != ':') {
    return std::nullopt;
  }
  const auto hour = whole_number(text.substr(0, 2));
  const auto minute = whole_number(text.substr(3, 2));
  const auto second = whole_number(text.substr(6, 2));
  if (!hour || !minute || !second || *hour > 23 || *minute > 59 || *second > 60) {
    return std::nullopt;
  }
  return std::chrono::hours{*hour} + std::chrono::minutes{*minute} + std::chrono::seconds{*second};
}

/// RFC 9110 section 5.6.7: a two-digit year more than 50 years ahead lies in the past.
int full_year(int year, std::size_t digits, core::timestamp now) {
  if (digits != 2) {
    return year;
  }
  const int current{std::chrono::year_month_day{std::chrono::floor<std::chrono::days>(now)}.year()};
  const int candidate = current / 100 * 100 + year;
  return candidate > current + 50 ? candidate - 100 : candidate;
}

} // namespace

std::optional<core::timestamp> parse_http_date(std::string_view text, core::timestamp now) {
  const auto words = words_of(text);
  const bool asctime = words.size() == 5;
  if (!asctime && (words.size() != 6 || words[5] != "GMT")) {
    return std::nullopt;
  }
  const auto day = whole_number(words[asctime ? 2 : 1]);
  const auto month = month_of(words[asctime ? 1 : 2]);
  const auto year_text = words[asctime ? 4 : 3];
  const auto year = whole_number(year_text);
  const auto time = time_of_day(words[asctime ? 3 : 4]);
  if (!day || !month || !year || !time || *day > 31 || *year > 9999) {
    return std::nullopt;
  }
  const std::chrono::year_month_day date{std::chrono::year{full_year(*year, year_text.size(), now)}, *month,
                                         std::chrono::day{static_cast<unsigned>(*day)}};
  if (!date.ok()) {
    return std::nullopt;
  }
  return std::chrono::sys_days{date} + *time;
}

std::optional<core::duration> parse_retry_after(std::string_view text, core::timestamp now) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) {
    text.remove_prefix(1);
  }
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) {
    text.remove_suffix(1);
  }
  if (text.empty()) {
    return std::nullopt;
  }
  if (text.front() >= '0' && text.front() <= '9') {
    return from_seconds(text);
  }
  const auto date = parse_http_date(text, now);
  if (!date) {
    return std::nullopt;
  }
  return std::clamp<core::duration>(*date - now, core::duration::zero(), wait_max);
}

} // namespace sluice::providers
