#include "storage/event_matching.hpp"

#include "core/error_text.hpp"
#include "storage/array_text.hpp"
#include "storage/delivery_rows.hpp"
#include "storage/provider_events.hpp"

namespace sluice::storage {
namespace {

/// A lock of the table's own: held in common by those who record attempts, alone by who puts events aside.
void lock_matching(session& db, bool alone) {
  if (db.kind() == engine::sqlite)
    return;
  query(db, std::string("SELECT pg_advisory_xact_lock") + (alone ? "" : "_shared")
                + "(CAST(CAST('unmatched_events' AS regclass) AS bigint))")
      .run();
}

event_attempts find_sqlite(session& db, std::span<const event_naming> events) {
  direct_statement own(db, "SELECT id, notification_id, number FROM notification_attempts "
                           "WHERE public_id = ?1 AND profile_id = ?2");
  direct_statement by_message(db, "SELECT id, notification_id, number FROM notification_attempts "
                                  "WHERE profile_id = ?2 AND provider_message_id = ?1 "
                                  "AND provider_message_id <> '' ORDER BY id DESC LIMIT 1");
  event_attempts found;
  const auto look = [&](direct_statement& in, const std::string& name, const event_naming& one) {
    in.bind(1, name).bind(2, one.profile.value);
    const bool there = in.next();
    if (there)
      found[one.event.value] = {{in.number(0)}, {in.number(1)}, in.number(2)};
    in.reset();
    return there;
  };
  for (const auto& one : events)
    if (one.attempt_id.empty() || !look(own, one.attempt_id, one))
      look(by_message, one.provider_message_id, one);
  return found;
}

/// By the indexes, event after event, whatever was believed of the tables when the plan was made.
constexpr std::string_view postgresql_find =
    "SELECT i.event_id, coalesce(o.id, m.id), coalesce(o.notification_id, m.notification_id), "
    "coalesce(o.number, m.number) FROM unnest(CAST(:events AS bigint[]), CAST(:profiles AS bigint[]), "
    "CAST(:attempts AS text[]), CAST(:messages AS text[])) AS i (event_id, profile_id, attempt_id, message) "
    "LEFT JOIN LATERAL (SELECT x.id, x.notification_id, x.number FROM notification_attempts AS x "
    "WHERE x.public_id = i.attempt_id AND x.profile_id = i.profile_id LIMIT 1) AS o ON TRUE "
    "LEFT JOIN LATERAL (SELECT x.id, x.notification_id, x.number FROM notification_attempts AS x "
    "WHERE o.id IS NULL AND x.profile_id = i.profile_id AND x.provider_message_id = i.message "
    "AND x.provider_message_id <> '' ORDER BY x.id DESC LIMIT 1) AS m ON TRUE";

event_attempts find_postgresql(session& db, std::span<const event_naming> events) {
  array_text ids, profiles, attempts, messages;
  for (const auto& one : events) {
    ids.add(one.event.value);
    profiles.add(one.profile.value);
    attempts.add(std::string_view(one.attempt_id));
    messages.add(std::string_view(one.provider_message_id));
  }
  event_attempts found;
  std::int64_t event = 0;
  event_attempt attempt;
  query rows(db, postgresql_find);
  rows.use("events", ids.take()).use("profiles", profiles.take()).use("attempts", attempts.take());
  rows.use("messages", messages.take());
  rows.into(event).into(attempt.id).into(attempt.notification).into(attempt.number);
  while (rows.next())
    if (attempt.id)
      found[event] = attempt;
  return found;
}

void put_aside_sqlite(session& db, std::span<const event_naming> events,
                      std::optional<core::timestamp> first_look, core::timestamp now) {
  direct_statement write(db, "INSERT INTO unmatched_events (event_id, profile_id, provider_message_id, "
                             "attempt_id, since) VALUES (?1, ?2, ?3, ?4, ?5)");
  direct_statement target(db, "INSERT INTO reconciliation_targets (kind, subject_id, profile_id, since, "
                              "next_look_at) VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT DO NOTHING");
  const auto kind = core::to_string(core::reconciliation_target::unmatched_event);
  write.bind(5, now);
  target.bind(1, kind).bind(4, now).bind(5, first_look);
  for (const auto& one : events) {
    write.bind(1, one.event.value).bind(2, one.profile.value).bind(3, one.provider_message_id);
    write.bind(4, one.attempt_id).run();
    target.bind(2, one.event.value).bind(3, one.profile.value).run();
  }
}

void put_aside_postgresql(session& db, std::span<const event_naming> events,
                          std::optional<core::timestamp> first_look, core::timestamp now) {
  array_text ids, profiles, messages, attempts;
  for (const auto& one : events) {
    ids.add(one.event.value);
    profiles.add(one.profile.value);
    messages.add(std::string_view(one.provider_message_id));
    attempts.add(std::string_view(one.attempt_id));
  }
  const auto events_text = ids.take();
  const auto profiles_text = profiles.take();
  query write(db, "INSERT INTO unmatched_events (event_id, profile_id, provider_message_id, attempt_id, "
                  "since) SELECT i.event_id, i.profile_id, i.message, i.attempt, CAST(:now AS bigint) "
                  "FROM unnest(CAST(:events AS bigint[]), CAST(:profiles AS bigint[]), "
                  "CAST(:messages AS text[]), CAST(:attempts AS text[])) "
                  "AS i (event_id, profile_id, message, attempt)");
  write.use("now", now).use("events", events_text).use("profiles", profiles_text);
  write.use("messages", messages.take()).use("attempts", attempts.take()).run();
  query target(db, "INSERT INTO reconciliation_targets (kind, subject_id, profile_id, since, next_look_at) "
                   "SELECT CAST(:kind AS text), i.event_id, i.profile_id, CAST(:now AS bigint), "
                   "CAST(:look AS bigint) FROM unnest(CAST(:events AS bigint[]), "
                   "CAST(:profiles AS bigint[])) AS i (event_id, profile_id) ON CONFLICT DO NOTHING");
  target.use("kind", core::to_string(core::reconciliation_target::unmatched_event)).use("now", now);
  target.use("look", first_look).use("events", events_text).use("profiles", profiles_text).run();
}

using event_ids = std::vector<std::int64_t>;

constexpr std::string_view sqlite_by_message =
    "SELECT event_id FROM unmatched_events WHERE profile_id = ?1 AND provider_message_id = ?2 "
    "AND provider_message_id <> '' UNION SELECT event_id FROM unmatched_events WHERE profile_id = ?1 "
    "AND attempt_id = ?3 AND attempt_id <> ''";

event_ids unmatched_sqlite(session& db, std::span<const core::named_attempt> attempts) {
  event_ids found;
  direct_statement rows(db, sqlite_by_message);
  for (const auto& one : attempts) {
    const auto message = core::error_text(one.provider_message_id, core::provider_text_bytes_max);
    rows.bind(1, one.profile.value).bind(2, message).bind(3, one.public_id);
    while (rows.next())
      found.push_back(rows.number(0));
    rows.reset();
  }
  return found;
}

event_ids unmatched_postgresql(session& db, std::span<const core::named_attempt> attempts) {
  array_text profiles, messages, names;
  for (const auto& one : attempts) {
    profiles.add(one.profile.value);
    messages.add(std::string_view(core::error_text(one.provider_message_id, core::provider_text_bytes_max)));
    names.add(std::string_view(one.public_id));
  }
  event_ids found;
  std::int64_t id = 0;
  query rows(db, "SELECT u.event_id FROM unnest(CAST(:profiles AS bigint[]), CAST(:messages AS text[]), "
                 "CAST(:names AS text[])) AS i (profile_id, message, name) CROSS JOIN LATERAL ("
                 "(SELECT x.event_id FROM unmatched_events AS x WHERE x.profile_id = i.profile_id "
                 "AND x.provider_message_id = i.message AND x.provider_message_id <> '' OFFSET 0) "
                 "UNION ALL (SELECT x.event_id FROM unmatched_events AS x WHERE x.attempt_id = i.name "
                 "AND x.attempt_id <> '' AND x.profile_id = i.profile_id OFFSET 0)) AS u");
  rows.use("profiles", profiles.take()).use("messages", messages.take()).use("names", names.take()).into(id);
  while (rows.next())
    found.push_back(id);
  return found;
}

/// From the unmatched to the pending; one that is there no more, or is named twice, counts once at most.
std::int64_t make_pending(session& db, const event_ids& ids) {
  if (ids.empty())
    return 0;
  event_ids gone;
  std::int64_t id = 0;
  query remove(db, "DELETE FROM unmatched_events WHERE " + in_list(db.kind(), "event_id", "ids")
                       + " RETURNING event_id");
  remove.use("ids", integer_list(db.kind(), ids)).into(id);
  while (remove.next())
    gone.push_back(id);
  const auto list = integer_list(db.kind(), gone);
  const std::string_view from = db.kind() == engine::postgresql
                                    ? "unnest(CAST(:ids AS bigint[])) AS i (value)"
                                    : "json_each(:ids) AS i WHERE TRUE";
  query(db, "INSERT INTO pending_events (event_id) SELECT i.value FROM " + std::string(from)
                + " ON CONFLICT DO NOTHING")
      .use("ids", list)
      .run();
  return std::ssize(gone);
}

} // namespace

event_attempts find_attempts(session& db, std::span<const event_naming> events) {
  if (events.empty())
    return {};
  return db.kind() == engine::sqlite ? find_sqlite(db, events) : find_postgresql(db, events);
}

void hold_recording_attempts(session& db) {
  lock_matching(db, true);
}

void hold_putting_aside(session& db) {
  lock_matching(db, false);
}

void put_aside(session& db, std::span<const event_naming> events, std::optional<core::timestamp> first_look,
               core::timestamp now) {
  if (events.empty())
    return;
  if (db.kind() == engine::sqlite)
    put_aside_sqlite(db, events, first_look, now);
  else
    put_aside_postgresql(db, events, first_look, now);
}

result<std::int64_t> match_early_events(session& db, std::span<const core::named_attempt> attempts) {
  return guarded(db, "Looking for events that came early", [&]() -> std::int64_t {
    if (attempts.empty())
      return 0;
    hold_putting_aside(db);
    return make_pending(db, db.kind() == engine::sqlite ? unmatched_sqlite(db, attempts)
                                                        : unmatched_postgresql(db, attempts));
  });
}

result<std::int64_t> look_again(session& db, std::span<const core::provider_event_id> events) {
  return guarded(db, "Looking at unmatched events again", [&] {
    event_ids ids;
    for (const auto id : events)
      ids.push_back(id.value);
    return make_pending(db, ids);
  });
}

} // namespace sluice::storage
