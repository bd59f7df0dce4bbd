#include "storage/event_deliveries.hpp"

#include "storage/delivery_outcomes.hpp"

#include <algorithm>
#include <limits>

namespace sluice::storage {
namespace {

class event_delivery_target {
public:
  void bind(query& rows) {
    row_.bind(rows);
    rows.into(made_.event).into(made_.type).into(made_.occurred_at);
    rows.into(made_.created_at).into(made_.updated_at);
  }

  core::event_delivery take(core::subscription_id subscription, const open_claims& claims) {
    auto row = row_.take();
    claims.lay_on(row.progress, row.position);
    auto taken = made_;
    taken.subscription = subscription;
    taken.position = row.position;
    taken.ordering_key = std::move(row.ordering_key);
    taken.progress = std::move(row.progress);
    if (taken.progress.claim)
      taken.updated_at = claims.find(taken.position)->claimed_at;
    return taken;
  }

private:
  delivery_row_target row_;
  core::event_delivery made_;
};

/// Those a text behind "WHERE …" selects.
std::vector<core::event_delivery> read_deliveries(session& db, core::subscription_id subscription,
                                                  const std::string& condition,
                                                  const std::function<void(query&)>& bind) {
  const open_claims claims(db, subscription);
  query rows(db, "SELECT " + std::string(delivery_row_columns)
                     + ", e.public_id, e.type, e.occurred_at, d.created_at, d.updated_at "
                       "FROM event_deliveries AS d JOIN change_events AS e ON e.position = d.position "
                       "WHERE d.subscription_id = :subscription"
                     + condition);
  rows.use("subscription", subscription);
  bind(rows);
  event_delivery_target target;
  target.bind(rows);
  std::vector<core::event_delivery> found;
  while (rows.next())
    found.push_back(target.take(subscription, claims));
  return found;
}

/// When a subscription has something due, whether it is on its way or not.
struct stored_due {
  core::subscription_id subscription{};
  std::optional<core::timestamp> at;
  bool failing = false;
  std::string claims; ///< of delivery_claims
};

std::vector<stored_due> read_dues(session& db) {
  std::vector<stored_due> all;
  stored_due one;
  query rows(db,
             "SELECT s.id, CASE WHEN s.status = 'active' THEN (SELECT d.next_attempt_at "
             "FROM event_deliveries AS d WHERE d.subscription_id = s.id "
             "AND d.next_attempt_at IS NOT NULL ORDER BY d.next_attempt_at LIMIT 1) END, "
             "CASE WHEN s.consecutive_dead > 0 OR EXISTS (SELECT 1 FROM event_deliveries AS d "
             "WHERE d.subscription_id = s.id AND d.state = 'retrying' "
             "AND d.state IN ('retrying', 'failed', 'dead')) THEN 1 ELSE 0 END, " // as the index says it
             "c.claims FROM subscriptions AS s LEFT JOIN delivery_claims AS c ON c.subscription_id = s.id "
             "WHERE s.mode = 'push' AND s.deleted_at IS NULL ORDER BY s.id");
  rows.into(one.subscription).into(one.at).into(one.failing).into(one.claims);
  while (rows.next())
    all.push_back(one);
  return all;
}

/// The attempt that is on its way, of a delivery whose row knows nothing of it.
std::optional<core::delivery_attempt> open_attempt(session& db, core::subscription_id subscription,
                                                   core::event_position position) {
  const auto claim = open_claims(db, subscription).find(position);
  if (!claim)
    return std::nullopt;
  std::optional<std::int64_t> attempts;
  query(db, "SELECT attempts FROM event_deliveries WHERE subscription_id = :subscription "
            "AND position = :position")
      .use("subscription", subscription)
      .use("position", position)
      .into(attempts)
      .run();
  if (!attempts || *attempts >= claim->number)
    return std::nullopt;
  core::delivery_attempt made;
  made.number = claim->number;
  made.started_at = claim->claimed_at;
  return made;
}

/// Those that have rows of their own.
std::vector<core::delivery_attempt> read_attempts(session& db, core::subscription_id subscription,
                                                  core::event_position position, std::int64_t after_number,
                                                  std::int64_t limit) {
  std::vector<core::delivery_attempt> listed;
  core::delivery_attempt one;
  std::optional<std::string> ending;
  std::int64_t took = 0;
  query rows(db, "SELECT number, started_at, ended_at, took, ending, status, error_class, error, answer, "
                 "answer_cut FROM delivery_attempts WHERE subscription_id = :subscription "
                 "AND position = :position AND number > :after ORDER BY number LIMIT :limit");
  rows.use("subscription", subscription).use("position", position).use("after", after_number);
  rows.use("limit", limit);
  rows.into(one.number).into(one.started_at).into(one.ended_at).into(took).into(ending).into(one.status);
  rows.into(one.error_class).into(one.error).into(one.answer).into(one.answer_cut);
  while (rows.next()) {
    one.took = core::duration{took};
    one.ending.reset();
    if (ending)
      one.ending = known(core::parse_attempt_ending(*ending), "delivery_attempts.ending");
    listed.push_back(one);
  }
  return listed;
}

} // namespace

result<std::vector<core::event_delivery>> list_event_deliveries(session& db,
                                                                const core::event_delivery_page& page) {
  return in_snapshot(db, "Listing deliveries", [&] {
    std::string condition = " AND d.position < :before";
    if (page.state)
      condition += " AND d.state = :state";
    return read_deliveries(
        db, page.subscription, condition + " ORDER BY d.position DESC LIMIT :limit", [&](query& rows) {
          rows.use("before", page.before ? page.before.value : std::numeric_limits<std::int64_t>::max());
          rows.use("limit", page.limit);
          if (page.state)
            rows.use("state", core::to_string(*page.state));
        });
  });
}

result<std::optional<core::event_delivery>>
find_event_delivery(session& db, core::subscription_id subscription, std::string_view event_public_id) {
  return in_snapshot(db, "Finding a delivery", [&]() -> std::optional<core::event_delivery> {
    auto found = read_deliveries(db, subscription, " AND e.public_id = :event",
                                 [&](query& rows) { rows.use("event", event_public_id); });
    if (found.empty())
      return std::nullopt;
    return std::move(found.front());
  });
}

result<std::vector<core::delivery_attempt>> list_attempts(session& db, core::subscription_id subscription,
                                                          core::event_position position,
                                                          std::int64_t after_number, std::int64_t limit) {
  return in_snapshot(db, "Listing attempts", [&] {
    auto listed = read_attempts(db, subscription, position, after_number, limit);
    auto open = open_attempt(db, subscription, position);
    if (open && open->number > after_number && std::ssize(listed) < limit)
      listed.push_back(std::move(*open));
    return listed;
  });
}

std::optional<core::timestamp> next_due(session& db, core::subscription_id subscription,
                                        const open_claims& claims, core::timestamp after) {
  std::optional<core::timestamp> due;
  // Not min(): planned while the table seemed empty, PostgreSQL would look at everything that is due.
  query(db, "SELECT d.next_attempt_at FROM event_deliveries AS d WHERE d.subscription_id = :id "
            "AND d.next_attempt_at IS NOT NULL AND d.next_attempt_at > :after AND "
                + not_in_list(db.kind(), "d.position", "open")
                + " AND EXISTS (SELECT 1 FROM subscriptions AS s WHERE s.id = :id AND s.status = 'active' "
                  "AND s.deleted_at IS NULL) ORDER BY d.next_attempt_at LIMIT 1")
      .use("id", subscription)
      .use("after", after)
      .use("open", integer_list(db.kind(), claims.positions()))
      .into(due)
      .run();
  const auto lapses = claims.lapse_at();
  return due && lapses ? std::min(*due, *lapses) : due ? due : lapses;
}

result<std::optional<core::timestamp>> next_delivery_due(session& db, core::subscription_id subscription) {
  return in_snapshot(db, "Reading when a delivery falls due",
                     [&] { return next_due(db, subscription, open_claims(db, subscription)); });
}

result<std::vector<core::subscription_due>> all_next_delivery_due(session& db) {
  return in_snapshot(db, "Reading when deliveries fall due", [&] {
    std::vector<core::subscription_due> all;
    for (const auto& [id, due, failing, claims] : read_dues(db)) {
      const auto at = claims.empty() ? due : next_due(db, id, open_claims(id, claims));
      if (at)
        all.push_back({id, *at, failing});
    }
    return all;
  });
}

} // namespace sluice::storage
