#include "storage/delivery_rows.hpp"

#include "core/assertion.hpp"
#include "storage/array_text.hpp"
#include "storage/dialect.hpp"

#include <algorithm>

namespace sluice::storage {
namespace {

constexpr std::string_view sqlite_write =
    "UPDATE event_deliveries SET state = ?3, attempts = ?4, round_attempts = ?5, next_attempt_at = ?6, "
    "error_class = ?7, error = ?8, updated_at = ?9, row_version = row_version + 1 "
    "WHERE subscription_id = ?1 AND position = ?2 AND row_version = ?10";

/// Driven by the key alone, whatever the planner believes of the table: every row is there and locked, so
/// none is inserted.
constexpr std::string_view postgresql_write =
    "INSERT INTO event_deliveries AS d (subscription_id, position, state, attempts, round_attempts, "
    "next_attempt_at, error_class, error, created_at, updated_at, row_version) "
    "SELECT CAST(:subscription AS bigint), i.position, i.state, i.attempts, i.round_attempts, "
    "i.next_attempt_at, i.error_class, i.error, CAST(:now AS bigint), CAST(:now AS bigint), "
    "i.row_version FROM unnest(CAST(:positions AS bigint[]), CAST(:states AS text[]), "
    "CAST(:attempts AS bigint[]), CAST(:rounds AS bigint[]), CAST(:due AS bigint[]), "
    "CAST(:error_classes AS text[]), CAST(:errors AS text[]), "
    "CAST(:versions AS bigint[])) AS i (position, state, attempts, round_attempts, next_attempt_at, "
    "error_class, error, row_version) ON CONFLICT (subscription_id, position) DO UPDATE SET "
    "state = excluded.state, attempts = excluded.attempts, round_attempts = excluded.round_attempts, "
    "next_attempt_at = excluded.next_attempt_at, "
    "error_class = excluded.error_class, error = excluded.error, updated_at = excluded.updated_at, "
    "row_version = d.row_version + 1 WHERE d.row_version = excluded.row_version";

constexpr std::string_view sqlite_of_positions =
    " FROM event_deliveries AS d WHERE d.subscription_id = :subscription AND d.position IN "
    "(SELECT value FROM json_each(:positions)) ORDER BY d.position";

/// By the key, row after row: a plan made while the table seemed empty would read all of a subscription's
/// rows.
constexpr std::string_view postgresql_of_positions =
    " FROM unnest(CAST(:positions AS bigint[])) AS i (position) CROSS JOIN LATERAL (SELECT x.* "
    "FROM event_deliveries AS x WHERE x.subscription_id = :subscription AND x.position = i.position LIMIT 1 "
    "FOR UPDATE) AS d";

std::vector<delivery_row> all_of(query& rows, const open_claims& claims) {
  std::vector<delivery_row> found;
  delivery_row_target target;
  target.bind(rows);
  while (rows.next()) {
    found.push_back(target.take());
    claims.lay_on(found.back().progress, found.back().position);
  }
  return found;
}

std::int64_t write_sqlite(session& db, core::subscription_id subscription, std::span<const delivery_row> rows,
                          core::timestamp now) {
  direct_statement write(db, sqlite_write);
  write.bind(1, subscription.value).bind(9, now);
  std::int64_t written = 0;
  for (const auto& [position, key, progress, version] : rows) {
    write.bind(2, position.value).bind(3, core::to_string(progress.state)).bind(4, progress.attempts);
    write.bind(5, std::int64_t{progress.round_attempts}).bind(6, progress.due_at);
    write.bind(7, progress.error_class).bind(8, progress.error).bind(10, version);
    written += write.run();
  }
  return written;
}

std::int64_t write_postgresql(session& db, core::subscription_id subscription,
                              std::span<const delivery_row> rows, core::timestamp now) {
  array_text positions, states, attempts, rounds, due, error_classes, errors, versions;
  for (const auto& [position, key, progress, version] : rows) {
    positions.add(position.value);
    states.add(core::to_string(progress.state));
    attempts.add(progress.attempts);
    rounds.add(std::int64_t{progress.round_attempts});
    due.add(progress.due_at);
    error_classes.add(std::string_view(progress.error_class));
    errors.add(std::string_view(progress.error));
    versions.add(version);
  }
  query write(db, postgresql_write);
  write.use("subscription", subscription).use("now", now).use("positions", positions.take());
  write.use("states", states.take()).use("attempts", attempts.take()).use("rounds", rounds.take());
  write.use("due", due.take()).use("error_classes", error_classes.take());
  return write.use("errors", errors.take()).use("versions", versions.take()).run();
}

/// Takes :subscription or ?1, and the key as it is written.
std::string first_of_key(std::string_view subscription, std::string_view key) {
  return "(SELECT o.position FROM event_deliveries AS o WHERE o.subscription_id = "
         + std::string(subscription) + " AND o.ordering_key = " + std::string(key)
         + " AND o.state IN ('pending', 'retrying') ORDER BY o.position LIMIT 1)";
}

std::string array_of(const std::vector<std::string>& texts) {
  array_text array;
  for (const auto& text : texts)
    array.add(std::string_view(text));
  return array.take();
}

} // namespace

void delivery_row_target::bind(query& rows) {
  rows.into(row_.position).into(row_.ordering_key).into(state_).into(row_.progress.attempts);
  rows.into(row_.progress.round_attempts).into(row_.progress.due_at);
  rows.into(row_.progress.error_class).into(row_.progress.error).into(row_.row_version);
}

delivery_row delivery_row_target::take() {
  row_.progress.state = known(core::parse_delivery_state(state_), "event_deliveries.state");
  return row_;
}

std::string integer_list(engine kind, std::span<const std::int64_t> numbers) {
  if (kind == engine::postgresql) {
    array_text array;
    for (const auto number : numbers)
      array.add(number);
    return array.take();
  }
  std::string text = "[";
  for (const auto number : numbers)
    text.append(text.size() == 1 ? "" : ",").append(std::to_string(number));
  return text + "]";
}

std::string in_list(engine kind, std::string_view column, std::string_view parameter) {
  if (kind == engine::postgresql)
    return std::string(column) + " = ANY(CAST(:" + std::string(parameter) + " AS bigint[]))";
  return std::string(column) + " IN (" + dialect::json_values(kind, parameter, dialect::column_type::integer)
         + ")";
}

std::string not_in_list(engine kind, std::string_view column, std::string_view parameter) {
  if (kind == engine::postgresql)
    return std::string(column) + " NOT IN (SELECT unnest(CAST(:" + std::string(parameter) + " AS bigint[])))";
  return "NOT " + in_list(kind, column, parameter);
}

std::vector<delivery_row> read_rows(session& db, core::subscription_id subscription,
                                    const open_claims& claims, std::string_view condition,
                                    const std::function<void(query&)>& bind) {
  query rows(db, "SELECT " + std::string(delivery_row_columns)
                     + " FROM event_deliveries AS d WHERE d.subscription_id = :subscription"
                     + std::string(condition));
  rows.use("subscription", subscription);
  bind(rows);
  return all_of(rows, claims);
}

std::vector<delivery_row> read_for_update(session& db, core::subscription_id subscription,
                                          const open_claims& claims,
                                          std::span<const std::int64_t> positions) {
  std::vector<std::int64_t> sorted(positions.begin(), positions.end());
  std::ranges::sort(sorted);
  query rows(
      db, "SELECT " + std::string(delivery_row_columns)
              + std::string(db.kind() == engine::postgresql ? postgresql_of_positions : sqlite_of_positions));
  rows.use("subscription", subscription).use("positions", integer_list(db.kind(), sorted));
  return all_of(rows, claims);
}

void write_rows(session& db, core::subscription_id subscription, std::span<const delivery_row> rows,
                core::timestamp now) {
  if (rows.empty())
    return;
  for (const auto& row : rows)
    core::assert_that(!row.progress.claim, "the row of a claimed delivery stays as it is");
  const auto written = db.kind() == engine::sqlite ? write_sqlite(db, subscription, rows, now)
                                                   : write_postgresql(db, subscription, rows, now);
  if (written != std::ssize(rows))
    throw abandoned{{error::busy, "A delivery was changed by somebody else at this moment."}};
}

std::vector<std::int64_t> positions_of(std::span<const delivery_row> rows) {
  std::vector<std::int64_t> positions;
  for (const auto& row : rows)
    positions.push_back(row.position.value);
  return positions;
}

std::vector<std::string> keys_of(std::span<const delivery_row> rows) {
  std::vector<std::string> keys;
  for (const auto& row : rows)
    if (row.ordering_key)
      keys.push_back(*row.ordering_key);
  return keys;
}

void free_keys(session& db, core::subscription_id subscription, std::vector<std::string> keys,
               core::timestamp now) {
  std::ranges::sort(keys);
  keys.erase(std::ranges::unique(keys).begin(), keys.end());
  if (keys.empty())
    return;
  if (db.kind() == engine::postgresql) {
    static const auto text =
        "UPDATE event_deliveries AS d SET next_attempt_at = :now, row_version = d.row_version + 1 "
        "WHERE d.subscription_id = :subscription AND d.position = ANY(ARRAY(SELECT "
        + first_of_key(":subscription", "k.key")
        + " FROM unnest(CAST(:keys AS text[])) AS k (key))) AND d.next_attempt_at IS NULL";
    query(db, text).use("now", now).use("subscription", subscription).use("keys", array_of(keys)).run();
    return;
  }
  static const auto text = "UPDATE event_deliveries SET next_attempt_at = ?3, row_version = row_version + 1 "
                           "WHERE subscription_id = ?1 AND position = "
                           + first_of_key("?1", "?2") + " AND next_attempt_at IS NULL";
  direct_statement free(db, text);
  free.bind(1, subscription.value).bind(3, now);
  for (const auto& key : keys)
    free.bind(2, key).run();
}

std::vector<key_place> first_of_keys(session& db, core::subscription_id subscription,
                                     const std::vector<std::string>& keys) {
  std::vector<key_place> places;
  if (keys.empty())
    return places;
  if (db.kind() == engine::postgresql) {
    static const auto text = "SELECT k.key, " + first_of_key(":subscription", "k.key")
                             + " FROM unnest(CAST(:keys AS text[])) AS k (key)";
    key_place one;
    query rows(db, text);
    rows.use("subscription", subscription).use("keys", array_of(keys)).into(one.key).into(one.first);
    while (rows.next())
      places.push_back(one);
    return places;
  }
  static const auto text = "SELECT " + first_of_key("?1", "?2");
  direct_statement find(db, text);
  find.bind(1, subscription.value);
  for (const auto& key : keys) {
    find.bind(2, key);
    if (find.next())
      places.push_back({key, {find.number(0)}});
    find.reset();
  }
  return places;
}

} // namespace sluice::storage
