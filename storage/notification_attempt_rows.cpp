#include "storage/notification_attempt_rows.hpp"

#include "storage/array_text.hpp"
#include "storage/delivery_rows.hpp"

namespace sluice::storage {
namespace {

constexpr std::string_view columns =
    "SELECT a.notification_id, a.number, a.id, a.public_id, a.profile_id, a.state, a.submitted_at, "
    "a.ended_at, a.provider_message_id, a.cause, a.error_class, a.error FROM ";

/// By the key, row after row, whatever was believed of the table when the plan was made.
constexpr std::string_view postgresql_of_keys =
    "unnest(CAST(:notifications AS bigint[]), CAST(:numbers AS bigint[])) AS i (notification_id, number) "
    "CROSS JOIN LATERAL (SELECT x.* FROM notification_attempts AS x WHERE "
    "x.notification_id = i.notification_id AND x.number = i.number LIMIT 1) AS a";

constexpr std::string_view sqlite_of_key =
    "notification_attempts AS a WHERE a.notification_id = :notification AND a.number = :number";

constexpr std::string_view insert_columns =
    "INSERT INTO notification_attempts (public_id, notification_id, number, profile_id, state, "
    "submitted_at) ";

constexpr std::string_view sqlite_write =
    "UPDATE notification_attempts SET state = ?2, ended_at = ?3, provider_message_id = ?4, cause = ?5, "
    "error_class = ?6, error = ?7 WHERE id = ?1";

/// Driven by the key alone; every row is there and its notification locked, so none is inserted.
constexpr std::string_view postgresql_write =
    "INSERT INTO notification_attempts AS a (id, public_id, notification_id, number, profile_id, state, "
    "submitted_at, ended_at, provider_message_id, cause, error_class, error) SELECT i.id, '', 0, 0, 0, "
    "i.state, 0, i.ended_at, i.message, i.cause, i.error_class, i.error FROM unnest("
    "CAST(:ids AS bigint[]), CAST(:states AS text[]), CAST(:ended AS bigint[]), CAST(:messages AS text[]), "
    "CAST(:causes AS text[]), CAST(:error_classes AS text[]), CAST(:errors AS text[])) AS i (id, state, "
    "ended_at, message, cause, error_class, error) ON CONFLICT (id) DO UPDATE SET state = excluded.state, "
    "ended_at = excluded.ended_at, provider_message_id = excluded.provider_message_id, "
    "cause = excluded.cause, error_class = excluded.error_class, error = excluded.error";

class attempt_target {
public:
  void bind(query& rows) {
    rows.into(row_.key.notification).into(row_.key.number).into(row_.id).into(row_.public_id);
    rows.into(row_.profile).into(state_).into(row_.submitted_at).into(row_.ended_at);
    rows.into(row_.provider_message_id).into(cause_).into(row_.error_class).into(row_.error);
  }

