#include "sim/faults.hpp"

#include <numeric>

namespace sluice::sim {

namespace {

struct fault_kind {
  fault what;
  std::string_view name;
  double probability; ///< of a call, of a quarter of an hour, or of a flurry or an event: as sim/faults.hpp
                      ///< has them
};

constexpr std::array<fault_kind, fault_count> kinds{{
    {fault::slow, "slow", 0.05},
    {fault::never_answered, "never_answered", 0.01},
    {fault::done_unanswered, "done_unanswered", 0.01},
    {fault::works_on, "works_on", 0.02},
    {fault::reply_lost, "reply_lost", 0.02},
    {fault::cut, "cut", 0.02},
    {fault::not_connected, "not_connected", 0.02},
    {fault::rate_limited, "rate_limited", 0.01},
    {fault::answered_500, "answered_500", 0.01},
    {fault::done_500, "done_500", 0.01},
    {fault::answered_502, "answered_502", 0.01},
    {fault::answered_503, "answered_503", 0.02},
    {fault::rejected, "rejected", 0.01},
    {fault::refused_for_good, "refused_for_good", 0.01},
    {fault::done_rejected, "done_rejected", 0.005},
    {fault::unauthorized, "unauthorized", 0.002},
    {fault::answer_garbled, "answer_garbled", 0.01},
    {fault::said_gone, "said_gone", 0.003},
    {fault::lookup_late, "lookup_late", 0.05},
    {fault::record_forgotten, "record_forgotten", 0.3},
    {fault::tokens_revoked, "tokens_revoked", 0.2},
    {fault::target_down, "target_down", 0.05},
    {fault::crashed, "crashed", 0.2},
    {fault::lease_lost, "lease_lost", 0.1},
    {fault::rule_actor_died, "rule_actor_died", 0.2},
    {fault::clock_set_forward, "clock_set_forward", 0.05},
    {fault::clock_set_back, "clock_set_back", 0.05},
    {fault::committed_late, "committed_late", 0.1},
    {fault::flooded, "flooded", 0.02},
    {fault::answered_408, "answered_408", 0.01},
    {fault::answered_410, "answered_410", 0.001},
    {fault::published_twice, "published_twice", 0.1},
    {fault::subscriber_down, "subscriber_down", 0.2},
    {fault::fan_out_died, "fan_out_died", 0.1},
    {fault::subscription_actor_died, "subscription_actor_died", 0.3},
    {fault::recipient_refused, "recipient_refused", 0.02},
    {fault::message_refused, "message_refused", 0.01},
    {fault::account_refused, "account_refused", 0.02},
    {fault::told_twice, "told_twice", 0.1},
    {fault::told_early, "told_early", 0.15},
    {fault::told_late, "told_late", 0.05},
    {fault::told_forged, "told_forged", 0.1},
    {fault::provider_down, "provider_down", 0.2},
    {fault::notifier_died, "notifier_died", 0.3},
    {fault::reconciler_died, "reconciler_died", 0.1},
}};

constexpr bool in_order() {
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    if (static_cast<std::size_t>(kinds[i].what) != i)
      return false;
  }
  return true;
}
static_assert(in_order(), "the table has every fault once, in the order of the enum");

constexpr double weights[] = {0.0, 0.5, 1.0, 1.0, 3.0};

} // namespace

std::string_view to_string(fault what) noexcept {
  return kinds[static_cast<std::size_t>(what)].name;
}

faults::faults(dice& from, std::size_t kinds_drawn) : dice_(from) {
  for (std::size_t i = 0; i < kinds_drawn; ++i)
    probabilities_[i] = kinds[i].probability * dice_.pick(weights);
  // So that even the mildest seed has faults to live with.
  auto& slow = probabilities_[index(fault::slow)];
  auto& refused = probabilities_[index(fault::answered_503)];
  slow = std::max(slow, 0.05);
  refused = std::max(refused, 0.03);
}

bool faults::strikes(fault what) {
  if (resting_ || !dice_.chance(probability(what)))
    return false;
  count(what);
  return true;
}

std::int64_t faults::counted() const {
  return std::accumulate(counts_.begin(), counts_.end(), std::int64_t{0});
}

} // namespace sluice::sim
