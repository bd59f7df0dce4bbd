#pragma once

#include "sim/dice.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace sluice::sim {

/// Everything that goes wrong in a simulated world. docs/simulation.md says how to add one.
enum class fault : std::uint8_t {
  // of a call
  slow,             ///< served, the answer takes long
  never_answered,   ///< nothing done, nothing comes back
  done_unanswered,  ///< done, nothing comes back
  works_on,         ///< a create is done after its caller has given up
  reply_lost,       ///< done, the connection ends before the answer
  cut,              ///< nothing done, the connection ends
  not_connected,    ///< the call never arrives
  rate_limited,     ///< 429
  answered_500,     ///< 500, nothing done
  done_500,         ///< 500, but done
  answered_502,     ///< 502, nothing done
  answered_503,     ///< 503, nothing done
  rejected,         ///< 422, nothing done
  refused_for_good, ///< 422 to every create of a record, nothing done
  done_rejected,    ///< 422 to an update, but done
  unauthorized,     ///< 401
  answer_garbled,   ///< done, with a success whose body cannot be read
  said_gone,        ///< 404 to an update of what is there
  lookup_late,      ///< a lookup does not find yet what is there
  // of a target, a moment of an hour
  record_forgotten, ///< an object is lost
  tokens_revoked,   ///< every access token stops counting
  target_down,      ///< for minutes every call is refused or cut
  // of the node, moments of an hour
  crashed,    ///< between two messages
  lease_lost, ///< another owner takes over while writes are on their way
  rule_actor_died,
  clock_set_forward,
  clock_set_back,
  // of a source
  committed_late, ///< a commit appears behind the cursor, within the overlap
  flooded,        ///< for minutes ten times as much changes
  // of a subscriber's call
  answered_408,
  answered_410, ///< it wants no more
  // of those who publish and push, moments of an hour
  published_twice, ///< an application does not know whether its event was taken
  subscriber_down, ///< for minutes every push is refused or cut
  fan_out_died,
  subscription_actor_died,
  // of a call with a message to a provider
  recipient_refused, ///< the address is none, or not any more
  message_refused,   ///< its content
  account_refused,   ///< the profile's own fault
  // of what a provider tells
  told_twice,
  told_early,  ///< before its attempt can be recorded
  told_late,   ///< up to hours
  told_forged, ///< by somebody who is not the provider
  // of those around notifications, moments of an hour
  provider_down,
  notifier_died,
  reconciler_died,
};
inline constexpr std::size_t fault_count = static_cast<std::size_t>(fault::reconciler_died) + 1;
/// What happens where there are subscriptions and no notifications.
inline constexpr std::size_t fault_count_of_events =
    static_cast<std::size_t>(fault::subscription_actor_died) + 1;
/// What happens where there are no subscriptions.
inline constexpr std::size_t fault_count_of_rules = static_cast<std::size_t>(fault::flooded) + 1;

[[nodiscard]] std::string_view to_string(fault what) noexcept;

/// A seed's probabilities, and how often each came true. Every seed weighs them anew: some faults do not
/// occur in it, others come often.
class faults {
public:
  /// Of the first `kinds`; the others do not occur.
  explicit faults(dice& from, std::size_t kinds = fault_count_of_rules);

  /// Whether it happens now; counted when it does.
  bool strikes(fault what);
  void count(fault what) { ++counts_[index(what)]; }
  void rest() { resting_ = true; } ///< the quiet phase
  [[nodiscard]] bool resting() const noexcept { return resting_; }

  [[nodiscard]] double probability(fault what) const { return probabilities_[index(what)]; }
  [[nodiscard]] std::int64_t counted(fault what) const { return counts_[index(what)]; }
  [[nodiscard]] std::int64_t counted() const;

private:
  static std::size_t index(fault what) { return static_cast<std::size_t>(what); }

  dice& dice_;
  std::array<double, fault_count> probabilities_{};
  std::array<std::int64_t, fault_count> counts_{};
  bool resting_ = false;
};

} // namespace sluice::sim
