#include "core/assertion.hpp"
#include "storage/plans.hpp"
#include "storage/projection_rows.hpp"
#include "storage/provider_events.hpp"
#include "storage/soci_session.hpp"

#include <algorithm>
#include <limits>

namespace sluice::storage {
namespace {

struct attempt_range {
  std::int64_t after = 0;
  std::int64_t upto = 0; ///< inclusive
};

void use_range(query& rows, const attempt_range& range) {
  rows.use("after", range.after).use("upto", range.upto);
}

/// The attempt of the table's row that ends a batch; nothing where fewer rows are left.
std::optional<std::int64_t> end_of_batch(session& db, std::string_view table, std::int64_t after,
                                         std::int64_t limit) {
  std::optional<std::int64_t> attempt;
  query(db, "SELECT attempt_id FROM " + std::string(table)
                + " WHERE attempt_id > :after ORDER BY attempt_id LIMIT 1 OFFSET :skipped")
      .use("after", after)
      .use("skipped", limit - 1)
      .into(attempt)
      .run();
  return attempt;
}

/// An attempt's events stay together.
attempt_range next_range(session& db, std::int64_t after, std::int64_t limit) {
  constexpr auto last = std::numeric_limits<std::int64_t>::max();
  const auto by_events = end_of_batch(db, "matched_events", after, limit).value_or(last);
  const auto by_rows = end_of_batch(db, "attempt_projections", after, limit).value_or(last);
  return {after, std::min(by_events, by_rows)};
}

constexpr std::string_view kept_sqlite =
    "SELECT m.attempt_id, m.event_id, e.type, e.occurred_at, e.key FROM matched_events AS m "
    "CROSS JOIN provider_events AS e ON e.id = m.event_id "
    "WHERE m.attempt_id > :after AND m.attempt_id <= :upto";

/// Event after event by the key, whatever was believed of the ledger when the plan was made.
constexpr std::string_view kept_postgresql =
    "SELECT m.attempt_id, m.event_id, e.type, e.occurred_at, e.key FROM matched_events AS m "
    "CROSS JOIN LATERAL (SELECT x.type, x.occurred_at, x.key FROM provider_events AS x "
    "WHERE x.id = m.event_id LIMIT 1) AS e WHERE m.attempt_id > :after AND m.attempt_id <= :upto";

folded_attempts fold_kept(session& db, const attempt_range& range, std::int64_t& events) {
  folded_attempts folded;
  core::notification_attempt_id attempt{};
  core::provider_event_id event{};
  core::projected_event what;
  std::string type;
  query rows(db, db.kind() == engine::sqlite ? kept_sqlite : kept_postgresql);
  use_range(rows, range);
  rows.into(attempt).into(event).into(type).into(what.occurred_at).into(what.key);
  while (rows.next()) {
    what.type = known(core::parse_provider_event_type(type), "provider_events.type");
    folded[attempt].add(event, what);
    ++events;
  }
  return folded;
}

} // namespace

/// The order matters where others project meanwhile: what the delete waited for is committed when the events
/// are read, and what is not yet is written over what is written here, or the other way round.
result<core::projections_rebuilt> rebuild_projections(session& db, core::notification_attempt_id after,
                                                      std::int64_t limit, core::timestamp now) {
  core::assert_that(limit > 0, "a batch of no events comes to no end");
  return guarded(db, "Rebuilding projections", [&] {
    find_by_index(db);
    core::projections_rebuilt answer;
    const auto range = next_range(db, after.value, limit);
    query clear(db, "DELETE FROM attempt_projections WHERE attempt_id > :after AND attempt_id <= :upto "
                    "AND event_id IS NOT NULL");
    use_range(clear, range);
    clear.run();
    const auto folded = fold_kept(db, range, answer.events);
    static_cast<void>(write_projections(db, folded, now));
    answer.attempts =
        std::ranges::count_if(folded, [](const auto& one) { return one.second.told().state.has_value(); });
    answer.upto = {range.upto};
    answer.through = range.upto == std::numeric_limits<std::int64_t>::max();
    return answer;
  });
}

} // namespace sluice::storage
