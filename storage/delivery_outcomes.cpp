#include "storage/delivery_outcomes.hpp"

#include "storage/delivery_attempt_rows.hpp"
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

std::vector<std::int64_t> positions_of(std::span<const core::ended_attempt> ended) {
  std::vector<std::int64_t> positions;
  for (const auto& one : ended)
    positions.push_back(one.position.value);
  return positions;
}

using rows_by_position = std::map<core::event_position, delivery_row>;

rows_by_position locked_rows(session& db, core::subscription_id subscription, const open_claims& claims,
                             std::span<const std::int64_t> positions) {
  rows_by_position rows;
  for (auto& row : read_for_update(db, subscription, claims, positions))
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

void write_decided(session& db, core::subscription_id subscription, open_claims& claims,
                   std::span<const delivery_row> rows, core::timestamp now) {
  write_rows(db, subscription, rows, now);
  std::vector<open_claim> superseded;
  for (const auto& row : rows)
    if (const auto claim = claims.take_out(row.position))
      superseded.push_back(*claim);
  write_superseded(db, subscription, superseded);
  claims.write(db);
}

core::attempts_recorded record_ends(session& db, const locked_subscription& of, open_claims& claims,
                                    std::span<const core::ended_attempt> ended, std::int32_t threshold,
                                    core::timestamp now) {
  core::attempts_recorded answer;
  dead_tally tally(of, threshold);
  auto rows = locked_rows(db, of.id, claims, positions_of(ended));
  std::vector<delivery_row> changed;
  std::vector<attempt_row> attempts;
  for (const auto& one : ended) {
    const auto row = rows.find(one.position);
    const bool applied = row != rows.end() && take_further(row->second, one.end, tally, now);
    std::optional<open_claim> claim;
    if (row == rows.end() || !row->second.progress.claim)
      claim = claims.take_out(one.position, one.end.number);
    attempts.push_back({one, applied ? std::optional(claim->claimed_at) : std::nullopt});
    if (!applied) {
      ++answer.superseded;
      continue;
    }
    ++answer.applied;
    answer.delivered += row->second.progress.state == core::delivery_state::delivered ? 1 : 0;
    answer.dead += row->second.progress.state == core::delivery_state::dead ? 1 : 0;
    changed.push_back(row->second);
  }
  write_rows(db, of.id, changed, now);
  write_attempts(db, of.id, attempts, now);
  claims.write(db);
  tally.write(db, now);
  free_keys(db, of.id, keys_of(changed), now);
  answer.disabled = tally.disabled();
  const bool active = of.status == core::subscription_status::active && !of.removed && !answer.disabled;
  answer.next_due = active && claims.left_due() ? claims.left_due() : next_due(db, of.id, claims);
  return answer;
}

result<core::attempts_recorded> record_attempt_ends(session& db, core::subscription_id subscription,
                                                    std::span<const core::ended_attempt> ended,
                                                    std::int32_t dead_threshold, core::timestamp now) {
  return guarded(db, "Recording attempts", [&] {
    const auto of = lock_subscription(db, subscription);
    if (!of || ended.empty())
      return core::attempts_recorded{.superseded = std::ssize(ended), .disabled = {}, .next_due = {}};
    open_claims claims(db, subscription);
    return record_ends(db, *of, claims, ended, dead_threshold, now);
  });
}

} // namespace sluice::storage
