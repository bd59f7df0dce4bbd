#pragma once

#include "tests/storage/subscription_world.hpp"

namespace sluice::tests {

/// A world with one push subscription.
struct push_world : subscription_world {
  explicit push_world(storage::engine kind) : subscription_world(kind), hook(subscribe("hook")) {}

  core::delivery_claims claim_at(double seconds, std::int64_t limit = 100) {
    return claim(wish(hook, limit), at(seconds));
  }

  storage::result<core::event_delivery> restart(std::int64_t position, core::timestamp now) {
    core::delivery_restart wanted;
    wanted.subscription = hook.id;
    wanted.position = {position};
    wanted.by = "ada";
    return storage::transact(
        db(), [&](storage::session& in) { return storage::restart_delivery(in, wanted, now); });
  }

  /// Claims what is due and lets each attempt end so.
  void end_all(double seconds, core::attempt_ending how,
               std::optional<core::timestamp> retry_at = std::nullopt) {
    std::vector<core::ended_attempt> all;
    for (const auto& one : claim_at(seconds).deliveries)
      all.push_back(ended(one, how, retry_at));
    REQUIRE_FALSE(all.empty());
    record(hook, all, at(seconds + 1));
  }

  core::refused_deliveries refuse(std::int64_t limit = 100) {
    return committed(
        db(), [&](storage::session& in) { return storage::refuse_open_deliveries(in, limit, at(90)); });
  }

  core::subscription hook;
};

} // namespace sluice::tests
