#include "storage/audit.hpp"

#include "storage/soci_session.hpp"
#include "storage/tenant_changes.hpp"
#include "storage/tenant_sql.hpp"

#include <limits>

namespace sluice::storage {
namespace {

std::optional<std::int64_t> tenant_id(session& db, const std::string& name) {
  if (name.empty())
    return std::nullopt;
  return tenant_named(db, name).id;
}

std::string condition_of(const core::audit_page& page) {
  std::string text = " WHERE a.id < :before" + only_tenants_named(page.tenants, "t.name");
  if (!page.act.empty())
    text += " AND a.act = :act";
  if (!page.subject.empty())
    text += " AND a.subject = :subject";
  if (page.from)
    text += " AND a.at >= :from";
  if (page.until)
    text += " AND a.at < :until";
  return text;
}

void use_condition(query& rows, const core::audit_page& page) {
  rows.use("before", page.before_id > 0 ? page.before_id : std::numeric_limits<std::int64_t>::max());
  use_tenants(rows, page.tenants);
  if (!page.act.empty())
    rows.use("act", page.act);
  if (!page.subject.empty())
    rows.use("subject", page.subject);
  if (page.from)
    rows.use("from", *page.from);
  if (page.until)
    rows.use("until", *page.until);
}

} // namespace

result<void> add_audit(session& db, const core::audit_entry& entry) {
  return guarded(db, "Writing down what somebody did", [&] {
    query insert(db, "INSERT INTO audit_log (at, done_by, act, subject, tenant_id, details, concerned) "
                     "VALUES (:at, :by, :act, :subject, :tenant, :details, :count)");
    insert.use("at", entry.at).use("by", entry.by).use("act", entry.act).use("subject", entry.subject);
    insert.use("tenant", tenant_id(db, entry.tenant)).use("details", entry.details);
    insert.use("count", entry.count).run();
  });
}

result<std::vector<core::audit_entry>> list_audit(session& db, const core::audit_page& page) {
  return guarded(db, "Listing what was done", [&] {
    std::vector<core::audit_entry> listed;
    core::audit_entry one;
    query rows(db, "SELECT a.id, a.at, a.done_by, a.act, a.subject, t.name, a.details, a.concerned "
                   "FROM audit_log AS a LEFT JOIN tenants AS t ON t.id = a.tenant_id"
                       + condition_of(page) + " ORDER BY a.id DESC LIMIT :limit");
    use_condition(rows, page);
    rows.use("limit", page.limit);
    rows.into(one.id).into(one.at).into(one.by).into(one.act).into(one.subject).into(one.tenant);
    rows.into(one.details).into(one.count);
    while (rows.next())
      listed.push_back(one);
    return listed;
  });
}

result<std::int64_t> prune_audit(session& db, core::timestamp until, std::int64_t limit) {
  return guarded(db, "Pruning the audit", [&] {
    return query(db, "DELETE FROM audit_log WHERE id IN (SELECT id FROM audit_log WHERE at < :until "
                     "ORDER BY at, id LIMIT :limit)")
        .use("until", until)
        .use("limit", limit)
        .run();
  });
}

} // namespace sluice::storage
