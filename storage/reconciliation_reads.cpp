#include "storage/notification_orders.hpp"
#include "storage/reconciliation_columns.hpp"
#include "storage/reconciliation_targets.hpp"
#include "storage/similar_attempts.hpp"
#include "storage/soci_session.hpp"

namespace sluice::storage {
namespace {

constexpr std::string_view of_due =
    ", a.public_id, a.provider_message_id, a.submitted_at FROM reconciliation_targets AS r LEFT JOIN "
    "notification_attempts AS a ON a.id = r.subject_id AND r.kind <> 'unmatched_event' "
    "WHERE r.next_look_at <= :now ORDER BY r.next_look_at, r.kind, r.subject_id LIMIT :limit";

std::vector<core::reconciliation_question> read_due(session& db, std::int64_t limit, core::timestamp now) {
  query rows(db, "SELECT " + std::string(reconciliation_columns) + std::string(of_due));
  rows.use("now", now).use("limit", limit);
  core::reconciliation_question one;
  reconciliation_columns_target target(one.item);
  target.bind(rows);
  rows.into(one.attempt_id).into(one.provider_message_id).into(one.submitted_at);
  std::vector<core::reconciliation_question> found;
  while (rows.next()) {
    target.take();
    found.push_back(one);
  }
  return found;
}

} // namespace

result<std::vector<core::reconciliation_question>> due_reconciliation_targets(session& db, std::int64_t limit,
                                                                              const crypto::key_ring& keys,
                                                                              core::timestamp now) {
  return in_snapshot(db, "Reading what is to be looked at", [&] {
    auto due = read_due(db, limit, now);
    std::vector<std::int64_t> notifications;
    for (const auto& one : due)
      if (one.item.notification)
        notifications.push_back(one.item.notification.value);
    const auto orders = read_orders(db, notifications);
    for (auto& one : due)
      if (const auto order = orders.find(one.item.notification); order != orders.end()) {
        one.contact = open_contact_of(order->second, keys);
        if (one.provider_message_id.empty())
          tell_apart(db, one, order->second, keys);
      }
    return due;
  });
}

} // namespace sluice::storage
