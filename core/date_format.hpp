#pragma once

#include "core/time.hpp"

#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::core {

/// Reads RFC 3339, or "YYYY-MM-DD" and "YYYY-MM-DD HH:MM:SS[.fff]" taken as UTC.
[[nodiscard]] std::optional<timestamp> read_date(std::string_view text);

/// A strftime format in UTC and English, whatever the locale: %Y %y %m %d %e %j %H %I %M %S %p %a %A %b %B %F
/// %T %s (seconds since 1970) %z %Z %%, and %f for six digits of microseconds.
class date_format {
public:
  /// The error is a sentence that names the unknown field.
  [[nodiscard]] static std::expected<date_format, std::string> compile(std::string_view format);

  void append(std::string& out, timestamp t) const;

private:
  struct part {
    std::string literal;
    char field = '\0'; ///< follows the literal; none when NUL
  };

  std::vector<part> parts_;
};

} // namespace sluice::core
