#include "storage/cursor.hpp"
#include "storage/soci_session.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace sluice::storage {
namespace {

struct marker {
  std::int64_t source = 0;
  std::string domain;
  core::timestamp least{};
};

std::vector<marker> read_markers(session& db) {
  std::vector<marker> found;
  marker one;
  query rows(db, "SELECT source_connection_id, domain, least_changed_at FROM change_markers");
  rows.into(one.source).into(one.domain).into(one.least);
  while (rows.next())
    found.push_back(one);
  return found;
}

std::vector<touched_rule> consume_sqlite(session& db) {
  std::vector<touched_rule> touched;
  touched_rule one;
  for (const auto& mark : read_markers(db)) {
    query raise(db, "UPDATE delivery_cursors SET change_counter = change_counter + 1, "
                    "rescan_from = min(coalesce(rescan_from, :least), :least) "
                    "WHERE rule_id IN (SELECT id FROM sync_rules WHERE source_connection_id = :source "
                    "AND domain = :domain) RETURNING rule_id, change_counter");
    raise.use("least", mark.least).use("source", mark.source).use("domain", mark.domain);
    raise.into(one.rule).into(one.change_counter);
    while (raise.next())
      touched.push_back(one);
  }
  query(db, "DELETE FROM change_markers").run();
  return touched;
}

/// One statement, so that exactly the markers it sees are the ones it deletes: those of transactions that
/// commit meanwhile stay for the next time.
std::vector<touched_rule> consume_postgresql(session& db) {
  std::vector<touched_rule> touched;
  touched_rule one;
  query raise(db, "WITH gone AS (DELETE FROM change_markers RETURNING source_connection_id, domain, "
                  "least_changed_at), "
                  "marks AS (SELECT source_connection_id, domain, min(least_changed_at) AS least FROM gone "
                  "GROUP BY source_connection_id, domain) "
                  "UPDATE delivery_cursors AS c SET change_counter = c.change_counter + 1, "
                  "rescan_from = least(c.rescan_from, m.least) "
                  "FROM sync_rules AS r, marks AS m WHERE c.rule_id = r.id "
                  "AND r.source_connection_id = m.source_connection_id AND r.domain = m.domain "
                  "RETURNING c.rule_id, c.change_counter");
  raise.into(one.rule).into(one.change_counter);
  while (raise.next())
    touched.push_back(one);
  return touched;
}

} // namespace

result<std::vector<touched_rule>> consume_markers(session& db) {
  return guarded(db, "Consuming change markers", [&] {
    auto touched = db.kind() == engine::sqlite ? consume_sqlite(db) : consume_postgresql(db);
    std::ranges::sort(touched, {}, &touched_rule::rule);
    return touched;
  });
}

result<bool> has_markers(session& db) {
  return guarded(db, "Looking for change markers", [&] {
    std::int64_t one = 0;
    query rows(db, "SELECT 1 FROM change_markers LIMIT 1");
    return rows.into(one).run(), one == 1;
  });
}

} // namespace sluice::storage
