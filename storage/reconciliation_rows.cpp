#include "storage/reconciliation_rows.hpp"

#include "storage/array_text.hpp"

namespace sluice::storage {

std::int64_t add_targets(session& db, core::reconciliation_target kind,
                         std::span<const attempt_target_row> attempts,
                         std::optional<core::timestamp> first_look, core::timestamp now) {
  if (attempts.empty())
    return 0;
  constexpr std::string_view columns =
      "INSERT INTO reconciliation_targets (kind, subject_id, profile_id, since, next_look_at) ";
  if (db.kind() == engine::sqlite) {
    direct_statement add(db, std::string(columns) + "VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT DO NOTHING");
    add.bind(1, core::to_string(kind)).bind(4, now).bind(5, first_look);
    std::int64_t added = 0;
    for (const auto& one : attempts)
      added += add.bind(2, one.attempt.value).bind(3, one.profile.value).run();
    return added;
  }
  array_text subjects, profiles;
  for (const auto& one : attempts) {
    subjects.add(one.attempt.value);
    profiles.add(one.profile.value);
  }
  query add(db, std::string(columns)
                    + "SELECT CAST(:kind AS text), i.subject_id, i.profile_id, CAST(:now AS bigint), "
                      "CAST(:look AS bigint) FROM unnest(CAST(:subjects AS bigint[]), "
                      "CAST(:profiles AS bigint[])) AS i (subject_id, profile_id) ON CONFLICT DO NOTHING");
  add.use("kind", core::to_string(kind)).use("now", now).use("look", first_look);
  return add.use("subjects", subjects.take()).use("profiles", profiles.take()).run();
}

void remove_targets(session& db, core::reconciliation_target kind, std::span<const std::int64_t> attempts) {
  if (db.kind() == engine::sqlite) {
    direct_statement remove(db, "DELETE FROM reconciliation_targets WHERE kind = ?1 AND subject_id = ?2");
    remove.bind(1, core::to_string(kind));
    for (const auto id : attempts)
      remove.bind(2, id).run();
    return;
  }
  array_text subjects;
  for (const auto id : attempts)
    subjects.add(id);
  if (attempts.empty())
    return;
  query(db, "DELETE FROM reconciliation_targets WHERE kind = :kind "
            "AND subject_id = ANY(CAST(:subjects AS bigint[]))")
      .use("kind", core::to_string(kind))
      .use("subjects", subjects.take())
      .run();
}

} // namespace sluice::storage
