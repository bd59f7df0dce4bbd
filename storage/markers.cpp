#include "storage/cursor.hpp"
#include "storage/soci_session.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace sluice::storage {
namespace {

struct marker {
  std::int64_t source = 0;
  std::string domain;
  core::timestamp least{};
};

/// Which markers: all, or those of one rule's source and domain.
class marker_choice {
public:
  explicit marker_choice(std::optional<core::rule_id> of) : of_(of) {}

  [[nodiscard]] std::string condition() const {
    return of_ ? " WHERE (source_connection_id, domain) IN "
                 "(SELECT source_connection_id, domain FROM sync_rules WHERE id = :of)"
               : "";
  }
  void bind(query& statement) const {
    if (of_)
      statement.use("of", *of_);
  }

private:
  std::optional<core::rule_id> of_;
};

std::vector<marker> read_markers(session& db, const marker_choice& which) {
  std::vector<marker> found;
  marker one;
  query rows(db,
             "SELECT source_connection_id, domain, least_changed_at FROM change_markers" + which.condition());
  which.bind(rows);
  rows.into(one.source).into(one.domain).into(one.least);
  while (rows.next())
    found.push_back(one);
  return found;
}

std::vector<touched_rule> consume_sqlite(session& db, const marker_choice& which) {
  std::vector<touched_rule> touched;
  touched_rule one;
  for (const auto& mark : read_markers(db, which)) {
    query raise(db, "UPDATE delivery_cursors SET change_counter = change_counter + 1, "
                    "rescan_from = min(coalesce(rescan_from, :least), :least) "
                    "WHERE rule_id IN (SELECT id FROM sync_rules WHERE source_connection_id = :source "
                    "AND domain = :domain) RETURNING rule_id, change_counter");
    raise.use("least", mark.least).use("source", mark.source).use("domain", mark.domain);
    raise.into(one.rule).into(one.change_counter);
    while (raise.next())
      touched.push_back(one);
  }
  query gone(db, "DELETE FROM change_markers" + which.condition());
  which.bind(gone);
  gone.run();
  return touched;
}

/// One statement, so that exactly the markers it sees are the ones it deletes: those of transactions that
/// commit meanwhile stay for the next time.
std::vector<touched_rule> consume_postgresql(session& db, const marker_choice& which) {
  std::vector<touched_rule> touched;
  touched_rule one;
  query raise(db,
              "WITH gone AS (DELETE FROM change_markers" + which.condition()
                  + " RETURNING source_connection_id, domain, least_changed_at), "
                    "marks AS (SELECT source_connection_id, domain, min(least_changed_at) AS least FROM gone "
                    "GROUP BY source_connection_id, domain) "
                    "UPDATE delivery_cursors AS c SET change_counter = c.change_counter + 1, "
                    "rescan_from = least(c.rescan_from, m.least) "
                    "FROM sync_rules AS r, marks AS m WHERE c.rule_id = r.id "
                    "AND r.source_connection_id = m.source_connection_id AND r.domain = m.domain "
                    "RETURNING c.rule_id, c.change_counter");
  which.bind(raise);
  raise.into(one.rule).into(one.change_counter);
  while (raise.next())
    touched.push_back(one);
  return touched;
}

std::vector<touched_rule> consume(session& db, const marker_choice& which) {
  return db.kind() == engine::sqlite ? consume_sqlite(db, which) : consume_postgresql(db, which);
}

} // namespace

result<std::vector<touched_rule>> consume_markers(session& db) {
  return guarded(db, "Consuming change markers", [&] {
    auto touched = consume(db, marker_choice{std::nullopt});
    std::ranges::sort(touched, {}, &touched_rule::rule);
    return touched;
  });
}

/// Looks first: most rules that begin find none, and PostgreSQL, which knows nothing yet of the rows an apply
/// has just written, would read all of them for each rule.
result<void> consume_markers_before(session& db, core::rule_id activated) {
  return guarded(db, "Consuming a new rule's change markers", [&] {
    const marker_choice of_rule{activated};
    if (!read_markers(db, of_rule).empty())
      static_cast<void>(consume(db, of_rule));
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
