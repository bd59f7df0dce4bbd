#include "storage/node_state.hpp"

#include "core/request_window.hpp"
#include "storage/soci_session.hpp"

namespace sluice::storage {

result<void> save_window(session& db, core::connection_id connection, std::string_view text,
                         core::timestamp now) {
  return guarded(db, "Saving a request window", [&] {
    query(db, "INSERT INTO throttle_windows (connection_id, content, blocked_until, updated_at) "
              "VALUES (:connection, :content, :blocked_until, :now) ON CONFLICT (connection_id) DO UPDATE "
              "SET content = excluded.content, blocked_until = excluded.blocked_until, "
              "updated_at = excluded.updated_at")
        .use("connection", connection)
        .use("content", text)
        .use("blocked_until", core::request_window::block_of(text))
        .use("now", now)
        .run();
  });
}

result<std::optional<std::string>> load_window(session& db, core::connection_id connection) {
  return guarded(db, "Loading a request window", [&]() -> std::optional<std::string> {
    std::string content;
    query row(db, "SELECT content FROM throttle_windows WHERE connection_id = :connection");
    if (!row.use("connection", connection).into(content).next())
      return std::nullopt;
    return content;
  });
}

result<void> write_heartbeat(session& db, std::string_view name, core::timestamp now) {
  return guarded(db, "Writing a heartbeat", [&] {
    query(db, "INSERT INTO heartbeats (name, beat_at) VALUES (:name, :now) "
              "ON CONFLICT (name) DO UPDATE SET beat_at = excluded.beat_at")
        .use("name", name)
        .use("now", now)
        .run();
  });
}

result<std::optional<core::timestamp>> read_heartbeat(session& db, std::string_view name) {
  return guarded(db, "Reading a heartbeat", [&]() -> std::optional<core::timestamp> {
    core::timestamp beat_at{};
    query row(db, "SELECT beat_at FROM heartbeats WHERE name = :name");
    if (!row.use("name", name).into(beat_at).next())
      return std::nullopt;
    return beat_at;
  });
}

} // namespace sluice::storage
