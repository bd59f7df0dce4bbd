#include "storage/delivery_outcomes.hpp"
#include "storage/event_columns.hpp"
#include "storage/event_deliveries.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace sluice::storage {
namespace {

core::ended_attempt interrupted(const open_claim& claim) {
  core::ended_attempt ended;
  ended.position = claim.position;
  ended.end.number = claim.number;
  ended.end.ending = core::attempt_ending::interrupted;
  ended.end.error_class = "interrupted";
  ended.end.error = "The attempt's lease lapsed before its answer was known.";
  return ended;
}

/// Attempts whose lease lapsed, closed as interrupted.
core::attempts_recorded close_lapsed(session& db, const locked_subscription& of, open_claims& claims,
                                     const core::claim_wish& wish, core::timestamp now) {
  std::map<core::event_position, core::ended_attempt> lapsed;
  std::vector<std::int64_t> positions;
  for (const auto& claim : claims.lapsed(now, wish.limit)) {
    lapsed.emplace(claim.position, interrupted(claim));
    positions.push_back(claim.position.value);
  }
  for (const auto& row : read_for_update(db, of.id, claims, positions))
    lapsed.at(row.position).end.retry_at =
        wish.schedule.next_attempt(row.progress.round_attempts, std::nullopt, now, wish.jitter);
  std::vector<core::ended_attempt> ended;
  ended.reserve(lapsed.size());
  for (auto& [position, one] : lapsed)
    ended.push_back(std::move(one));
  return record_ends(db, of, claims, ended, wish.dead_threshold, now);
}

/// Which of the due deliveries may go now: of an ordering key one at a time, the earliest open one first.
class key_gate {
public:
  key_gate(session& db, core::subscription_id subscription, const open_claims& claims,
           const std::vector<delivery_row>& due) {
    std::set<std::string> keys;
    for (const auto& row : due)
      if (row.ordering_key)
        keys.insert(*row.ordering_key);
    if (keys.empty())
      return;
    for (auto& key : keys_of(read_for_update(db, subscription, claims, claims.positions())))
      busy_.insert(std::move(key));
    for (const auto& [key, first] : first_of_keys(db, subscription, {keys.begin(), keys.end()}))
      first_.emplace(key, first);
  }

