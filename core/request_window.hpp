#pragma once

#include "core/time.hpp"

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

namespace sluice::core {

/// A connection's request budget: never more than `limit` requests in any 60 s at the target.
///
///   free --grant--> outstanding --end--> cooling (60 s after the call ended) --> free
///
/// A granted slot that was not used is given back at once. Pure: `now` is an argument, wall-clock.
class request_window {
public:
  static constexpr duration window = std::chrono::seconds{60};

  /// `limit` in requests a minute; 0 means unlimited.
  explicit request_window(std::int64_t limit = 0) : limit_(limit) {}

  struct grant {
    std::int64_t now = 0; ///< granted at once, outstanding from here on
    std::optional<timestamp>
        rest_at; ///< when at least one more may be asked for; absent when all was granted
  };

  /// Takes up to `wanted` slots. A block in force grants none; `rest_at` is then its end.
  [[nodiscard]] grant take(std::int64_t wanted, timestamp now);

  /// `count` calls ended at `ended_at` (the latest of the group: later is safe, earlier is not).
  void end(std::int64_t count, timestamp ended_at);

  /// Slots granted and never used. Only for this window's own grants: one read back from its text has none
  /// out.
  void give_back(std::int64_t count);

  /// The target said 429: nothing more until `until`. A longer block in force is never shortened.
  void block(timestamp until, timestamp now);

  [[nodiscard]] std::optional<timestamp> blocked_until(timestamp now) const;
  [[nodiscard]] std::int64_t outstanding() const noexcept { return outstanding_; }
  [[nodiscard]] std::int64_t limit() const noexcept { return limit_; }
  /// From unlimited to a limit: what ended before is not known, what is outstanding counts.
  void set_limit(std::int64_t limit) { limit_ = limit; }

  /// For the database: a compact text, and back. What was outstanding when the text was written is taken as
  /// ended at `now` (a crash took the answers), so a restart can never spend a slot twice. Unreadable text
  /// gives nothing.
  [[nodiscard]] std::string to_text() const;
  [[nodiscard]] static std::optional<request_window> from_text(const std::string& text, std::int64_t limit,
                                                               timestamp now);

  /// The end of the block that such a text tells of.
  [[nodiscard]] static std::optional<timestamp> block_of(std::string_view text);

private:
  struct cooling {
    timestamp free_at{};
    std::int64_t count = 0;
  };

  void expire(timestamp now);
  void cool(timestamp free_at, std::int64_t count);
  [[nodiscard]] timestamp next_free(timestamp now) const;

  std::int64_t limit_;
  std::int64_t outstanding_ = 0;
  std::int64_t cooling_total_ = 0;
  std::deque<cooling> cooling_; ///< oldest first; near ends share an entry, rounded up to 100 ms
  std::optional<timestamp> blocked_until_;
  duration block_length_{}; ///< from when it was heard of
};

} // namespace sluice::core
