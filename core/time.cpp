#include "core/time.hpp"

#include <array>
#include <limits>

namespace sluice::core {
namespace {

namespace chrono = std::chrono;

/// Reads from the front of a text; a read that fails says so and takes nothing.
class text_reader {
public:
  explicit text_reader(std::string_view text) : rest_{text} {}

  [[nodiscard]] bool at_end() const noexcept { return rest_.empty(); }

  bool take(char wanted) noexcept {
    if (rest_.empty() || rest_.front() != wanted) {
      return false;
    }
    rest_.remove_prefix(1);
    return true;
  }

  bool take_either(char first, char second) noexcept { return take(first) || take(second); }

  bool digits(std::size_t count, int& out) noexcept {
    if (rest_.size() < count) {
      return false;
    }
    int number = 0;
    for (const char c : rest_.substr(0, count)) {
      if (!is_digit(c)) {
        return false;
      }
      number = number * 10 + (c - '0');
    }
    rest_.remove_prefix(count);
    out = number;
    return true;
  }

  /// All digits that follow, as they are.
  std::string_view digit_run() noexcept {
    std::size_t count = 0;
    while (count < rest_.size() && is_digit(rest_[count])) {
      ++count;
    }
    const auto run = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return run;
  }

  bool take_word(std::string_view word) noexcept {
    if (!rest_.starts_with(word)) {
      return false;
    }
    rest_.remove_prefix(word.size());
    return true;
  }

private:
  static bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