  bool lets(const delivery_row& row) {
    if (!row.ordering_key)
      return true;
    const auto first = first_.find(*row.ordering_key);
    return first != first_.end() && first->second == row.position && busy_.insert(*row.ordering_key).second;
  }

private:
  std::set<std::string, std::less<>> busy_;
  std::map<std::string, core::event_position, std::less<>> first_;
};

core::delivery_progress refused(const core::delivery_progress& progress, core::timestamp now) {
  const auto transition = progress.state == core::delivery_state::pending
                              ? core::delivery_transition::refuse_initial_delivery
                              : core::delivery_transition::refuse_later_delivery;
  auto step = core::apply(progress, transition,
                          {.now = now,
                           .configuration_loss = "The subscription's access to its tenant's "
                                                 "events is not accepted any more."});
  return step ? step->now : progress;
}

/// By their positions.
std::map<core::event_position, core::change_event> events_of(session& db,
                                                             const std::vector<delivery_row>& due) {
  std::map<core::event_position, core::change_event> events;
  event_target target;
  query rows(db, "SELECT " + std::string(event_columns) + " FROM " + std::string(event_tables) + " WHERE "
                     + in_list(db.kind(), "e.position", "positions"));
  rows.use("positions", integer_list(db.kind(), positions_of(due)));
  target.bind(rows);
  while (rows.next()) {
    auto event = target.take();
    events.emplace(event.position, std::move(event));
  }
  return events;
}

/// The next that are due, of those that are not on their way. They are not locked: who else changes them
/// holds the subscription, and of what retention takes meanwhile the answer writes nothing.
std::vector<delivery_row> read_due(session& db, core::subscription_id subscription, const open_claims& claims,
                                   std::int64_t limit, core::timestamp now) {
  return read_rows(db, subscription, claims,
                   " AND d.next_attempt_at <= :now AND " + not_in_list(db.kind(), "d.position", "open")
                       + " ORDER BY d.next_attempt_at, d.position LIMIT :limit",
                   [&](query& rows) {
                     rows.use("now", now).use("limit", limit);
                     rows.use("open", integer_list(db.kind(), claims.positions()));
                   });
}

/// What does not go out although it is due: refused, or put aside until the one before it ends.
void hold_back(session& db, const locked_subscription& of, const open_claims& claims,
               const std::vector<delivery_row>& held, core::timestamp now) {
  if (held.empty())
    return;
  auto rows = read_for_update(db, of.id, claims, positions_of(held));
  for (auto& row : rows) {
    if (of.access_accepted)
      row.progress.due_at.reset();
    else
      row.progress = refused(row.progress, now);
  }
  write_rows(db, of.id, rows, now);
  if (!of.access_accepted)
    free_keys(db, of.id, keys_of(rows), now);
}

/// Claims these, but for those whose event retention has taken.
void take(session& db, const std::vector<delivery_row>& going, open_claims& claims,
          const core::claim_wish& wish, core::timestamp now, core::delivery_claims& answer) {
  if (going.empty())
    return;
  auto events = events_of(db, going);
  for (const auto& row : going) {
    const auto event = events.find(row.position);
    const auto taken = core::claim_attempt(row.progress, now, wish.lease);
    if (event == events.end() || !taken)
      continue;
    claims.add(row.position, *taken->claim, now);
    answer.deliveries.push_back({*taken->claim, taken->round_attempts, std::move(event->second)});
  }
}

/// Returns how many were looked at.
std::int64_t claim_due(session& db, const locked_subscription& of, open_claims& claims,
                       const core::claim_wish& wish, core::timestamp now, core::delivery_claims& answer) {
  auto due = read_due(db, of.id, claims, wish.limit + 1, now);
  if (std::ssize(due) > wish.limit) {
    claims.leave_due(due.back().progress.due_at);
    due.pop_back();
  }
  key_gate gate(db, of.id, claims, due);
  std::vector<delivery_row> going, held;
  for (const auto& row : due)
    (of.access_accepted && gate.lets(row) ? going : held).push_back(row);
  hold_back(db, of, claims, held, now);
  take(db, going, claims, wish, now, answer);
  return std::ssize(due);
}

/// Claims where something may go out. Nothing that is due now is left then, but for what is left knowingly.
std::int64_t claim(session& db, const locked_subscription& of, open_claims& claims,
                   const core::claim_wish& wish, core::timestamp now, core::delivery_claims& answer) {
  claims.leave_due(std::nullopt);
  const bool pushes = !of.removed && of.status == core::subscription_status::active
                      && of.mode == core::subscription_mode::push;
  const auto seen = pushes ? claim_due(db, of, claims, wish, now, answer) : 0;
  claims.write(db);
  const auto after = pushes && of.access_accepted ? now : core::timestamp::min();
  answer.next_due = claims.left_due() ? claims.left_due() : next_due(db, of.id, claims, after);
  return seen;
}

} // namespace

result<core::delivery_claims> claim_deliveries(session& db, const core::claim_wish& wish,
                                               core::timestamp now) {
  return guarded(db, "Claiming deliveries", [&] {
    core::delivery_claims answer;
    auto of = lock_subscription(db, wish.subscription);
    if (!of)
      return answer;
    open_claims claims(db, wish.subscription);
    if (!claims.lapsed(now, 1).empty()) {
      answer.interrupted = close_lapsed(db, *of, claims, wish, now).applied;
      of = lock_subscription(db, wish.subscription); // as the lapsed attempts have left it
    }
    answer.disabled = of->cause;
    const auto seen = claim(db, *of, claims, wish, now, answer);
    answer.through = seen < wish.limit && answer.interrupted < wish.limit;
    return answer;
  });
}

result<std::int64_t> give_back_attempts(session& db, core::subscription_id subscription,
                                        std::span<const core::returned_attempt> returned,
                                        core::timestamp due_at, core::timestamp now) {
  return guarded(db, "Giving attempts back", [&]() -> std::int64_t {
    std::map<core::event_position, std::int64_t> numbers;
    std::vector<std::int64_t> positions;
    for (const auto& one : returned) {
      numbers.emplace(one.position, one.number);
      positions.push_back(one.position.value);
    }
    if (positions.empty() || !lock_subscription(db, subscription))
      return 0;
    open_claims claims(db, subscription);
    std::vector<delivery_row> changed;
    for (auto& row : read_for_update(db, subscription, claims, positions)) {
      auto given = core::give_back_attempt(row.progress, numbers.at(row.position), due_at);
      if (!given)
        continue;
      row.progress = std::move(*given);
      changed.push_back(std::move(row));
    }
    for (const auto& [position, number] : numbers)
      claims.take_out(position, number);
    write_rows(db, subscription, changed, now);
    claims.write(db);
    free_keys(db, subscription, keys_of(changed), now);
    return std::ssize(changed);
  });
}

} // namespace sluice::storage
