#include "core/date_format.hpp"

#include <array>
#include <utility>

namespace sluice::core {
namespace {

namespace chrono = std::chrono;

constexpr std::array<std::string_view, 7> weekdays{"Sunday",   "Monday", "Tuesday", "Wednesday",
                                                   "Thursday", "Friday", "Saturday"};
constexpr std::array<std::string_view, 12> months{"January",   "February", "March",    "April",
                                                  "May",       "June",     "July",     "August",
                                                  "September", "October",  "November", "December"};
constexpr std::string_view fields = "YymdejHIMSpaAbBFTszZf%";

void append_number(std::string& out, std::int64_t number, std::size_t width, char pad = '0') {
  const auto digits = std::to_string(number);
  out.append(width > digits.size() ? width - digits.size() : 0, pad);
  out += digits;
}

/// A time taken apart.
struct moment {
  explicit moment(timestamp t)
      : day{chrono::floor<chrono::days>(t)}, date{day}, clock{t - day},
        since_1970{chrono::floor<chrono::seconds>(t)} {}

  [[nodiscard]] unsigned month() const { return static_cast<unsigned>(date.month()); }
  [[nodiscard]] std::int64_t hour() const { return clock.hours().count(); }

  chrono::sys_days day;
  chrono::year_month_day date;
  chrono::hh_mm_ss<duration> clock;
  chrono::sys_seconds since_1970;
};

void append_field(std::string& out, char field, const moment& at);

void append_fields(std::string& out, std::string_view names, char separator, const moment& at) {
  for (const char name : names) {
    append_field(out, name, at);
    out += separator;
  }
  out.pop_back();
}

void append_day_field(std::string& out, char field, const moment& at) {
  const int year = static_cast<int>(at.date.year());
  const unsigned day = static_cast<unsigned>(at.date.day());
  switch (field) {
  case 'Y':
    return append_number(out, year, 4);
  case 'y':
    return append_number(out, year % 100, 2);
  case 'm':
    return append_number(out, at.month(), 2);
  case 'd':
    return append_number(out, day, 2);
  case 'e':
    return append_number(out, day, 2, ' ');
  case 'j':
    return append_number(out, (at.day - chrono::sys_days{at.date.year() / 1 / 1}).count() + 1, 3);
  case 'a':
  case 'A': {
    const auto name = weekdays[chrono::weekday{at.day}.c_encoding()];
    out += field == 'a' ? name.substr(0, 3) : name;
    return;
  }
  case 'b':
  case 'B': {
    const auto name = months[at.month() - 1];
    out += field == 'b' ? name.substr(0, 3) : name;
    return;
  }
  default:
    return append_fields(out, "Ymd", '-', at);
  }
}

void append_clock_field(std::string& out, char field, const moment& at) {
  switch (field) {
  case 'H':
    return append_number(out, at.hour(), 2);
  case 'I':
    return append_number(out, (at.hour() + 11) % 12 + 1, 2);
  case 'M':
    return append_number(out, at.clock.minutes().count(), 2);
  case 'S':
    return append_number(out, at.clock.seconds().count(), 2);
  case 'f':
    return append_number(out, at.clock.subseconds().count(), 6);
  case 'p':
    out += at.hour() < 12 ? "AM" : "PM";
    return;
  case 's':
    return append_number(out, at.since_1970.time_since_epoch().count(), 1);
  case 'z':
    out += "+0000";
    return;
  case 'Z':
    out += "UTC";
    return;
  default:
    return append_fields(out, "HMS", ':', at);
  }
}

void append_field(std::string& out, char field, const moment& at) {
  if (field == '%') {
    out += '%';
  } else if (std::string_view{"YymdejaAbBF"}.contains(field)) {
    append_day_field(out, field, at);
  } else {
    append_clock_field(out, field, at);
  }
}

} // namespace

std::optional<timestamp> read_date(std::string_view text) {
  constexpr std::size_t day_size = std::string_view{"YYYY-MM-DD"}.size();
  std::string full{text};
  if (text.size() == day_size) {
    full += "T00:00:00Z";
  } else if (text.size() > day_size && text[day_size] == ' ') {
    full[day_size] = 'T';
    full += 'Z';
  }
  const auto read = parse_rfc3339(full);
  return read ? std::optional{*read} : std::nullopt;
}

std::expected<date_format, std::string> date_format::compile(std::string_view format) {
  date_format made;
  std::string literal;
  for (std::size_t at = 0; at < format.size(); ++at) {
    if (format[at] != '%') {
      literal += format[at];
      continue;
    }
    ++at;
    if (at == format.size() || !fields.contains(format[at])) {
      return std::unexpected{
          "%" + std::string{format.substr(at, 1)}
          + " is not a field of a date (known: %Y %y %m %d %e %j %H %I %M %S %p %a %A %b %B "
            "%F %T %s %z %Z %f %%)"};
    }
    made.parts_.push_back({std::exchange(literal, {}), format[at]});
  }
  made.parts_.push_back({literal, '\0'});
  return made;
}

void date_format::append(std::string& out, timestamp t) const {
  const moment at{t};
  for (const auto& [literal, field] : parts_) {
    out += literal;
    if (field != '\0') {
      append_field(out, field, at);
    }
  }
}

} // namespace sluice::core
