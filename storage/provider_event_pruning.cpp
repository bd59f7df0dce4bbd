#include "core/assertion.hpp"
#include "storage/array_text.hpp"
#include "storage/delivery_rows.hpp"
#include "storage/dialect.hpp"
#include "storage/provider_events.hpp"
#include "storage/soci_session.hpp"

#include <algorithm>
#include <unordered_set>

namespace sluice::storage {
namespace {

using ids = std::vector<std::int64_t>;

/// The oldest, as long as the sum of their rows fits; one at least.
ids old_reports(session& db, core::timestamp until, std::int64_t limit) {
  ids found;
  std::int64_t id = 0, events = 0, rows_so_far = 0;
  core::timestamp received_at{};
  query rows(db, "SELECT id, received_at, events FROM provider_reports ORDER BY id LIMIT :limit"
                     + std::string(dialect::for_update(db.kind())));
  rows.use("limit", limit).into(id).into(received_at).into(events);
  while (rows.next()) {
    rows_so_far += 1 + events;
    if (received_at >= until || (!found.empty() && rows_so_far > limit))
      break;
    found.push_back(id);
  }
  return found;
}

/// What goes: a report with an event that nobody has looked at stays, with all of it.
struct going_rows {
  ids reports;
  ids events;
  std::vector<std::string> keys; ///< of those events that are no duplicates
};

struct old_event {
  std::int64_t report = 0;
  std::int64_t id = 0;
  std::optional<std::int64_t> duplicate_of;
  std::string key;
  bool pending = false;
};

constexpr std::string_view sqlite_of_reports =
    "provider_events AS e WHERE e.report_id IN (SELECT value FROM json_each(:reports))";

/// Report after report by the index, whatever was believed of the ledger when the plan was made.
constexpr std::string_view postgresql_of_reports =
    "unnest(CAST(:reports AS bigint[])) AS i (report_id) CROSS JOIN LATERAL (SELECT x.* "
    "FROM provider_events AS x WHERE x.report_id = i.report_id OFFSET 0) AS e";

std::vector<old_event> events_of(session& db, const ids& reports) {
  std::vector<old_event> found;
  old_event one;
  query rows(db, "SELECT e.report_id, e.id, e.duplicate_of, e.key, (SELECT 1 FROM pending_events AS p "
                 "WHERE p.event_id = e.id) FROM "
                     + std::string(db.kind() == engine::sqlite ? sqlite_of_reports : postgresql_of_reports));
  rows.use("reports", integer_list(db.kind(), reports)).into(one.report).into(one.id);
  rows.into(one.duplicate_of).into(one.key).into(one.pending);
  while (rows.next())
    found.push_back(one);
  return found;
}

going_rows rows_of(session& db, const ids& reports) {
  const auto events = reports.empty() ? std::vector<old_event>{} : events_of(db, reports);
  std::unordered_set<std::int64_t> waited_for;
  for (const auto& one : events)
    if (one.pending)
      waited_for.insert(one.report);
  going_rows going;
  for (const auto report : reports)
    if (!waited_for.contains(report))
      going.reports.push_back(report);
  for (const auto& one : events) {
    if (waited_for.contains(one.report))
      continue;
    going.events.push_back(one.id);
    if (!one.duplicate_of)
      going.keys.push_back(one.key);
  }
  return going;
}

/// Between the first and the last of them as well: so much of an index is read, whatever was believed of the
/// table when the plan was made.
void remove(session& db, std::string_view table, std::string_view column, const ids& rows) {
  const auto [first, last] = std::ranges::minmax(rows);
  const std::string name(column);
  query(db, "DELETE FROM " + std::string(table) + " WHERE " + name + " >= :first AND " + name
                + " <= :last AND " + in_list(db.kind(), column, "ids"))
      .use("first", first)
      .use("last", last)
      .use("ids", integer_list(db.kind(), rows))
      .run();
}

void remove_targets(session& db, const ids& events) {
  query(db, "DELETE FROM reconciliation_targets WHERE kind = 'unmatched_event' AND "
                + in_list(db.kind(), "subject_id", "ids"))
      .use("ids", integer_list(db.kind(), events))
      .run();
}

void remove_keys(session& db, const std::vector<std::string>& keys) {
  if (db.kind() == engine::sqlite) {
    direct_statement remove_one(db, "DELETE FROM provider_event_keys WHERE key = ?1");
    for (const auto& key : keys)
      remove_one.bind(1, key).run();
    return;
  }
  array_text list;
  for (const auto& key : keys)
    list.add(std::string_view(key));
  query(db, "DELETE FROM provider_event_keys WHERE key = ANY(CAST(:keys AS text[]))")
      .use("keys", list.take())
      .run();
}

/// What they projected stays, and stands from now on by itself.
void remove_matches(session& db, const ids& events) {
  ids attempts, gone;
  std::int64_t attempt = 0, event = 0;
  query rows(db, "DELETE FROM matched_events WHERE " + in_list(db.kind(), "event_id", "ids")
                     + " RETURNING attempt_id, event_id");
  rows.use("ids", integer_list(db.kind(), events)).into(attempt).into(event);
  while (rows.next()) {
    attempts.push_back(attempt);
    gone.push_back(event);
  }
  if (db.kind() == engine::sqlite) {
    direct_statement free(db, "UPDATE attempt_projections SET event_id = NULL WHERE attempt_id = ?1 "
                              "AND event_id = ?2");
    for (std::size_t at = 0; at < gone.size(); ++at)
      free.bind(1, attempts[at]).bind(2, gone[at]).run();
    return;
  }
  query(db, "UPDATE attempt_projections SET event_id = NULL WHERE attempt_id = ANY(CAST(:attempts AS "
            "bigint[])) AND event_id = ANY(CAST(:events AS bigint[]))")
      .use("attempts", integer_list(db.kind(), attempts))
      .use("events", integer_list(db.kind(), gone))
      .run();
}

void remove_events(session& db, const going_rows& going) {
  if (going.events.empty())
    return;
  remove_matches(db, going.events);
  remove(db, "unmatched_events", "event_id", going.events);
  remove_targets(db, going.events);
  remove_keys(db, going.keys);
  remove(db, "provider_events", "id", going.events);
}

} // namespace

result<std::int64_t> prune_reports(session& db, core::timestamp until, std::int64_t limit) {
  core::assert_that(limit > 0, "a batch of no rows comes to no end");
  return guarded(db, "Pruning what providers told", [&]() -> std::int64_t {
    const auto reports = old_reports(db, until, limit);
    const auto going = rows_of(db, reports);
    if (going.reports.empty())
      return 0;
    remove_events(db, going);
    remove(db, "provider_reports", "id", going.reports);
    return std::ssize(going.reports) + std::ssize(going.events);
  });
}

} // namespace sluice::storage
