#pragma once

#include "core/delivery_state_set.hpp"
#include "core/ids.hpp"
#include "core/job_ending.hpp"
#include "core/time.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// A window replay: deliveries of one subscription that are retained begin anew, as an operator's retry of
/// each would have them. What the filter left out, or was never fanned out, is not made up.
namespace sluice::core {

/// How much one replay may ask for.
struct replay_limits {
  std::int64_t deliveries_max = 100'000;
  duration window_max = std::chrono::hours{24} * 30;
};

/// Which deliveries.
struct replay_choice {
  timestamp from{};          ///< when the event occurred; inclusive
  timestamp to{};            ///< exclusive
  delivery_state_set states; ///< the delivery is in one of these

  friend bool operator==(const replay_choice&, const replay_choice&) = default;
};

/// The states a replay is about where nobody names any: what did not arrive, and nothing more is tried of.
[[nodiscard]] delivery_state_set default_replay_states();

/// Why deliveries in this state are not replayed, as a sentence. Nothing: they are.
[[nodiscard]] std::optional<std::string> why_not_replayed(delivery_state state);
/// Why there is no replay of this window. Nothing: there is.
[[nodiscard]] std::optional<std::string> why_no_window(timestamp from, timestamp to,
                                                       const replay_limits& limits);
/// Why these cannot be replayed: their states, or their window. Nothing: they can.
[[nodiscard]] std::optional<std::string> why_not(const replay_choice& which, const replay_limits& limits);
/// Why so many deliveries are too many for one replay. Nothing: they are not.
[[nodiscard]] std::optional<std::string> why_too_many(std::int64_t counted, const replay_limits& limits);

/// "failed,dead".
[[nodiscard]] std::string to_text(const delivery_state_set& states);
/// Nothing, where a word is none of a state.
[[nodiscard]] std::optional<delivery_state_set> parse_delivery_states(std::string_view text);

/// A replay that is to begin.
struct replay_start {
  subscription_id subscription{};
  replay_choice which;
  replay_limits limits;
  std::string by;
};

/// A replay, which goes through the deliveries in the order of their positions, batch by batch. It passes
/// over what was written after it began: that is under way already. A subscription has one live one at most.
struct replay_job {
  std::int64_t id = 0;
  std::string public_id; ///< UUIDv7
  subscription_id subscription{};
  replay_choice which;
  std::int64_t counted = 0;  ///< deliveries it was for when it began
  std::int64_t done = 0;     ///< fewer than counted in the end, where deliveries changed or expired meanwhile
  event_position position{}; ///< how far it has come
  event_position last{};     ///< where it ends
  timestamp started_at{};
  std::string started_by;
  std::optional<timestamp> ended_at; ///< absent: live
  std::string ended_by;              ///< of a cancelled one
  std::optional<job_ending> ending;

  [[nodiscard]] bool live() const noexcept { return !ended_at; }
  friend bool operator==(const replay_job&, const replay_job&) = default;
};

/// What one batch came to.
struct replay_step {
  std::optional<replay_job> job; ///< as it is now; none: no replay is live
  std::int64_t deliveries = 0;   ///< that are pending again because of the batch
};

/// Replays of a subscription, newest first.
struct replay_page {
  subscription_id subscription{};
  std::int64_t before_id = 0; ///< the page before's last; 0 at first
  std::int64_t limit = 100;
};

template <class Inspector>
auto inspect(Inspector& f, replay_limits& x) {
  return f(x.deliveries_max, x.window_max);
}

template <class Inspector>
auto inspect(Inspector& f, replay_choice& x) {
  return f(x.from, x.to, x.states);
}

template <class Inspector>
auto inspect(Inspector& f, replay_start& x) {
  return f(x.subscription, x.which, x.limits, x.by);
}

template <class Inspector>
auto inspect(Inspector& f, replay_job& x) {
  return f(x.id, x.public_id, x.subscription, x.which, x.counted, x.done, x.position, x.last, x.started_at,
           x.started_by, x.ended_at, x.ended_by, x.ending);
}

template <class Inspector>
auto inspect(Inspector& f, replay_step& x) {
  return f(x.job, x.deliveries);
}

template <class Inspector>
auto inspect(Inspector& f, replay_page& x) {
  return f(x.subscription, x.before_id, x.limit);
}

} // namespace sluice::core
