#include "core/assertion.hpp"
#include "storage/array_text.hpp"
#include "storage/delivery_rows.hpp"
#include "storage/event_matching.hpp"
#include "storage/plans.hpp"
#include "storage/projection_rows.hpp"
#include "storage/provider_events.hpp"

#include <unordered_map>
#include <utility>

namespace sluice::storage {
namespace {

/// An event that nobody has looked at.
struct pending_event {
  event_naming naming;
  core::projected_event what;
  std::optional<core::suppression_reason> suppresses;
  core::timestamp told_at{}; ///< when it happened, else when it was told
};

using pending_events = std::vector<pending_event>;

struct pending_batch {
  pending_events events;
  std::vector<std::int64_t> pruned; ///< events that retention took at the moment they became pending again
};

constexpr std::string_view columns =
    "SELECT u.event_id, e.profile_id, e.provider_message_id, e.attempt_id, e.type, e.occurred_at, e.key, "
    "e.suppresses, coalesce(e.occurred_at, (SELECT r.received_at FROM provider_reports AS r "
    "WHERE r.id = e.report_id)) FROM ";

constexpr std::string_view from_sqlite =
    "pending_events AS u LEFT JOIN provider_events AS e ON e.id = u.event_id "
    "ORDER BY u.event_id LIMIT :limit";

/// Event after event by the key, whatever was believed of the ledger when the plan was made.
constexpr std::string_view from_postgresql =
    "(SELECT p.event_id FROM pending_events AS p ORDER BY p.event_id LIMIT :limit FOR UPDATE SKIP LOCKED) "
    "AS u LEFT JOIN LATERAL (SELECT x.* FROM provider_events AS x WHERE x.id = u.event_id LIMIT 1) AS e "
    "ON TRUE ORDER BY u.event_id";

pending_batch read_pending(session& db, std::int64_t limit) {
  pending_batch found;
  pending_event one;
  std::string type;
  std::optional<std::string> suppresses;
  query rows(db,
             std::string(columns) + std::string(db.kind() == engine::sqlite ? from_sqlite : from_postgresql));
  rows.use("limit", limit).into(one.naming.event).into(one.naming.profile);
  rows.into(one.naming.provider_message_id).into(one.naming.attempt_id).into(type);
  rows.into(one.what.occurred_at).into(one.what.key).into(suppresses).into(one.told_at);
  while (rows.next()) {
    if (one.what.key.empty()) {
      found.pruned.push_back(one.naming.event.value);
      continue;
    }
    one.what.type = known(core::parse_provider_event_type(type), "provider_events.type");
    one.suppresses.reset();
    if (suppresses)
      one.suppresses = known(core::parse_suppression_reason(*suppresses), "provider_events.suppresses");
    found.events.push_back(one);
  }
  return found;
}

std::vector<event_naming> names_of(const pending_events& events, const event_attempts& but) {
  std::vector<event_naming> names;
  for (const auto& one : events)
    if (!but.contains(one.naming.event.value))
      names.push_back(one.naming);
  return names;
}

/// What is not found at first is looked for once more when nobody is about to record it.
event_attempts attempts_of(session& db, const pending_events& events) {
  auto found = find_attempts(db, names_of(events, {}));
  if (found.size() == events.size() || db.kind() == engine::sqlite)
    return found;
  hold_recording_attempts(db);
  found.merge(find_attempts(db, names_of(events, found)));
  return found;
}

void write_matches(session& db, const event_attempts& matches) {
  if (matches.empty())
    return;
  if (db.kind() == engine::sqlite) {
    direct_statement write(db, "INSERT INTO matched_events (event_id, attempt_id) VALUES (?1, ?2) "
                               "ON CONFLICT DO NOTHING");
    for (const auto& [event, attempt] : matches)
      write.bind(1, event).bind(2, attempt.id.value).run();
    return;
  }
  array_text events, attempts;
  for (const auto& [event, attempt] : matches) {
    events.add(event);
    attempts.add(attempt.id.value);
  }
  query(db, "INSERT INTO matched_events (event_id, attempt_id) SELECT * FROM unnest("
            "CAST(:events AS bigint[]), CAST(:attempts AS bigint[])) ON CONFLICT DO NOTHING")
      .use("events", events.take())
      .use("attempts", attempts.take())
      .run();
}

void remove_rows(session& db, std::string_view text, const std::vector<std::int64_t>& ids) {
  if (ids.empty())
    return;
  if (db.kind() == engine::postgresql) {
    query(db, std::string(text) + "= ANY(CAST(:ids AS bigint[]))")
        .use("ids", integer_list(db.kind(), ids))
        .run();
    return;
  }
  direct_statement remove(db, std::string(text) + "= ?1");
  for (const auto id : ids)
    remove.bind(1, id).run();
}

/// They are pending no more, and what is matched is no target of reconciliation.
void settle_pending(session& db, const pending_batch& batch, const event_attempts& matches) {
  std::vector<std::int64_t> all = batch.pruned, matched;
  for (const auto& one : batch.events) {
    all.push_back(one.naming.event.value);
    if (matches.contains(all.back()))
      matched.push_back(all.back());
  }
  remove_rows(db, "DELETE FROM pending_events WHERE event_id ", all);
  remove_rows(db, "DELETE FROM reconciliation_targets WHERE kind = 'unmatched_event' AND subject_id ",
              matched);
}

/// What the events say of their attempts, one row an attempt, in the attempts' order.
void add_told(core::events_projected& answer, session& db, const pending_events& events,
              const event_attempts& matches, core::timestamp now) {
  folded_attempts folded;
  std::unordered_map<std::int64_t, event_attempt> attempts;
  for (const auto& one : events) {
    const auto match = matches.find(one.naming.event.value);
    if (match == matches.end())
      continue;
    const auto& attempt = match->second;
    attempts.emplace(attempt.id.value, attempt);
    folded[attempt.id].add(one.naming.event, one.what);
    if (one.suppresses)
      answer.suppressions.push_back(
          {attempt.id, attempt.notification, one.naming.event, *one.suppresses, one.told_at});
  }
  const auto moved = write_projections(db, folded, now);
  for (const auto& [id, of_it] : folded) {
    const auto& attempt = attempts.at(id.value);
    answer.attempts.push_back(
        {id, attempt.notification, attempt.number, of_it.told(), moved.contains(id.value)});
  }
}

core::events_projected project(session& db, std::int64_t limit, std::optional<core::timestamp> first_look,
                               core::timestamp now) {
  find_by_index(db);
  core::events_projected answer;
  const auto batch = read_pending(db, limit);
  const auto matches = attempts_of(db, batch.events);
  const auto unmatched = names_of(batch.events, matches);
  answer.looked_at = std::ssize(batch.events) + std::ssize(batch.pruned);
  answer.unmatched = std::ssize(unmatched);
  settle_pending(db, batch, matches);
  put_aside(db, unmatched, first_look, now);
  write_matches(db, matches);
  add_told(answer, db, batch.events, matches, now);
  return answer;
}

} // namespace

result<core::events_projected> project_events(session& db, std::int64_t limit,
                                              const core::reconciliation_schedule& schedule,
                                              core::timestamp now) {
  core::assert_that(limit > 0, "a batch of no events comes to no end");
  return guarded(db, "Projecting events",
                 [&] { return project(db, limit, schedule.next_look(now, std::nullopt), now); });
}

} // namespace sluice::storage