  std::string_view rest_;
};

void append_digits(std::string& out, int number, int width) {
  std::array<char, 12> digits{};
  for (int place = width - 1; place >= 0; --place) {
    digits[static_cast<std::size_t>(place)] = static_cast<char>('0' + number % 10);
    number /= 10;
  }
  out.append(digits.data(), static_cast<std::size_t>(width));
}

void append_year(std::string& out, int year) {
  if (year < 0) {
    out += '-';
    year = -year;
  }
  append_digits(out, year, year > 9999 ? 6 : 4);
}

std::unexpected<std::string> bad_time(std::string_view what) {
  return std::unexpected{"a time is written like 2026-01-31T08:09:10.123456Z, and " + std::string{what}};
}

std::expected<int, std::string> read_fraction_us(text_reader& reader) {
  if (!reader.take('.')) {
    return 0;
  }
  const auto run = reader.digit_run();
  if (run.empty() || run.size() > 6) {
    return bad_time("the fraction of its second has one to six digits");
  }
  int us = 0;
  for (std::size_t place = 0; place < 6; ++place) {
    us = us * 10 + (place < run.size() ? run[place] - '0' : 0);
  }
  return us;
}

std::expected<chrono::minutes, std::string> read_offset(text_reader& reader) {
  if (reader.take_either('Z', 'z')) {
    return chrono::minutes{0};
  }
  const bool behind = reader.take('-');
  int hours = 0;
  int minutes = 0;
  if ((!behind && !reader.take('+')) || !reader.digits(2, hours) || !reader.take(':')
      || !reader.digits(2, minutes) || hours > 23 || minutes > 59) {
    return bad_time("this one does not end in Z or an offset like +02:00");
  }
  const auto offset = chrono::hours{hours} + chrono::minutes{minutes};
  return behind ? -offset : offset;
}

struct unit {
  std::string_view name;
  std::int64_t us;
};

/// From the largest down; a sum names its units in this order.
constexpr std::array<unit, 6> units{{{"d", 86'400'000'000},
                                     {"h", 3'600'000'000},
                                     {"m", 60'000'000},
                                     {"s", 1'000'000},
                                     {"ms", 1'000},
                                     {"us", 1}}};

std::unexpected<std::string> bad_duration(std::string_view text, std::string_view what) {
  return std::unexpected{"\"" + std::string{text}
                         + "\" is not a duration such as 250ms, 90s, 5m, 2h, 30d or 1h30m: "
                         + std::string{what} + " (units: d, h, m, s, ms, us)"};
}

/// The index in `units` of the unit that follows, or units.size().
std::size_t read_unit(text_reader& reader) {
  // "ms" before "m": the longer name wins.
  for (const std::size_t index : {4UL, 5UL, 0UL, 1UL, 2UL, 3UL}) {
    if (reader.take_word(units[index].name)) {
      return index;
    }
  }
  return units.size();
}

/// sum + digits * factor, unless it leaves 64 bits.
bool add_product(std::int64_t& sum, std::string_view digits, std::int64_t factor) {
  std::int64_t number = 0;
  for (const char c : digits) {
    if (__builtin_mul_overflow(number, std::int64_t{10}, &number)
        || __builtin_add_overflow(number, std::int64_t{c - '0'}, &number)) {
      return false;
    }
  }
  return !__builtin_mul_overflow(number, factor, &number) && !__builtin_add_overflow(sum, number, &sum);
}

} // namespace

std::string to_rfc3339(timestamp t) {
  const auto day = chrono::floor<chrono::days>(t);
  const chrono::year_month_day date{day};
  const auto us = (t - day).count();
  std::string out;
  out.reserve(27);
  append_year(out, static_cast<int>(date.year()));
  out += '-';
  append_digits(out, static_cast<int>(static_cast<unsigned>(date.month())), 2);
  out += '-';
  append_digits(out, static_cast<int>(static_cast<unsigned>(date.day())), 2);
  out += 'T';
  append_digits(out, static_cast<int>(us / 3'600'000'000), 2);
  out += ':';
  append_digits(out, static_cast<int>(us / 60'000'000 % 60), 2);
  out += ':';
  append_digits(out, static_cast<int>(us / 1'000'000 % 60), 2);
  out += '.';
  append_digits(out, static_cast<int>(us % 1'000'000), 6);
  out += 'Z';
  return out;
}

std::expected<timestamp, std::string> parse_rfc3339(std::string_view text) {
  text_reader reader{text};
  int year = 0;
  int month = 0;
  int day = 0;
  int hour = 0;
  int minute = 0;
  int second = 0;
  if (!reader.digits(4, year) || !reader.take('-') || !reader.digits(2, month) || !reader.take('-')
      || !reader.digits(2, day) || !reader.take_either('T', 't') || !reader.digits(2, hour)
      || !reader.take(':') || !reader.digits(2, minute) || !reader.take(':') || !reader.digits(2, second)) {
    return bad_time("this one is not");
  }
  const auto date = chrono::year{year} / month / day;
  // RFC 3339 writes a leap second as 60; here it is the first second of the next minute.
  if (!date.ok() || hour > 23 || minute > 59 || second > 60) {
    return bad_time("this one names a day or an hour that does not exist");
  }
  const auto fraction = read_fraction_us(reader);
  if (!fraction) {
    return std::unexpected{fraction.error()};
  }
  const auto offset = read_offset(reader);
  if (!offset) {
    return std::unexpected{offset.error()};
  }
  if (!reader.at_end()) {
    return bad_time("this one goes on after its end");
  }
  return timestamp{chrono::sys_days{date}} + chrono::hours{hour} + chrono::minutes{minute}
         + chrono::seconds{second} + duration{*fraction} - *offset;
}

std::expected<duration, std::string> parse_duration(std::string_view text) {
  text_reader reader{text};
  std::int64_t sum = 0;
  std::size_t largest_allowed = 0;
  do {
    const auto digits = reader.digit_run();
    if (digits.empty()) {
      return bad_duration(text, "each part is a whole number and its unit");
    }
    const auto index = read_unit(reader);
    if (index == units.size()) {
      return bad_duration(text, "a number stands without a unit");
    }
    if (index < largest_allowed) {
      return bad_duration(text, "a sum goes from the larger unit to the smaller, each once");
    }
    if (!add_product(sum, digits, units[index].us)) {
      return bad_duration(text, "it is too long");
    }
    largest_allowed = index + 1;
  } while (!reader.at_end());
  return duration{sum};
}

std::string to_text(duration d) {
  const std::int64_t us = d.count();
  if (us == 0) {
    return "0s";
  }
  // Unsigned, because the least 64-bit number has no positive counterpart.
  auto rest = us < 0 ? ~static_cast<std::uint64_t>(us) + 1 : static_cast<std::uint64_t>(us);
  std::string out = us < 0 ? "-" : "";
  const bool keep_seconds_whole = rest < 2 * std::uint64_t{60'000'000};
  for (const auto& [name, factor] : units) {
    if (name == "m" && keep_seconds_whole && rest % 60'000'000 != 0) {
      continue;
    }
    if (const auto count = rest / static_cast<std::uint64_t>(factor); count != 0) {
      out += std::to_string(count);
      out += name;
      rest %= static_cast<std::uint64_t>(factor);
    }
  }
  return out;
}

} // namespace sluice::core