  attempt_row take() {
    row_.state = known(core::parse_notification_attempt_state(state_), "notification_attempts.state");
    row_.cause.reset();
    if (cause_)
      row_.cause = known(core::parse_rejection_cause(*cause_), "notification_attempts.cause");
    return row_;
  }

private:
  attempt_row row_;
  std::string state_;
  std::optional<std::string> cause_;
};

void take_all(query& rows, attempt_rows& found) {
  attempt_target target;
  target.bind(rows);
  while (rows.next()) {
    auto row = target.take();
    found.emplace(row.key, std::move(row));
  }
}

/// Both columns of keys, as PostgreSQL's arrays.
void use_keys(query& rows, std::span<const attempt_key> keys) {
  array_text notifications, numbers;
  for (const auto& key : keys) {
    notifications.add(key.notification.value);
    numbers.add(key.number);
  }
  rows.use("notifications", notifications.take()).use("numbers", numbers.take());
}

std::optional<std::string_view> cause_of(const attempt_row& row) {
  return row.cause ? std::optional(core::to_string(*row.cause)) : std::nullopt;
}

void insert_postgresql(session& db, std::span<const attempt_row> rows) {
  array_text names, notifications, numbers, profiles, states, submitted;
  for (const auto& row : rows) {
    names.add(std::string_view(row.public_id));
    notifications.add(row.key.notification.value);
    numbers.add(row.key.number);
    profiles.add(row.profile.value);
    states.add(core::to_string(row.state));
    submitted.add(row.submitted_at);
  }
  query insert(db, std::string(insert_columns)
                       + "SELECT * FROM unnest(CAST(:names AS text[]), CAST(:notifications AS bigint[]), "
                         "CAST(:numbers AS bigint[]), CAST(:profiles AS bigint[]), CAST(:states AS text[]), "
                         "CAST(:submitted AS bigint[]))");
  insert.use("names", names.take()).use("notifications", notifications.take());
  insert.use("numbers", numbers.take()).use("profiles", profiles.take()).use("states", states.take());
  insert.use("submitted", submitted.take()).run();
}

void insert_sqlite(session& db, std::span<const attempt_row> rows) {
  direct_statement insert(db, std::string(insert_columns) + "VALUES (?1, ?2, ?3, ?4, ?5, ?6)");
  for (const auto& row : rows) {
    insert.bind(1, row.public_id).bind(2, row.key.notification.value).bind(3, row.key.number);
    insert.bind(4, row.profile.value).bind(5, core::to_string(row.state)).bind(6, row.submitted_at);
    insert.run();
  }
}

void write_postgresql(session& db, std::span<const attempt_row> rows) {
  array_text ids, states, ended, messages, causes, error_classes, errors;
  for (const auto& row : rows) {
    ids.add(row.id.value);
    states.add(core::to_string(row.state));
    ended.add(row.ended_at);
    messages.add(std::string_view(row.provider_message_id));
    causes.add(cause_of(row));
    error_classes.add(std::string_view(row.error_class));
    errors.add(std::string_view(row.error));
  }
  query write(db, postgresql_write);
  write.use("ids", ids.take()).use("states", states.take()).use("ended", ended.take());
  write.use("messages", messages.take()).use("causes", causes.take());
  write.use("error_classes", error_classes.take()).use("errors", errors.take()).run();
}

void write_sqlite(session& db, std::span<const attempt_row> rows) {
  direct_statement write(db, sqlite_write);
  for (const auto& row : rows) {
    write.bind(1, row.id.value).bind(2, core::to_string(row.state)).bind(3, row.ended_at);
    write.bind(4, row.provider_message_id).bind(5, cause_of(row)).bind(6, row.error_class);
    write.bind(7, row.error).run();
  }
}

/// The list that is bound as `ids`, each as `i.value`.
std::string listed_ids(session& db) {
  return db.kind() == engine::postgresql ? "unnest(CAST(:ids AS bigint[])) AS i (value)"
                                         : "json_each(:ids) AS i";
}

} // namespace

attempt_rows read_attempts(session& db, std::span<const attempt_key> keys) {
  attempt_rows found;
  if (keys.empty())
    return found;
  if (db.kind() == engine::postgresql) {
    query rows(db, std::string(columns) + std::string(postgresql_of_keys));
    use_keys(rows, keys);
    take_all(rows, found);
    return found;
  }
  for (const auto& key : keys) {
    query row(db, std::string(columns) + std::string(sqlite_of_key));
    row.use("notification", key.notification).use("number", key.number);
    take_all(row, found);
  }
  return found;
}

std::optional<attempt_row> read_attempt(session& db, core::notification_attempt_id id) {
  attempt_rows found;
  query row(db, std::string(columns) + "notification_attempts AS a WHERE a.id = :id");
  row.use("id", id);
  take_all(row, found);
  return found.empty() ? std::nullopt : std::optional(std::move(found.begin()->second));
}

void insert_attempts(session& db, std::span<const attempt_row> rows) {
  if (rows.empty())
    return;
  if (db.kind() == engine::postgresql)
    insert_postgresql(db, rows);
  else
    insert_sqlite(db, rows);
}

void write_attempts(session& db, std::span<const attempt_row> rows) {
  if (rows.empty())
    return;
  if (db.kind() == engine::postgresql)
    write_postgresql(db, rows);
  else
    write_sqlite(db, rows);
}

void delete_attempts(session& db, std::span<const attempt_key> keys) {
  if (keys.empty())
    return;
  std::vector<std::int64_t> ids;
  for (const auto& [key, row] : read_attempts(db, keys))
    ids.push_back(row.id.value);
  query(db, "DELETE FROM notification_attempts WHERE " + in_list(db.kind(), "id", "ids"))
      .use("ids", integer_list(db.kind(), ids))
      .run();
}

std::vector<std::int64_t> attempts_told_of(session& db, std::span<const std::int64_t> attempts) {
  std::vector<std::int64_t> found;
  if (attempts.empty())
    return found;
  std::int64_t id = 0;
  query rows(db, "SELECT i.value FROM " + listed_ids(db)
                     + " WHERE (SELECT 1 FROM matched_events AS m WHERE m.attempt_id = i.value "
                       "ORDER BY m.event_id LIMIT 1) = 1");
  rows.use("ids", integer_list(db.kind(), attempts)).into(id);
  while (rows.next())
    found.push_back(id);
  return found;
}

std::map<std::int64_t, std::string> messages_told_of(session& db, std::span<const std::int64_t> attempts) {
  std::map<std::int64_t, std::string> found;
  if (attempts.empty())
    return found;
  std::int64_t id = 0;
  std::optional<std::string> message;
  query rows(db, "SELECT i.value, (SELECT e.provider_message_id FROM matched_events AS m "
                 "JOIN provider_events AS e ON e.id = m.event_id WHERE m.attempt_id = i.value "
                 "AND e.provider_message_id <> '' ORDER BY m.event_id LIMIT 1) FROM "
                     + listed_ids(db));
  rows.use("ids", integer_list(db.kind(), attempts)).into(id).into(message);
  while (rows.next())
    if (message)
      found.emplace(id, *message);
  return found;
}

} // namespace sluice::storage
