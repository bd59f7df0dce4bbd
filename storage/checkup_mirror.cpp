#include "core/mirror_fault.hpp"
#include "storage/checkup.hpp"
#include "storage/record_columns.hpp"
#include "storage/soci_session.hpp"

#include <map>
#include <tuple>

namespace sluice::storage {
namespace {

constexpr std::int64_t batch = 1000;

using place = std::tuple<std::string, std::string, core::mirror_fault>; ///< source, domain

/// What is wrong with the records behind `after`; it moves to the last one read. False: there were none.
bool read_some(session& db, core::record_id& after, core::timestamp now,
               std::map<place, counted_records>& found) {
  query rows(db, "SELECT " + std::string(mirror_columns)
                     + ", c.name, m.domain FROM mirror_records AS m JOIN connections AS c ON c.id = "
                       "m.source_connection_id WHERE m.id > :after ORDER BY m.id LIMIT :batch");
  mirror_target target;
  std::string source;
  std::string domain;
  rows.use("after", after).use("batch", batch);
  target.bind(rows);
  rows.into(source).into(domain);
  bool any = false;
  while (rows.next()) {
    any = true;
    const auto record = target.take();
    after = record.id;
    for (const auto fault : core::faults_of(record, now))
      found[{source, domain, fault}].add(record.source_id);
  }
  return any;
}

} // namespace

result<std::vector<mirror_faults>> read_mirror_faults(session& db, core::timestamp now) {
  return guarded(db, "Reading the mirror", [&] {
    std::map<place, counted_records> found;
    core::record_id after{};
    while (read_some(db, after, now, found)) {
    }
    std::vector<mirror_faults> all;
    for (auto& [where, records] : found) {
      const auto& [source, domain, what] = where;
      all.push_back({source, domain, what, std::move(records)});
    }
    return all;
  });
}

result<std::vector<unread_domain>> read_unread_domains(session& db) {
  return guarded(db, "Looking for domains that no rule reads", [&] {
    std::vector<unread_domain> found;
    unread_domain one;
    query rows(db,
               "SELECT DISTINCT c.name, m.domain FROM mirror_records AS m JOIN connections AS c ON c.id = "
               "m.source_connection_id WHERE NOT EXISTS (SELECT 1 FROM sync_rules AS r WHERE "
               "r.source_connection_id = m.source_connection_id AND r.domain = m.domain "
               "AND r.deleted_at IS NULL) ORDER BY c.name, m.domain");
    rows.into(one.source).into(one.domain);
    while (rows.next())
      found.push_back(one);
    return found;
  });
}

result<counted_records> read_removed_records(session& db, const core::sync_rule& rule) {
  return guarded(db, "Looking for records that were removed from the mirror", [&] {
    counted_records removed;
    std::string source_id;
    query rows(db, "SELECT r.source_id FROM outbound_deliveries AS r WHERE r.rule_id = :rule AND r.remote_id "
                   "<> '' AND r.deleted_at IS NULL AND NOT EXISTS (SELECT 1 FROM mirror_records AS m WHERE "
                   "m.source_connection_id = :source AND m.domain = :domain AND m.source_id = r.source_id) "
                   "ORDER BY r.source_id");
    rows.use("rule", rule.id).use("source", rule.source).use("domain", rule.domain);
    rows.into(source_id);
    while (rows.next())
      removed.add(source_id);
    return removed;
  });
}

} // namespace sluice::storage
