#pragma once

#include <chrono>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

namespace sluice::core {

using duration = std::chrono::microseconds;
/// UTC wall-clock time in microseconds: columns, messages, due times.
using timestamp = std::chrono::sys_time<duration>;

/// Microseconds since 1970-01-01T00:00:00Z.
[[nodiscard]] constexpr std::int64_t to_us(timestamp t) noexcept {
  return t.time_since_epoch().count();
}
[[nodiscard]] constexpr timestamp from_us(std::int64_t us) noexcept {
  return timestamp{duration{us}};
}

/// Where actors read the time. Waits use `steady`, due times use `wall`; a wall clock may jump.
class time_source {
public:
  virtual ~time_source() = default;
  [[nodiscard]] virtual timestamp wall() const = 0;
  [[nodiscard]] virtual duration steady() const = 0; ///< since an arbitrary start, never decreasing
};

/// RFC 3339 with `Z` and microseconds, "2026-01-31T08:09:10.123456Z".
[[nodiscard]] std::string to_rfc3339(timestamp t);

/// Reads RFC 3339 (section 5.6) with any offset and up to six fraction digits. The error is a sentence.
[[nodiscard]] std::expected<timestamp, std::string> parse_rfc3339(std::string_view text);

/// Reads a duration with a unit (d, h, m, s, ms, us): "250ms", "90s", "5m", "30d", also a sum from the larger
/// unit to the smaller such as "1h30m".
/// The error is a sentence that names the allowed units.
[[nodiscard]] std::expected<duration, std::string> parse_duration(std::string_view text);

/// A text parse_duration reads back: "90s", "250ms", "1h30m". Minutes are split off from two minutes on. A
/// negative duration gets a minus for people to read; parse_duration refuses it.
[[nodiscard]] std::string to_text(duration d);

} // namespace sluice::core
