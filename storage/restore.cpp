#include "storage/restore.hpp"

#include "storage/soci_session.hpp"

namespace sluice::storage {

result<void> note_restore(session& db, core::timestamp now) {
  return guarded(db, "Noting a restore", [&] {
    query(db, "INSERT INTO restores (id, restored_at) VALUES (1, :now) ON CONFLICT (id) DO NOTHING")
        .use("now", now)
        .run();
  });
}

result<bool> end_restore(session& db) {
  return guarded(db, "Ending a restore", [&] { return query(db, "DELETE FROM restores").run() > 0; });
}

result<std::optional<core::timestamp>> restored_at(session& db) {
  return guarded(db, "Looking for a restore", [&]() -> std::optional<core::timestamp> {
    core::timestamp at{};
    query row(db, "SELECT restored_at FROM restores");
    if (!row.into(at).next())
      return std::nullopt;
    return at;
  });
}

} // namespace sluice::storage
