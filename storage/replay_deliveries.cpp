#include "storage/replay_deliveries.hpp"

#include "storage/dialect.hpp"

#include <algorithm>
#include <string>

namespace sluice::storage {
namespace {

/// " AND …" of the deliveries `d` that are in these states.
std::string in_states(const core::replay_choice& which) {
  std::string words;
  for (const auto state : which.states.list())
    words.append(words.empty() ? "'" : ", '").append(core::to_string(state)).append("'");
  return " AND d.state IN (" + words + ")";
}

/// Of the events `e`.
constexpr std::string_view in_window = "e.occurred_at >= :from AND e.occurred_at < :to";

void use_window(query& rows, const core::replay_choice& which) {
  rows.use("from", which.from).use("to", which.to);
}

/// The position of the last of the next `limit` deliveries, whatever they are; where there are fewer, the
/// replay's end.
core::event_position reach_of(session& db, const core::replay_job& job, std::int64_t limit) {
  std::int64_t seen = 0;
  core::event_position reached{};
  query rows(db, "SELECT count(*), max(position) FROM (SELECT position FROM event_deliveries "
                 "WHERE subscription_id = :subscription AND position > :after AND position <= :last "
                 "ORDER BY position LIMIT :limit) AS looked_at");
  rows.use("subscription", job.subscription).use("after", job.position).use("last", job.last);
  rows.use("limit", limit).into(seen).into(reached).run();
  return seen < limit ? job.last : reached;
}

/// What was written or claimed after the replay began is none of its business: it is under way, or somebody
/// else has restarted it.
std::vector<delivery_row> rows_between(session& db, const open_claims& claims, const core::replay_job& job,
                                       core::event_position after, core::event_position reached) {
  auto rows = read_rows(
      db, job.subscription, claims,
      " AND d.position > :after AND d.position <= :reached AND d.updated_at <= :started"
          + in_states(job.which)
          + " AND EXISTS (SELECT 1 FROM change_events AS e WHERE e.position = d.position AND "
          + std::string(in_window) + ") ORDER BY d.position" + std::string(dialect::for_update(db.kind())),
      [&](query& from) {
        from.use("after", after).use("reached", reached).use("started", job.started_at);
        use_window(from, job.which);
      });
  std::erase_if(rows, [&](const delivery_row& row) {
    const auto claim = claims.find(row.position);
    return claim && claim->claimed_at > job.started_at;
  });
  return rows;
}

} // namespace

core::event_position replay_floor(core::subscription_mode mode, core::event_position cursor) {
  return mode == core::subscription_mode::pull ? cursor : core::event_position{};
}

replay_count count_deliveries(session& db, core::subscription_id subscription, core::event_position floor,
                              const core::replay_choice& which) {
  replay_count found;
  query rows(db, "SELECT count(*), min(d.position), max(d.position) FROM event_deliveries AS d "
                 "JOIN change_events AS e ON e.position = d.position "
                 "WHERE d.subscription_id = :subscription AND d.position > :floor AND "
                     + std::string(in_window) + in_states(which));
  rows.use("subscription", subscription).use("floor", floor);
  use_window(rows, which);
  rows.into(found.deliveries).into(found.first).into(found.last).run();
  return found;
}

std::int64_t restart_deliveries(session& db, core::replay_job& job, const locked_subscription& of,
                                std::int64_t limit, core::timestamp now) {
  const auto after = std::max(job.position, replay_floor(of.mode, of.cursor));
  job.position = reach_of(db, job, limit);
  open_claims claims(db, of.id);
  auto rows = rows_between(db, claims, job, after, job.position);
  for (auto& row : rows)
    restart_row(row, core::operator_request::window_replay, of, now);
  write_decided(db, of.id, claims, rows, now);
  free_keys(db, of.id, keys_of(rows), now); // an attempt on its way is its delivery's no more
  return std::ssize(rows);
}

} // namespace sluice::storage
