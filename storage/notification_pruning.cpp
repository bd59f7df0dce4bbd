#include "core/assertion.hpp"
#include "storage/array_text.hpp"
#include "storage/delivery_rows.hpp"
#include "storage/dialect.hpp"
#include "storage/notifications.hpp"
#include "storage/soci_session.hpp"

#include <vector>

namespace sluice::storage {
namespace {

using ids = std::vector<std::int64_t>;

bool is_final(core::notification_state state) noexcept {
  using enum core::notification_state;
  return state == accepted || state == rejected || state == failed || state == expired || state == cancelled;
}

/// What a batch has looked at, and what of it goes.
struct looked_at {
  ids going;
  core::notifications_pruned answer;
};

/// In the order of their making, as far as they are old.
looked_at look(session& db, core::timestamp until, core::notification_id after, std::int64_t limit) {
  looked_at batch;
  batch.answer.upto = after;
  std::int64_t id = 0, seen = 0;
  std::string state;
  core::timestamp created_at{}, updated_at{};
  bool young = false;
  query rows(db, "SELECT id, state, created_at, updated_at FROM notifications WHERE id > :after ORDER BY id "
                 "LIMIT :limit"
                     + std::string(dialect::for_update(db.kind())));
  rows.use("after", after).use("limit", limit).into(id).into(state).into(created_at).into(updated_at);
  while (rows.next()) {
    ++seen;
    young = young || created_at >= until;
    if (young)
      continue;
    batch.answer.upto = {id};
    if (updated_at < until && is_final(known(core::parse_notification_state(state), "notifications.state")))
      batch.going.push_back(id);
  }
  batch.answer.through = young || seen < limit;
  return batch;
}

constexpr std::string_view sqlite_of_notifications =
    "notification_attempts AS a WHERE a.notification_id IN (SELECT value FROM json_each(:ids))";

/// Notification after notification by the index, whatever was believed of the table when the plan was made.
constexpr std::string_view postgresql_of_notifications =
    "unnest(CAST(:ids AS bigint[])) AS i (id) CROSS JOIN LATERAL (SELECT x.id FROM notification_attempts "
    "AS x WHERE x.notification_id = i.id OFFSET 0) AS a";

ids attempts_of(session& db, const ids& notifications) {
  ids found;
  std::int64_t id = 0;
  query rows(db, "SELECT a.id FROM "
                     + std::string(db.kind() == engine::sqlite ? sqlite_of_notifications
                                                               : postgresql_of_notifications));
  rows.use("ids", integer_list(db.kind(), notifications)).into(id);
  while (rows.next())
    found.push_back(id);
  return found;
}

void remove(session& db, std::string_view from, const ids& rows) {
  if (rows.empty())
    return;
  query(db, "DELETE FROM " + std::string(from)).use("ids", integer_list(db.kind(), rows)).run();
}

} // namespace

result<core::notifications_pruned> prune_notifications(session& db, core::timestamp until,
                                                       core::notification_id after, std::int64_t limit) {
  core::assert_that(limit > 0, "a batch of no rows comes to no end");
  return guarded(db, "Pruning notifications", [&] {
    auto batch = look(db, until, after, limit);
    const auto attempts = batch.going.empty() ? ids{} : attempts_of(db, batch.going);
    remove(db, "attempt_projections WHERE " + in_list(db.kind(), "attempt_id", "ids"), attempts);
    remove(db,
           "reconciliation_targets WHERE kind IN ('ambiguous_submission', 'overdue_callback') AND "
               + in_list(db.kind(), "subject_id", "ids"),
           attempts);
    remove(db, "notification_attempts WHERE " + in_list(db.kind(), "id", "ids"), attempts);
    remove(db, "notifications WHERE " + in_list(db.kind(), "id", "ids"), batch.going);
    batch.answer.notifications = std::ssize(batch.going);
    return batch.answer;
  });
}

} // namespace sluice::storage
