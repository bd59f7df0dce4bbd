#pragma once

#include "app/crm.hpp"
#include "app/seeded_draw.hpp"
#include "core/time.hpp"

#include <cstdint>
#include <deque>

namespace sluice::app {

/// Counts events of the last 60 s exactly.
class minute_window {
public:
  static constexpr core::duration length = std::chrono::seconds{60};

  void add(core::duration now);
  /// Events in (now - 60 s, now].
  [[nodiscard]] std::int64_t count(core::duration now);
  [[nodiscard]] std::int64_t peak() const noexcept { return peak_; }
  /// How long until the oldest leaves the window; zero when there is none.
  [[nodiscard]] core::duration until_next_leaves(core::duration now);

private:
  void expire(core::duration now);
  std::deque<core::duration> events_;
  std::int64_t peak_ = 0;
};

enum class crm_mood : std::uint8_t { serve, fail, lose_reply, hang, limit };

struct crm_counts {
  std::int64_t requests = 0;
  std::int64_t rate_limited = 0;
  std::int64_t failed = 0;
  std::int64_t lost_replies = 0;
  std::int64_t hung = 0;
};

/// What to do to each request, from its options and the seed. `now` is monotonic.
class crm_behaviour {
public:
  explicit crm_behaviour(const crm_options& options) : options_{options}, random_{options.seed} {}

  [[nodiscard]] crm_mood next(core::duration now);
  [[nodiscard]] std::int64_t retry_after_seconds(core::duration now); ///< rounded up, at least 1
  [[nodiscard]] const crm_counts& counts() const noexcept { return counts_; }
  [[nodiscard]] std::int64_t peak() const noexcept { return seen_.peak(); }

private:
  bool happens(double share);

  crm_options options_;
  seeded_draw random_;
  crm_counts counts_;
  minute_window seen_;     ///< every request
  minute_window accepted_; ///< those within the limit
};

} // namespace sluice::app
