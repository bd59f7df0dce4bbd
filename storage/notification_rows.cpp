#include "storage/notification_rows.hpp"

#include "storage/array_text.hpp"
#include "storage/delivery_rows.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace sluice::storage {
namespace {

using nlohmann::json;

constexpr std::string_view columns =
    "SELECT n.id, n.public_id, n.contact_point_id, n.route, n.expires_at, n.state, n.place, n.attempts, "
    "n.place_attempts, n.next_attempt_at, n.lease_until, n.error_class, n.error, n.row_version FROM ";

constexpr std::string_view sqlite_write =
    "UPDATE notifications SET state = ?2, place = ?3, profile_id = ?4, attempts = ?5, place_attempts = ?6, "
    "next_attempt_at = ?7, lease_until = ?8, error_class = ?9, error = ?10, updated_at = ?11, "
    "row_version = row_version + 1 WHERE id = ?1 AND row_version = ?12";

/// Driven by the key alone, whatever the planner believes of the table: every row is there and locked, so
/// none is inserted, and what is given for the columns that stay is seen by nobody.
constexpr std::string_view postgresql_write =
    "INSERT INTO notifications AS n (id, public_id, tenant_id, contact_point_id, route, content, state, "
    "place, profile_id, attempts, place_attempts, next_attempt_at, lease_until, error_class, error, "
    "created_at, updated_at, row_version) SELECT i.id, '', 0, 0, '', '', i.state, i.place, i.profile_id, "
    "i.attempts, i.place_attempts, i.next_attempt_at, i.lease_until, i.error_class, i.error, "
    "CAST(:now AS bigint), CAST(:now AS bigint), i.row_version FROM unnest(CAST(:ids AS bigint[]), "
    "CAST(:states AS text[]), CAST(:places AS bigint[]), CAST(:profiles AS bigint[]), "
    "CAST(:attempts AS bigint[]), CAST(:place_attempts AS bigint[]), CAST(:due AS bigint[]), "
    "CAST(:leases AS bigint[]), CAST(:error_classes AS text[]), CAST(:errors AS text[]), "
    "CAST(:versions AS bigint[])) AS i (id, state, place, profile_id, attempts, place_attempts, "
    "next_attempt_at, lease_until, error_class, error, row_version) ON CONFLICT (id) DO UPDATE SET "
    "state = excluded.state, place = excluded.place, profile_id = excluded.profile_id, "
    "attempts = excluded.attempts, place_attempts = excluded.place_attempts, "
    "next_attempt_at = excluded.next_attempt_at, lease_until = excluded.lease_until, "
    "error_class = excluded.error_class, error = excluded.error, updated_at = excluded.updated_at, "
    "row_version = n.row_version + 1 WHERE n.row_version = excluded.row_version";

constexpr std::string_view sqlite_of_ids =
    "notifications AS n WHERE n.id IN (SELECT value FROM json_each(:ids)) ORDER BY n.id";

/// By the key, row after row, in the order given.
constexpr std::string_view postgresql_of_ids =
    "unnest(CAST(:ids AS bigint[])) AS i (id) CROSS JOIN LATERAL (SELECT x.* FROM notifications AS x "
    "WHERE x.id = i.id LIMIT 1 FOR UPDATE) AS n";

class row_target {
public:
  void bind(query& rows) {
    auto& progress = row_.progress;
    rows.into(row_.id).into(row_.public_id).into(row_.contact).into(route_).into(row_.terms.expires_at);
    rows.into(state_).into(progress.place).into(progress.attempts).into(progress.place_attempts);
    rows.into(progress.due_at).into(lease_until_).into(progress.error_class).into(progress.error);
    rows.into(row_.row_version);
  }

