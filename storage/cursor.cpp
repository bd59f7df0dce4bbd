#include "storage/cursor.hpp"

#include "storage/dialect.hpp"
#include "storage/soci_session.hpp"

#include <limits>

namespace sluice::storage {
namespace {

std::optional<core::delivery_cursor> read(session& db, core::rule_id rule) {
  core::delivery_cursor cursor;
  query rows(db, "SELECT rule_id, delta_at, delta_id, previous_pass_at, rescan_from, change_counter, "
                 "completed_counter, backfill_until, backfill_at, backfill_id, backfill_generation, "
                 "backfill_resend, activated_at, known_records, updated_at, "
                 "CASE WHEN EXISTS (SELECT 1 FROM restores) THEN 1 ELSE 0 END FROM delivery_cursors WHERE "
                 "rule_id = :rule");
  rows.use("rule", rule);
  rows.into(cursor.rule).into(cursor.delta.changed_at).into(cursor.delta.id).into(cursor.previous_pass_at);
  rows.into(cursor.rescan_from).into(cursor.change_counter).into(cursor.completed_counter);
  rows.into(cursor.backfill_until).into(cursor.backfill.changed_at).into(cursor.backfill.id);
  rows.into(cursor.backfill_generation).into(cursor.backfill_resend).into(cursor.activated_at);
  rows.into(cursor.known_records).into(cursor.updated_at).into(cursor.looks_first);
  bool found = false;
  while (rows.next())
    found = true;
  return found ? std::optional{cursor} : std::nullopt;
}

/// Older than every position and below every counter: what is absent from a move changes nothing.
constexpr core::timestamp long_ago{core::duration{std::numeric_limits<std::int64_t>::min()}};
constexpr std::int64_t no_counter = -1;

const std::string& move_sql(engine kind) {
  static const auto make = [](engine of) {
    const std::string later(dialect::greatest(of));
    return "UPDATE delivery_cursors SET "
           "delta_at = CASE WHEN (delta_at, delta_id) < (:delta_at, :delta_id) THEN :delta_at ELSE delta_at "
           "END, "
           "delta_id = CASE WHEN (delta_at, delta_id) < (:delta_at, :delta_id) THEN :delta_id ELSE delta_id "
           "END, "
           "previous_pass_at = "
           + later
           + "(previous_pass_at, :pass_began_at), "
             "rescan_from = CASE WHEN change_counter = :rescanned THEN NULL ELSE rescan_from END, "
             "completed_counter = "
           + later + "(completed_counter, :completed), updated_at = :now WHERE rule_id = :rule";
  };
  static const std::string sqlite = make(engine::sqlite);
  static const std::string postgresql = make(engine::postgresql);
  return kind == engine::sqlite ? sqlite : postgresql;
}

void move_delta(session& db, core::rule_id rule, const cursor_move& move, core::timestamp now) {
  query update(db, move_sql(db.kind()));
  const auto delta = move.delta.value_or(core::position{long_ago, {}});
  update.use("delta_at", delta.changed_at).use("delta_id", delta.id);
  update.use("pass_began_at", move.pass_began_at.value_or(long_ago));
  update.use("rescanned", move.rescanned_counter.value_or(no_counter));
  update.use("completed", move.completed_counter.value_or(no_counter));
  if (update.use("now", now).use("rule", rule).run() == 0)
    throw abandoned{{error::not_found, "The rule has no cursor."}};
}

bool move_backfill(session& db, core::rule_id rule, const core::backfill_step& step) {
  const auto to = step.to.value_or(core::position{long_ago, {}});
  query update(db, "UPDATE delivery_cursors SET "
                   "backfill_at = CASE WHEN (backfill_at, backfill_id) < (:at, :id) THEN :at "
                   "ELSE backfill_at END, "
                   "backfill_id = CASE WHEN (backfill_at, backfill_id) < (:at, :id) THEN :id "
                   "ELSE backfill_id END, "
                   "backfill_until = CASE CAST(:finished AS BIGINT) WHEN 1 THEN NULL ELSE backfill_until END "
                   "WHERE rule_id = :rule AND backfill_until = :until AND backfill_generation = :generation");
  update.use("at", to.changed_at).use("id", to.id).use("finished", step.finished);
  update.use("rule", rule).use("until", step.until).use("generation", step.generation);
  return update.run() > 0;
}

} // namespace

result<std::optional<core::delivery_cursor>> find_cursor(session& db, core::rule_id rule) {
  return guarded(db, "Finding a cursor", [&] { return read(db, rule); });
}

result<core::delivery_cursor> open_cursor(session& db, const core::delivery_cursor& cursor) {
  return guarded(db, "Opening a cursor", [&] {
    {
      query insert(
          db,
          "INSERT INTO delivery_cursors (rule_id, delta_at, delta_id, previous_pass_at, "
          "rescan_from, change_counter, completed_counter, backfill_until, backfill_at, "
          "backfill_id, backfill_generation, backfill_resend, activated_at, known_records, "
          "updated_at) VALUES (:rule, :delta_at, :delta_id, "
          ":previous_pass_at, :rescan_from, :change_counter, :completed_counter, :until, :at, "
          ":id, :generation, :resend, :activated_at, :known, :updated_at) ON CONFLICT (rule_id) DO NOTHING");
      insert.use("rule", cursor.rule).use("delta_at", cursor.delta.changed_at);
      insert.use("delta_id", cursor.delta.id).use("previous_pass_at", cursor.previous_pass_at);
      insert.use("rescan_from", cursor.rescan_from).use("change_counter", cursor.change_counter);
      insert.use("completed_counter", cursor.completed_counter).use("until", cursor.backfill_until);
      insert.use("at", cursor.backfill.changed_at).use("id", cursor.backfill.id);
      insert.use("generation", cursor.backfill_generation).use("resend", cursor.backfill_resend);
      insert.use("activated_at", cursor.activated_at).use("known", cursor.known_records);
      insert.use("updated_at", cursor.updated_at).run();
    }
    auto stored = read(db, cursor.rule);
    if (!stored)
      throw abandoned{{error::not_found, "The cursor vanished while it was opened."}};
    return *stored;
  });
}

result<bool> move_cursor(session& db, core::rule_id rule, const cursor_move& move, core::timestamp now) {
  return guarded(db, "Moving a cursor", [&] {
    move_delta(db, rule, move, now);
    return !move.backfill || move_backfill(db, rule, *move.backfill);
  });
}

} // namespace sluice::storage
