#include "core/decimal.hpp"

#include <algorithm>
#include <cstdint>

namespace sluice::core {
namespace {

constexpr std::size_t written_digits_max = 1'000;
constexpr std::int64_t exponent_ceiling = 1'000'000'000'000; // far above any, far below overflow

bool is_digit(char c) noexcept {
  return c >= '0' && c <= '9';
}

/// A number's value is 0.DIGITS × 10^point, the first of the digits not being zero; zero has no digits.
struct decimal {
  bool negative = false;
  std::string_view whole;
  std::string_view fraction;
  std::int64_t point = 0;
  std::size_t leading_zeros = 0;

  [[nodiscard]] std::size_t size() const noexcept { return whole.size() + fraction.size() - leading_zeros; }
  [[nodiscard]] bool is_zero() const noexcept { return size() == 0; }

  /// Zero behind the last digit.
  [[nodiscard]] char digit(std::size_t place) const noexcept {
    place += leading_zeros;
    if (place < whole.size()) {
      return whole[place];
    }
    place -= whole.size();
    return place < fraction.size() ? fraction[place] : '0';
  }
};

/// Takes the digits at the front of `rest`.
std::string_view take_digits(std::string_view& rest) noexcept {
  const auto end = std::ranges::find_if_not(rest, is_digit);
  const auto digits = rest.substr(0, static_cast<std::size_t>(end - rest.begin()));
  rest.remove_prefix(digits.size());
  return digits;
}

std::int64_t read_exponent(std::string_view rest) noexcept {
  const bool negative = rest.starts_with('-');
  if (negative || rest.starts_with('+')) {
    rest.remove_prefix(1);
  }
  std::int64_t exponent = 0;
  for (const char c : rest) {
    exponent = std::min(exponent * 10 + (c - '0'), exponent_ceiling);
  }
  return negative ? -exponent : exponent;
}

decimal read(std::string_view number) noexcept {
  decimal out;
  out.negative = number.starts_with('-');
  number.remove_prefix(out.negative ? 1 : 0);
  out.whole = take_digits(number);
  if (number.starts_with('.')) {
    number.remove_prefix(1);
    out.fraction = take_digits(number);
  }
  out.point = static_cast<std::int64_t>(out.whole.size());
  if (!number.empty()) {
    out.point += read_exponent(number.substr(1));
  }
  while (out.size() != 0 && out.digit(0) == '0') {
    ++out.leading_zeros;
    --out.point;
  }
  return out;
}

std::strong_ordering compare_magnitudes(const decimal& a, const decimal& b) noexcept {
  if (a.is_zero() || b.is_zero()) {
    return b.is_zero() <=> a.is_zero();
  }
  if (a.point != b.point) {
    return a.point <=> b.point;
  }
  for (std::size_t place = 0; place < std::max(a.size(), b.size()); ++place) {
    if (const auto order = a.digit(place) <=> b.digit(place); order != 0) {
      return order;
    }
  }
  return std::strong_ordering::equal;
}

/// The end of a number's fraction and exponent, or nothing when they are malformed.
bool is_rest_of_number(std::string_view rest) noexcept {
  if (rest.starts_with('.')) {
    rest.remove_prefix(1);
    if (take_digits(rest).empty()) {
      return false;
    }
  }
  if (rest.starts_with('e') || rest.starts_with('E')) {
    rest.remove_prefix(1);
    if (rest.starts_with('+') || rest.starts_with('-')) {
      rest.remove_prefix(1);
    }
    if (take_digits(rest).empty()) {
      return false;
    }
  }
  return rest.empty();
}

void add_one(std::string& digits) {
  auto place = digits.rbegin();
  while (place != digits.rend() && *place == '9') {
    *place++ = '0';
  }
  if (place == digits.rend()) {
    digits.insert(digits.begin(), '1');
  } else {
    ++*place;
  }
}

} // namespace

std::strong_ordering compare_numbers(std::string_view a, std::string_view b) noexcept {
  const auto left = read(a);
  const auto right = read(b);
  const bool left_below_zero = left.negative && !left.is_zero();
  const bool right_below_zero = right.negative && !right.is_zero();
  if (left_below_zero != right_below_zero) {
    return left_below_zero ? std::strong_ordering::less : std::strong_ordering::greater;
  }
  return left_below_zero ? compare_magnitudes(right, left) : compare_magnitudes(left, right);
}

bool is_json_number(std::string_view text) noexcept {
  if (text.starts_with('-')) {
    text.remove_prefix(1);
  }
  const auto whole = take_digits(text);
  return !whole.empty() && (whole.size() == 1 || whole.front() != '0') && is_rest_of_number(text);
}

std::optional<std::string> to_json_number(std::string_view text) {
  std::string out;
  if (text.starts_with('-') || text.starts_with('+')) {
    out.append(text.front() == '-' ? "-" : "");
    text.remove_prefix(1);
  }
  auto whole = take_digits(text);
  if (whole.empty() || !is_rest_of_number(text)) {
    return std::nullopt;
  }
  whole.remove_prefix(std::min(whole.find_first_not_of('0'), whole.size() - 1));
  out.append(whole);
  out.append(text);
  return out;
}

std::optional<std::string> to_fixed(std::string_view number, unsigned decimals) {
  const auto read_number = read(number);
  const auto kept = read_number.is_zero() ? 0 : read_number.point + static_cast<std::int64_t>(decimals);
  if (kept > static_cast<std::int64_t>(written_digits_max)) {
    return std::nullopt;
  }
  // The number × 10^decimals as an integer without leading zeros.
  std::string digits;
  for (std::int64_t place = 0; place < kept; ++place) {
    digits += read_number.digit(static_cast<std::size_t>(place));
  }
  if (kept >= 0 && read_number.digit(static_cast<std::size_t>(kept)) >= '5') {
    add_one(digits);
  }
  const bool is_negative = read_number.negative && !digits.empty();
  if (digits.size() <= decimals) {
    digits.insert(0, decimals + 1 - digits.size(), '0');
  }
  if (decimals != 0) {
    digits.insert(digits.size() - decimals, 1, '.');
  }
  return is_negative ? '-' + digits : digits;
}

} // namespace sluice::core