  notification_row take() {
    auto& progress = row_.progress;
    row_.route = route_of(route_);
    row_.terms.route_length = static_cast<std::int32_t>(row_.route.size());
    progress.state = known(core::parse_notification_state(state_), "notifications.state");
    progress.claim.reset();
    if (lease_until_)
      progress.claim = core::attempt_claim{progress.attempts, *lease_until_};
    if (progress.place < 0 || progress.place >= row_.terms.route_length)
      throw abandoned{{error::corrupt, "A notification's place is not in its route."}};
    return row_;
  }

private:
  notification_row row_;
  std::string route_;
  std::string state_;
  std::optional<core::timestamp> lease_until_;
};

std::vector<notification_row> all_of(query& rows) {
  std::vector<notification_row> found;
  row_target target;
  target.bind(rows);
  while (rows.next())
    found.push_back(target.take());
  return found;
}

std::optional<core::timestamp> lease_of(const core::notification_progress& progress) {
  return progress.claim ? std::optional(progress.claim->lease_until) : std::nullopt;
}

std::int64_t write_sqlite(session& db, std::span<const notification_row> rows, core::timestamp now) {
  direct_statement write(db, sqlite_write);
  write.bind(11, now);
  std::int64_t written = 0;
  for (const auto& row : rows) {
    const auto& progress = row.progress;
    write.bind(1, row.id.value).bind(2, core::to_string(progress.state));
    write.bind(3, std::int64_t{progress.place}).bind(4, row.profile().value).bind(5, progress.attempts);
    write.bind(6, std::int64_t{progress.place_attempts}).bind(7, progress.due_at);
    write.bind(8, lease_of(progress)).bind(9, progress.error_class).bind(10, progress.error);
    written += write.bind(12, row.row_version).run();
  }
  return written;
}

std::int64_t write_postgresql(session& db, std::span<const notification_row> rows, core::timestamp now) {
  array_text ids, states, places, profiles, attempts, place_attempts, due, leases, error_classes, errors,
      versions;
  for (const auto& row : rows) {
    const auto& progress = row.progress;
    ids.add(row.id.value);
    states.add(core::to_string(progress.state));
    places.add(std::int64_t{progress.place});
    profiles.add(row.profile().value);
    attempts.add(progress.attempts);
    place_attempts.add(std::int64_t{progress.place_attempts});
    due.add(progress.due_at);
    leases.add(lease_of(progress));
    error_classes.add(std::string_view(progress.error_class));
    errors.add(std::string_view(progress.error));
    versions.add(row.row_version);
  }
  query write(db, postgresql_write);
  write.use("now", now).use("ids", ids.take()).use("states", states.take()).use("places", places.take());
  write.use("profiles", profiles.take()).use("attempts", attempts.take());
  write.use("place_attempts", place_attempts.take()).use("due", due.take()).use("leases", leases.take());
  write.use("error_classes", error_classes.take()).use("errors", errors.take());
  return write.use("versions", versions.take()).run();
}

} // namespace

std::string route_text(const std::vector<std::int64_t>& profiles) {
  return json(profiles).dump();
}

std::vector<std::int64_t> route_of(const std::string& text) {
  const auto read = json::parse(text, nullptr, false);
  const auto is_number = [](const json& one) { return one.is_number_integer(); };
  if (!read.is_array() || read.empty() || !std::ranges::all_of(read, is_number))
    throw abandoned{
        {error::corrupt, "The database holds a value that is not allowed in notifications.route."}};
  return read.get<std::vector<std::int64_t>>();
}

std::string_view skip_locked(engine kind) {
  return kind == engine::postgresql ? " FOR UPDATE SKIP LOCKED" : "";
}

std::vector<notification_row> lock_notifications(session& db, std::string_view condition,
                                                 const std::function<void(query&)>& bind) {
  query rows(db, std::string(columns) + "notifications AS n WHERE " + std::string(condition));
  bind(rows);
  return all_of(rows);
}

std::vector<notification_row> lock_notifications(session& db, std::vector<core::notification_id> ids) {
  std::ranges::sort(ids);
  ids.erase(std::ranges::unique(ids).begin(), ids.end());
  std::vector<std::int64_t> numbers;
  for (const auto id : ids)
    numbers.push_back(id.value);
  if (numbers.empty())
    return {};
  const bool sqlite = db.kind() == engine::sqlite;
  query rows(db, std::string(columns) + std::string(sqlite ? sqlite_of_ids : postgresql_of_ids));
  rows.use("ids", integer_list(db.kind(), numbers));
  return all_of(rows);
}

notification_row lock_notification(session& db, core::notification_id id) {
  auto found = lock_notifications(db, {id});
  if (found.empty())
    throw abandoned{{error::not_found, "The notification does not exist."}};
  return std::move(found.front());
}

void write_notifications(session& db, std::span<const notification_row> rows, core::timestamp now) {
  if (rows.empty())
    return;
  const auto written =
      db.kind() == engine::sqlite ? write_sqlite(db, rows, now) : write_postgresql(db, rows, now);
  if (written != std::ssize(rows))
    throw abandoned{{error::busy, "A notification was changed by somebody else at this moment."}};
}

} // namespace sluice::storage
