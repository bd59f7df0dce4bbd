#include "storage/dialect.hpp"
#include "storage/notification_orders.hpp"
#include "storage/reconciliation_targets.hpp"
#include "storage/similar_attempts.hpp"
#include "storage/soci_session.hpp"
#include "storage/tenant_sql.hpp"
#include "storage/waiting_rows.hpp"

#include <functional>

namespace sluice::storage {
namespace {

/// Columns of a target `r` and, where it is an attempt, of that attempt `a`.
constexpr std::string_view columns =
    "SELECT r.kind, r.subject_id, r.profile_id, r.since, r.looks, r.last_look_at, r.next_look_at, r.verdict, "
    "r.needs_person, a.notification_id, a.number, a.public_id, a.provider_message_id, a.submitted_at, "
    "(SELECT n.public_id FROM notifications AS n WHERE n.id = a.notification_id), "
    "(SELECT p.name FROM provider_profiles AS p WHERE p.id = r.profile_id) "
    "FROM reconciliation_targets AS r LEFT JOIN notification_attempts AS a ON a.id = r.subject_id "
    "AND r.kind <> 'unmatched_event' WHERE ";

class question_target {
public:
  void bind(query& rows) {
    auto& item = one_.item;
    rows.into(kind_).into(item.key.subject).into(item.profile).into(item.since).into(item.looks);
    rows.into(item.last_look).into(item.next_look).into(verdict_).into(item.needs_person);
    rows.into(item.notification).into(item.number).into(one_.attempt_id).into(one_.provider_message_id);
    rows.into(one_.submitted_at).into(item.notification_public_id).into(item.profile_name);
  }

  core::reconciliation_question take() {
    auto& item = one_.item;
    item.key.kind = known(core::parse_reconciliation_target(kind_), "reconciliation_targets.kind");
    item.verdict.reset();
    if (verdict_)
      item.verdict = known(core::parse_reconciliation_verdict(*verdict_), "reconciliation_targets.verdict");
    return one_;
  }

private:
  core::reconciliation_question one_;
  std::string kind_;
  std::optional<std::string> verdict_;
};

std::vector<core::reconciliation_question> read_targets(session& db, const std::string& condition,
                                                        const std::function<void(query&)>& bind) {
  query rows(db, std::string(columns) + condition);
  bind(rows);
  question_target target;
  target.bind(rows);
  std::vector<core::reconciliation_question> found;
  while (rows.next())
    found.push_back(target.take());
  return found;
}

/// " AND …" of targets whose profile belongs to a tenant that may be seen; empty without a limit.
std::string only_profiles_of(const core::tenant_scope& tenants) {
  if (tenants.everything())
    return {};
  return " AND EXISTS (SELECT 1 FROM provider_profiles AS p JOIN tenants AS t ON t.id = p.tenant_id "
         "WHERE p.id = r.profile_id"
         + only_tenants_named(tenants, "t.name") + ")";
}

std::int64_t count_ambiguous(session& db, const core::tenant_scope& tenants) {
  std::int64_t count = 0;
  query row(db, "SELECT count(*) FROM notifications AS n JOIN tenants AS t ON t.id = n.tenant_id "
                "WHERE n.state = 'ambiguous' AND n.state IN ('ambiguous', 'rejected', 'failed', 'expired')"
                    + only_tenants_named(tenants, "t.name"));
  use_tenants(row, tenants);
  row.into(count).run();
  return count;
}

} // namespace

result<std::vector<core::reconciliation_question>> due_reconciliation_targets(session& db, std::int64_t limit,
                                                                              const crypto::key_ring& keys,
                                                                              core::timestamp now) {
  return in_snapshot(db, "Reading what is to be looked at", [&] {
    auto due = read_targets(db,
                            "r.next_look_at <= :now ORDER BY r.next_look_at, r.kind, r.subject_id "
                            "LIMIT :limit",
                            [&](query& rows) { rows.use("now", now).use("limit", limit); });
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

result<std::vector<core::reconciliation_item>>
list_reconciliation_targets(session& db, const core::reconciliation_page& page) {
  return guarded(db, "Listing what is not known", [&] {
    auto condition = "r.kind = :kind AND r.subject_id > :after" + only_profiles_of(page.tenants);
    if (page.for_people)
      condition += " AND r.needs_person <> 0";
    const auto found = read_targets(db, condition + " ORDER BY r.subject_id LIMIT :limit", [&](query& rows) {
      rows.use("kind", core::to_string(page.kind)).use("after", page.after_subject);
      rows.use("limit", page.limit);
      use_tenants(rows, page.tenants);
    });
    std::vector<core::reconciliation_item> listed;
    for (const auto& one : found)
      listed.push_back(one.item);
    return listed;
  });
}

result<core::unsettled_counts> count_unsettled(session& db, const core::tenant_scope& tenants) {
  return in_snapshot(db, "Counting what is not known", [&] {
    core::unsettled_counts counts;
    counts.ambiguous = count_ambiguous(db, tenants);
    std::string kind;
    core::unsettled_counts::of_kind one;
    query rows(db, "SELECT r.kind, count(*), sum(CASE WHEN r.needs_person <> 0 THEN 1 ELSE 0 END), "
                   "min(r.since) FROM reconciliation_targets AS r WHERE r.looks >= 0"
                       + only_profiles_of(tenants) + " GROUP BY r.kind");
    use_tenants(rows, tenants);
    rows.into(kind).into(one.targets).into(one.for_people).into(one.since);
    while (rows.next()) {
      const auto which = known(core::parse_reconciliation_target(kind), "reconciliation_targets.kind");
      counts.kinds[static_cast<std::size_t>(which)] = one;
    }
    counts.creates = count_unknown_creates(db, tenants);
    return counts;
  });
}

} // namespace sluice::storage
