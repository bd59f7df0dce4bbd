#include "storage/projection_rows.hpp"

#include "storage/array_text.hpp"

#include <utility>

namespace sluice::storage {
namespace {

/// What has no time comes last.
constexpr std::string_view where_it_outranks =
    " ON CONFLICT (attempt_id) DO UPDATE SET state = excluded.state, rank = excluded.rank, at = excluded.at, "
    "event_key = excluded.event_key, event_id = excluded.event_id, updated_at = excluded.updated_at "
    "WHERE excluded.rank > p.rank OR (excluded.rank = p.rank "
    "AND (coalesce(excluded.at, 9223372036854775807), excluded.event_key) "
    "< (coalesce(p.at, 9223372036854775807), p.event_key))";

constexpr std::string_view columns =
    "INSERT INTO attempt_projections AS p (attempt_id, state, rank, at, event_key, event_id, updated_at) ";

std::unordered_set<std::int64_t> write_sqlite(session& db, const folded_attempts& attempts,
                                              core::timestamp now) {
  static const auto text =
      std::string(columns) + "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)" + std::string(where_it_outranks);
  std::unordered_set<std::int64_t> moved;
  direct_statement write(db, text);
  write.bind(7, now);
  for (const auto& [attempt, folded] : attempts) {
    const auto& told = folded.told();
    if (!told.state)
      continue;
    write.bind(1, attempt.value).bind(2, core::to_string(*told.state)).bind(3, std::int64_t{told.rank});
    write.bind(4, told.at).bind(5, told.event).bind(6, folded.event().value);
    if (write.run() == 1)
      moved.insert(attempt.value);
  }
  return moved;
}

std::unordered_set<std::int64_t> write_postgresql(session& db, const folded_attempts& attempts,
                                                  core::timestamp now) {
  static const auto text = std::string(columns)
                           + "SELECT i.attempt_id, i.state, i.rank, i.at, i.event_key, i.event_id, "
                             "CAST(:now AS bigint) FROM unnest(CAST(:attempts AS bigint[]), "
                             "CAST(:states AS text[]), CAST(:ranks AS bigint[]), CAST(:times AS bigint[]), "
                             "CAST(:keys AS text[]), CAST(:events AS bigint[])) "
                             "AS i (attempt_id, state, rank, at, event_key, event_id)"
                           + std::string(where_it_outranks) + " RETURNING attempt_id";
  array_text ids, states, ranks, times, keys, events;
  for (const auto& [attempt, folded] : attempts) {
    const auto& told = folded.told();
    if (!told.state)
      continue;
    ids.add(attempt.value);
    states.add(core::to_string(*told.state));
    ranks.add(std::int64_t{told.rank});
    times.add(told.at);
    keys.add(std::string_view(told.event));
    events.add(folded.event().value);
  }
  std::unordered_set<std::int64_t> moved;
  std::int64_t attempt = 0;
  query write(db, text);
  write.use("now", now).use("attempts", ids.take()).use("states", states.take());
  write.use("ranks", ranks.take()).use("times", times.take()).use("keys", keys.take());
  write.use("events", events.take()).into(attempt);
  while (write.next())
    moved.insert(attempt);
  return moved;
}

} // namespace

void folded_events::add(core::provider_event_id id, core::projected_event event) {
  if (!core::outranks(event, told_))
    return;
  told_ = core::project(told_, event);
  event_ = id;
}

std::unordered_set<std::int64_t> write_projections(session& db, const folded_attempts& attempts,
                                                   core::timestamp now) {
  if (attempts.empty())
    return {};
  return db.kind() == engine::sqlite ? write_sqlite(db, attempts, now) : write_postgresql(db, attempts, now);
}

} // namespace sluice::storage
