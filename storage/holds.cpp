#include "crypto/random.hpp"
#include "storage/soci_session.hpp"
#include "storage/stop_columns.hpp"
#include "storage/stops.hpp"

// Holds of the volume breaker and their releases. Partial unique indexes keep the promise that a rule has at
// most one live hold and one release in force.

namespace sluice::storage {
namespace {

std::optional<core::delivery_stop> read_live_hold(session& db, core::rule_id rule) {
  query rows(db, "SELECT " + std::string(stop_columns)
                     + " FROM delivery_stops WHERE scope = 'rule' AND rule_id = :rule "
                       "AND cause = 'volume_breaker' AND ended_at IS NULL");
  rows.use("rule", rule);
  return stop_row::first(rows);
}

/// Nothing: one is live already.
std::optional<core::delivery_stop> insert_hold(session& db, core::rule_id rule,
                                               const core::hold_finding& finding, core::timestamp now) {
  query rows(db, "INSERT INTO delivery_stops (public_id, scope, cause, rule_id, set_at, pending_withdrawals, "
                 "known_records, threshold) VALUES (:public_id, 'rule', 'volume_breaker', :rule, :now, "
                 ":pending, :known, :threshold) ON CONFLICT DO NOTHING RETURNING "
                     + std::string(stop_columns));
  rows.use("public_id", crypto::uuid_v7(now)).use("rule", rule).use("now", now);
  rows.use("pending", finding.pending).use("known", finding.known).use("threshold", finding.threshold);
  return stop_row::first(rows);
}

/// At most one release of a rule is in force.
void consume_releases(session& db, core::rule_id rule, core::timestamp now) {
  query(db, "UPDATE delivery_stops SET allowance_consumed_at = :now WHERE rule_id = :rule "
            "AND resolution = 'released' AND allowance_consumed_at IS NULL")
      .use("now", now)
      .use("rule", rule)
      .run();
}

/// The hold a person means to end; refused in words where that cannot be.
core::delivery_stop need_live_hold(session& db, std::string_view public_id) {
  query rows(db, "SELECT " + std::string(stop_columns)
                     + " FROM delivery_stops WHERE public_id = :public_id AND cause = 'volume_breaker'");
  rows.use("public_id", public_id);
  auto hold = stop_row::first(rows);
  if (!hold)
    throw abandoned{{error::not_found, "There is no such hold."}};
  if (!hold->live())
    throw abandoned{{error::refused, "The hold has ended already ("
                                         + std::string(core::to_string(*hold->resolution))
                                         + "): only a live hold can be released or discarded."}};
  return std::move(*hold);
}

core::delivery_stop ended(std::optional<core::delivery_stop> hold) {
  if (!hold)
    throw abandoned{{error::refused, "The hold ended at this moment: only a live hold can be released or "
                                     "discarded."}};
  return std::move(*hold);
}

} // namespace

result<std::optional<core::delivery_stop>> live_hold(session& db, core::rule_id rule) {
  return guarded(db, "Finding a hold", [&] { return read_live_hold(db, rule); });
}

result<core::stop_in_force> set_hold(session& db, core::rule_id rule, const core::hold_finding& finding,
                                     core::timestamp now) {
  return guarded(db, "Setting a hold", [&] {
    constexpr int tries = 3; // the live one may end between the two looks
    for (int i = 0; i < tries; ++i) {
      if (auto made = insert_hold(db, rule, finding, now)) {
        consume_releases(db, rule, now); // the finding counts the rows it had confirmed
        return core::stop_in_force{std::move(*made), false};
      }
      if (auto live = read_live_hold(db, rule))
        return core::stop_in_force{std::move(*live), true};
    }
    throw abandoned{{error::busy, "The hold is being set and ended by others at this moment."}};
  });
}

result<bool> heal_hold(session& db, std::int64_t hold, core::timestamp now) {
  return guarded(db, "Healing a hold", [&] {
    return query(db, "UPDATE delivery_stops SET ended_at = :now, resolution = 'self_healed' "
                     "WHERE id = :id AND cause = 'volume_breaker' AND ended_at IS NULL")
               .use("now", now)
               .use("id", hold)
               .run()
           == 1;
  });
}

result<core::delivery_stop> release_hold(session& db, std::string_view public_id, std::int64_t allowed,
                                         std::string_view by, core::timestamp now) {
  return guarded(db, "Releasing a hold", [&] {
    if (allowed < 1)
      throw abandoned{
          {error::refused, "A release allows " + std::to_string(allowed)
                               + " withdrawals: 1 or more are allowed. To let none go, discard the "
                                 "hold."}};
    const auto hold = need_live_hold(db, public_id);
    consume_releases(db, hold.target.rule, now);
    query rows(db, "UPDATE delivery_stops SET ended_at = :now, ended_by = :by, resolution = 'released', "
                   "allowed_withdrawals = :allowed WHERE id = :id AND ended_at IS NULL RETURNING "
                       + std::string(stop_columns));
    rows.use("now", now).use("by", by).use("allowed", allowed).use("id", hold.id);
    return ended(stop_row::first(rows));
  });
}

result<core::delivery_stop> discard_hold(session& db, std::string_view public_id, std::string_view by,
                                         core::timestamp now) {
  return guarded(db, "Discarding a hold", [&] {
    const auto hold = need_live_hold(db, public_id);
    query rows(db, "UPDATE delivery_stops SET ended_at = :now, ended_by = :by, resolution = 'resumed' "
                   "WHERE id = :id AND ended_at IS NULL RETURNING "
                       + std::string(stop_columns));
    rows.use("now", now).use("by", by).use("id", hold.id);
    return ended(stop_row::first(rows));
  });
}

result<bool> consume_release(session& db, std::int64_t release, core::timestamp now) {
  return guarded(db, "Consuming a release", [&] {
    return query(db, "UPDATE delivery_stops SET allowance_consumed_at = :now WHERE id = :id "
                     "AND resolution = 'released' AND allowance_consumed_at IS NULL")
               .use("now", now)
               .use("id", release)
               .run()
           == 1;
  });
}

} // namespace sluice::storage
