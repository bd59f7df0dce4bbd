#include "storage/delivery_outcomes.hpp"

#include "core/error_text.hpp"
#include "storage/array_text.hpp"
#include "storage/dialect.hpp"
#include "storage/event_deliveries.hpp"
#include "storage/subscription_changes.hpp"

#include <algorithm>
#include <map>

namespace sluice::storage {
namespace {

std::string_view sentence_of(core::disable_cause cause) noexcept {
  switch (cause) {
  case core::disable_cause::gone:
    return "The subscriber answered that it is gone (410).";
  case core::disable_cause::dead_deliveries:
    return "Too many deliveries in a row were dead.";
  default:
    return "";
  }
}

constexpr std::string_view sqlite_close =
    "UPDATE delivery_attempts SET ended_at = ?4, took = ?5, ending = ?6, status = ?7, error_class = ?8, "
    "error = ?9, answer = ?10, answer_cut = ?11 WHERE subscription_id = ?1 AND position = ?2 AND number = ?3 "
    "AND ended_at IS NULL";

/// Driven by the key alone, whatever the planner believes of the table; a row that is gone is not made again.
constexpr std::string_view postgresql_close =
    "INSERT INTO delivery_attempts AS a (subscription_id, position, number, started_at, ended_at, took, "
    "ending, status, error_class, error, answer, answer_cut) SELECT CAST(:subscription AS bigint), "
    "i.position, i.number, CAST(:now AS bigint), CAST(:now AS bigint), i.took, i.ending, i.status, "
    "i.error_class, i.error, i.answer, i.cut FROM unnest(CAST(:positions AS bigint[]), "
    "CAST(:numbers AS bigint[]), CAST(:took AS bigint[]), CAST(:endings AS text[]), "
    "CAST(:statuses AS bigint[]), CAST(:error_classes AS text[]), CAST(:errors AS text[]), "
    "CAST(:answers AS text[]), CAST(:cuts AS bigint[])) AS i (position, number, took, ending, status, "
    "error_class, error, answer, cut) WHERE (SELECT TRUE FROM delivery_attempts AS x "
    "WHERE x.subscription_id = :subscription AND x.position = i.position AND x.number = i.number LIMIT 1) "
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

void close_sqlite(session& db, core::subscription_id subscription, std::span<const core::ended_attempt> ended,
                  core::timestamp now) {
  direct_statement close(db, sqlite_close);
  close.bind(1, subscription.value).bind(4, now);
  for (const auto& one : ended) {
    const auto answer = kept_answer(one);
    const auto error = kept_error(one);
    close.bind(2, one.position.value).bind(3, one.end.number).bind(5, one.took.count());
    close.bind(6, core::to_string(one.end.ending)).bind(7, std::int64_t{one.status});
    close.bind(8, one.end.error_class).bind(9, error).bind(10, answer).bind(11, std::int64_t{cut(one)});
    close.run();
  }
}

void close_postgresql(session& db, core::subscription_id subscription,
                      std::span<const core::ended_attempt> ended, core::timestamp now) {
  array_text positions, numbers, took, endings, statuses, error_classes, errors, answers, cuts;
  for (const auto& one : ended) {
    positions.add(one.position.value);
    numbers.add(one.end.number);
    took.add(std::int64_t{one.took.count()});
    endings.add(core::to_string(one.end.ending));
    statuses.add(std::int64_t{one.status});
    error_classes.add(std::string_view(one.end.error_class));
    errors.add(std::string_view(kept_error(one)));
    answers.add(std::string_view(kept_answer(one)));
    cuts.add(std::int64_t{cut(one)});
  }
  query close(db, postgresql_close);
  close.use("subscription", subscription).use("now", now).use("positions", positions.take());
  close.use("numbers", numbers.take()).use("took", took.take()).use("endings", endings.take());
  close.use("statuses", statuses.take()).use("error_classes", error_classes.take());
  close.use("errors", errors.take()).use("answers", answers.take()).use("cuts", cuts.take()).run();
}

std::vector<std::int64_t> positions_of(std::span<const core::ended_attempt> ended) {
  std::vector<std::int64_t> positions;
  for (const auto& one : ended)
    positions.push_back(one.position.value);
  return positions;
}

using rows_by_position = std::map<core::event_position, delivery_row>;

rows_by_position locked_rows(session& db, core::subscription_id subscription,
                             std::span<const std::int64_t> positions) {
  rows_by_position rows;
  for (auto& row : read_for_update(db, subscription, positions))
    rows.emplace(row.position, std::move(row));
  return rows;
}

/// Takes a delivery further by its attempt's end. False: the attempt is its delivery's no more.
bool take_further(delivery_row& row, const core::attempt_end& end, dead_tally& tally, core::timestamp now) {
  const auto transition = core::transition_of(row.progress.state, end);
  auto step = core::apply(row.progress, transition, {.now = now, .attempt = end});
  if (!step)
    return false;
  tally.add(step->effects);
  row.progress = std::move(step->now);
  return true;
}

core::attempts_recorded record(session& db, const locked_subscription& of,
                               std::span<const core::ended_attempt> ended, std::int32_t threshold,
                               core::timestamp now) {
  core::attempts_recorded answer;
  dead_tally tally(of, threshold);
  auto rows = locked_rows(db, of.id, positions_of(ended));
  std::vector<delivery_row> changed;
  for (const auto& one : ended) {
    const auto row = rows.find(one.position);
    if (row == rows.end() || !take_further(row->second, one.end, tally, now)) {
      ++answer.superseded;
      continue;
    }
    ++answer.applied;
    answer.delivered += row->second.progress.state == core::delivery_state::delivered ? 1 : 0;
    answer.dead += row->second.progress.state == core::delivery_state::dead ? 1 : 0;
    changed.push_back(row->second);
  }
  write_rows(db, of.id, changed, now);
  close_attempts(db, of.id, ended, now);
  tally.write(db, now);
  free_keys(db, of.id, keys_of(changed), now);
  answer.disabled = tally.disabled();
  answer.next_due = needed(next_delivery_due(db, of.id));
  return answer;
}

} // namespace

std::optional<locked_subscription> lock_subscription(session& db, core::subscription_id id) {
  locked_subscription found;
  std::string mode, status;
  std::optional<std::string> cause;
  query row(db,
            "SELECT s.public_id, (SELECT t.name FROM tenants AS t WHERE t.id = s.tenant_id), s.mode, "
            "s.status, s.status_cause, s.access_accepted, CASE WHEN s.deleted_at IS NULL THEN 0 ELSE 1 END, "
            "s.consecutive_dead, s.starts_after, s.cursor_position, s.offered_position "
            "FROM subscriptions AS s WHERE s.id = :id"
                + std::string(dialect::for_update(db.kind())));
  row.use("id", id).into(found.public_id).into(found.tenant).into(mode).into(status).into(cause);
  row.into(found.access_accepted).into(found.removed).into(found.consecutive_dead);
  row.into(found.starts_after).into(found.cursor).into(found.offered);
  if (!row.next())
    return std::nullopt;
  found.id = id;
  found.mode = known(core::parse_subscription_mode(mode), "subscriptions.mode");
  found.status = known(core::parse_subscription_status(status), "subscriptions.status");
  if (cause)
    found.cause = known(core::parse_disable_cause(*cause), "subscriptions.status_cause");
  return found;
}

void dead_tally::add(const core::transition_effects& effects) {
  const auto counted = core::count_dead(consecutive_, effects, threshold_);
  consecutive_ = counted.consecutive;
  if (counted.disables && !disables_ && of_.status != core::subscription_status::disabled)
    disables_ = counted.disables;
}

void dead_tally::write(session& db, core::timestamp now) const {
  if (consecutive_ != of_.consecutive_dead)
    query(db, "UPDATE subscriptions SET consecutive_dead = :count WHERE id = :id")
        .use("count", consecutive_)
        .use("id", of_.id)
        .run();
  if (!disables_)
    return;
  query(db, "UPDATE subscriptions SET status = 'disabled', status_cause = :cause, status_reason = :reason, "
            "updated_at = :now WHERE id = :id AND status = :from")
      .use("cause", core::to_string(*disables_))
      .use("reason", sentence_of(*disables_))
      .use("now", now)
      .use("id", of_.id)
      .use("from", core::to_string(of_.status))
      .run();
  raise_subscriptions_version(db);
}

void close_attempts(session& db, core::subscription_id subscription,
                    std::span<const core::ended_attempt> ended, core::timestamp now) {
  if (ended.empty())
    return;
  if (db.kind() == engine::sqlite)
    close_sqlite(db, subscription, ended, now);
  else
    close_postgresql(db, subscription, ended, now);
}

result<core::attempts_recorded> record_attempt_ends(session& db, core::subscription_id subscription,
                                                    std::span<const core::ended_attempt> ended,
                                                    std::int32_t dead_threshold, core::timestamp now) {
  return guarded(db, "Recording attempts", [&] {
    const auto of = lock_subscription(db, subscription);
    if (!of || ended.empty())
      return core::attempts_recorded{.superseded = std::ssize(ended), .disabled = {}, .next_due = {}};
    return record(db, *of, ended, dead_threshold, now);
  });
}

} // namespace sluice::storage
