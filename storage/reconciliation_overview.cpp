#include "storage/delivery_rows.hpp"
#include "storage/reconciliation_columns.hpp"
#include "storage/reconciliation_targets.hpp"
#include "storage/soci_session.hpp"
#include "storage/tenant_sql.hpp"
#include "storage/waiting_rows.hpp"

namespace sluice::storage {
namespace {

constexpr std::string_view named_columns =
    ", t.name, p.name, n.public_id, COALESCE(a.provider_message_id, u.provider_message_id) ";

constexpr std::string_view with_names =
    "FROM reconciliation_targets AS r LEFT JOIN notification_attempts AS a ON a.id = r.subject_id "
    "AND r.kind <> 'unmatched_event' LEFT JOIN notifications AS n ON n.id = a.notification_id "
    "LEFT JOIN unmatched_events AS u ON u.event_id = r.subject_id AND r.kind = 'unmatched_event' "
    "LEFT JOIN provider_profiles AS p ON p.id = r.profile_id LEFT JOIN tenants AS t ON t.id = p.tenant_id "
    "WHERE r.kind = :kind AND r.subject_id > :after";

constexpr std::string_view sqlite_last_attempts =
    "FROM json_each(:ids) AS i CROSS JOIN notifications AS n ON n.id = i.value "
    "CROSS JOIN notification_attempts AS a ON a.notification_id = n.id AND a.number = n.attempts ";

/// By the keys, row after row, whatever was believed of the tables when the plan was made.
constexpr std::string_view postgresql_last_attempts =
    "FROM unnest(CAST(:ids AS bigint[])) AS i (id) CROSS JOIN LATERAL (SELECT x.* FROM notifications AS x "
    "WHERE x.id = i.id LIMIT 1) AS n CROSS JOIN LATERAL (SELECT x.* FROM notification_attempts AS x "
    "WHERE x.notification_id = n.id AND x.number = n.attempts LIMIT 1) AS a ";

constexpr std::string_view with_standing =
    "LEFT JOIN attempt_projections AS q ON q.attempt_id = a.id LEFT JOIN reconciliation_targets AS r "
    "ON r.kind IN ('ambiguous_submission', 'overdue_callback') AND r.subject_id = a.id";

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

/// " FROM …" notifications `n` whose attempt is past its lease at :now. They are few: those that are leased
/// are looked through first, whatever else the rows are asked for.
std::string lapsed_attempts(const core::tenant_scope& tenants) {
  return " FROM notifications AS n CROSS JOIN tenants AS t LEFT JOIN provider_profiles AS p "
         "ON p.id = n.profile_id WHERE n.lease_until <= :now AND t.id = n.tenant_id"
         + only_tenants_named(tenants, "t.name");
}

core::unsettled_counts::of_kind count_lapsed(session& db, const core::tenant_scope& tenants,
                                             core::timestamp now) {
  core::unsettled_counts::of_kind lapsed;
  query row(db, "SELECT count(*), min(n.lease_until)" + lapsed_attempts(tenants));
  row.use("now", now);
  use_tenants(row, tenants);
  row.into(lapsed.targets).into(lapsed.since).run();
  return lapsed;
}

void count_kinds(session& db, const core::tenant_scope& tenants, core::unsettled_counts& counts) {
  std::string kind;
  core::unsettled_counts::of_kind one;
  query rows(db, "SELECT r.kind, count(*), sum(CASE WHEN r.needs_person <> 0 THEN 1 ELSE 0 END), "
                 "min(r.since), min(r.next_look_at) FROM reconciliation_targets AS r WHERE r.looks >= 0"
                     + only_profiles_of(tenants) + " GROUP BY r.kind");
  use_tenants(rows, tenants);
  rows.into(kind).into(one.targets).into(one.for_people).into(one.since).into(one.next_look);
  while (rows.next()) {
    const auto which = known(core::parse_reconciliation_target(kind), "reconciliation_targets.kind");
    counts.kinds[static_cast<std::size_t>(which)] = one;
  }
}

} // namespace

result<std::vector<core::named_reconciliation_item>>
list_reconciliation_targets(session& db, const core::reconciliation_page& page) {
  return guarded(db, "Listing what is not known", [&] {
    query rows(db, "SELECT " + std::string(reconciliation_columns) + std::string(named_columns)
                       + std::string(with_names) + only_profiles_of(page.tenants)
                       + (page.for_people ? " AND r.needs_person <> 0" : "")
                       + " ORDER BY r.subject_id LIMIT :limit");
    rows.use("kind", core::to_string(page.kind)).use("after", page.after_subject).use("limit", page.limit);
    use_tenants(rows, page.tenants);
    core::named_reconciliation_item one;
    reconciliation_columns_target columns(one.item);
    columns.bind(rows);
    rows.into(one.tenant).into(one.profile_name).into(one.notification);
    rows.into(one.provider_message_id);
    std::vector<core::named_reconciliation_item> listed;
    while (rows.next()) {
      columns.take();
      listed.push_back(one);
    }
    return listed;
  });
}

result<std::vector<core::lapsed_attempt>> list_lapsed_attempts(session& db, const core::lapsed_page& page) {
  return guarded(db, "Listing attempts past their lease", [&] {
    query rows(db, "SELECT n.id, t.name, p.name, n.public_id, n.attempts, n.lease_until"
                       + lapsed_attempts(page.tenants)
                       + " AND n.id + 0 > :after ORDER BY n.id + 0 LIMIT :limit");
    rows.use("now", page.now).use("after", page.after).use("limit", page.limit);
    use_tenants(rows, page.tenants);
    core::lapsed_attempt one;
    rows.into(one.id).into(one.tenant).into(one.profile_name).into(one.notification).into(one.number);
    rows.into(one.since);
    std::vector<core::lapsed_attempt> listed;
    while (rows.next())
      listed.push_back(one);
    return listed;
  });
}

result<core::unsettled_counts> count_unsettled(session& db, const core::tenant_scope& tenants,
                                               core::timestamp now) {
  return in_snapshot(db, "Counting what is not known", [&] {
    core::unsettled_counts counts;
    counts.ambiguous = count_ambiguous(db, tenants);
    count_kinds(db, tenants, counts);
    counts.lapsed = count_lapsed(db, tenants, now);
    counts.creates = count_unknown_creates(db, tenants);
    return counts;
  });
}

result<std::vector<core::notification_standing>>
read_notification_standings(session& db, std::span<const core::notification_id> notifications) {
  return guarded(db, "Reading what became of notifications", [&] {
    std::vector<core::notification_standing> found;
    if (notifications.empty())
      return found;
    std::vector<std::int64_t> ids;
    for (const auto id : notifications)
      ids.push_back(id.value);
    query rows(
        db, "SELECT " + std::string(reconciliation_columns) + ", n.id, q.state, q.at "
                + std::string(db.kind() == engine::sqlite ? sqlite_last_attempts : postgresql_last_attempts)
                + std::string(with_standing));
    rows.use("ids", integer_list(db.kind(), ids));
    core::notification_standing one;
    core::reconciliation_item sought;
    std::optional<std::string> told;
    reconciliation_columns_target columns(sought);
    columns.bind(rows);
    rows.into(one.notification).into(told).into(one.told_at);
    while (rows.next()) {
      one.sought = columns.take() ? std::optional(sought) : std::nullopt;
      one.told.reset();
      if (told)
        one.told = known(core::parse_provider_event_type(*told), "attempt_projections.state");
      found.push_back(one);
    }
    return found;
  });
}

} // namespace sluice::storage
