#include "storage/delivery_attempt_rows.hpp"

#include "core/error_text.hpp"
#include "storage/array_text.hpp"

#include <string>
#include <string_view>

namespace sluice::storage {
namespace {

constexpr std::string_view sqlite_write =
    "INSERT INTO delivery_attempts (subscription_id, position, number, started_at, ended_at, took, ending, "
    "status, error_class, error, answer, answer_cut) "
    "VALUES (?1, ?2, ?3, ?12, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11) ON CONFLICT DO NOTHING";

constexpr std::string_view sqlite_close =
    "UPDATE delivery_attempts SET ended_at = ?4, took = ?5, ending = ?6, status = ?7, error_class = ?8, "
    "error = ?9, answer = ?10, answer_cut = ?11 WHERE subscription_id = ?1 AND position = ?2 AND number = ?3 "
    "AND ended_at IS NULL";

/// Driven by the key alone, whatever the planner believes of the table. Of a superseded attempt a row that is
/// gone is not made again.
constexpr std::string_view postgresql_write =
    "INSERT INTO delivery_attempts AS a (subscription_id, position, number, started_at, ended_at, took, "
    "ending, status, error_class, error, answer, answer_cut) SELECT CAST(:subscription AS bigint), "
    "i.position, i.number, coalesce(i.started_at, CAST(:now AS bigint)), CAST(:now AS bigint), i.took, "
    "i.ending, i.status, i.error_class, i.error, i.answer, i.cut FROM unnest(CAST(:positions AS bigint[]), "
    "CAST(:numbers AS bigint[]), CAST(:started AS bigint[]), CAST(:took AS bigint[]), "
    "CAST(:endings AS text[]), CAST(:statuses AS bigint[]), CAST(:error_classes AS text[]), "
    "CAST(:errors AS text[]), CAST(:answers AS text[]), CAST(:cuts AS bigint[])) AS i (position, number, "
    "started_at, took, ending, status, error_class, error, answer, cut) WHERE i.started_at IS NOT NULL OR "
    "(SELECT TRUE FROM delivery_attempts AS x WHERE x.subscription_id = :subscription "
    "AND x.position = i.position AND x.number = i.number LIMIT 1) "
    "ON CONFLICT (subscription_id, position, number) DO UPDATE SET ended_at = excluded.ended_at, "
    "took = excluded.took, ending = excluded.ending, status = excluded.status, "
    "error_class = excluded.error_class, error = excluded.error, answer = excluded.answer, "
    "answer_cut = excluded.answer_cut WHERE a.ended_at IS NULL";

std::string kept_answer(const core::ended_attempt& ended) {
  return core::error_text(ended.answer, core::kept_answer_bytes_max);
}

std::string kept_error(const core::ended_attempt& ended) {
  return core::error_text(ended.end.error, core::delivery_error_bytes_max);
}

bool cut(const core::ended_attempt& ended) {
  return ended.answer_cut || ended.answer.size() > core::kept_answer_bytes_max;
}

void run_sqlite(direct_statement& write, const core::ended_attempt& one) {
  const auto answer = kept_answer(one);
  const auto error = kept_error(one);
  write.bind(2, one.position.value).bind(3, one.end.number).bind(5, one.took.count());
  write.bind(6, core::to_string(one.end.ending)).bind(7, std::int64_t{one.status});
  write.bind(8, one.end.error_class).bind(9, error).bind(10, answer).bind(11, std::int64_t{cut(one)});
  write.run();
}

void write_sqlite(session& db, core::subscription_id subscription, std::span<const attempt_row> attempts,
                  core::timestamp now) {
  direct_statement write(db, sqlite_write);
  direct_statement close(db, sqlite_close);
  write.bind(1, subscription.value).bind(4, now);
  close.bind(1, subscription.value).bind(4, now);
  for (const auto& [ended, started_at] : attempts) {
    if (started_at)
      run_sqlite(write.bind(12, *started_at), ended);
    else
      run_sqlite(close, ended);
  }
}

void write_postgresql(session& db, core::subscription_id subscription, std::span<const attempt_row> attempts,
                      core::timestamp now) {
  array_text positions, numbers, started, took, endings, statuses, error_classes, errors, answers, cuts;
  for (const auto& [one, started_at] : attempts) {
    positions.add(one.position.value);
    numbers.add(one.end.number);
    started.add(started_at);
    took.add(std::int64_t{one.took.count()});
    endings.add(core::to_string(one.end.ending));
    statuses.add(std::int64_t{one.status});
    error_classes.add(std::string_view(one.end.error_class));
    errors.add(std::string_view(kept_error(one)));
    answers.add(std::string_view(kept_answer(one)));
    cuts.add(std::int64_t{cut(one)});
  }
  query write(db, postgresql_write);
  write.use("subscription", subscription).use("now", now).use("positions", positions.take());
  write.use("numbers", numbers.take()).use("started", started.take()).use("took", took.take());
  write.use("endings", endings.take()).use("statuses", statuses.take());
  write.use("error_classes", error_classes.take()).use("errors", errors.take());
  write.use("answers", answers.take()).use("cuts", cuts.take()).run();
}

} // namespace

void write_attempts(session& db, core::subscription_id subscription, std::span<const attempt_row> attempts,
                    core::timestamp now) {
  if (attempts.empty())
    return;
  if (db.kind() == engine::sqlite)
    write_sqlite(db, subscription, attempts, now);
  else
    write_postgresql(db, subscription, attempts, now);
}

void write_superseded(session& db, core::subscription_id subscription,
                      std::span<const open_claim> superseded) {
  for (const auto& one : superseded)
    query(db, "INSERT INTO delivery_attempts (subscription_id, position, number, started_at) "
              "VALUES (:subscription, :position, :number, :started_at) ON CONFLICT DO NOTHING")
        .use("subscription", subscription)
        .use("position", one.position)
        .use("number", one.number)
        .use("started_at", one.claimed_at)
        .run();
}

} // namespace sluice::storage
