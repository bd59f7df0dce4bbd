#pragma once

#include "core/time.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace sluice::core {

/// Certificates by the URL they were fetched from, and the fetches that came to nothing. Whoever posts may
/// name URLs, so both are bounded, and one that has proven a callback genuine goes only when all have.
/// Times are of the steady clock.
///
///   unknown --kept--> held --its time is over--> unknown
///      ^ \--failed--> missing | unreachable --a while later--+
///      +----------------------------------------------------+
class certificate_cache {
public:
  struct limits {
    std::size_t entries_max = 32; ///< held and failed ones
    duration held_for = std::chrono::hours{24};
    duration failed_for = std::chrono::seconds{10};
  };

  enum class standing : std::uint8_t {
    unknown, ///< to be fetched
    held,
    missing,     ///< its place says that there is no such thing
    unreachable, ///< no usable answer a short while ago
  };

  certificate_cache() = default;
  explicit certificate_cache(const limits& how) : limits_(how) {}

  [[nodiscard]] standing find(std::string_view url, duration now) const;
  /// The text of one that is held.
  [[nodiscard]] std::optional<std::string> text(std::string_view url, duration now) const;

  void keep(std::string url, std::string text, duration now);
  /// `as`: missing or unreachable.
  void fail(std::string url, standing as, duration now);
  /// It was looked at for a callback that turned out genuine.
  void prove(std::string_view url, duration now);

  [[nodiscard]] std::size_t size() const noexcept { return entries_.size(); }

private:
  struct entry {
    standing what = standing::unknown;
    std::string text;
    duration until{};
    std::optional<duration> proven_at;
  };

  [[nodiscard]] const entry* living(std::string_view url, duration now) const;
  void put(std::string url, entry made, duration now);

  limits limits_;
  std::map<std::string, entry, std::less<>> entries_;
};

} // namespace sluice::core
