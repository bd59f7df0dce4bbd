#include "storage/array_text.hpp"
#include "storage/delivery_outcomes.hpp"
#include "storage/event_columns.hpp"
#include "storage/event_deliveries.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace sluice::storage {
namespace {

/// Rows others are at work on are passed over; SQLite has one writer.
std::string_view skip_locked(engine kind) {
  return kind == engine::postgresql ? " FOR UPDATE SKIP LOCKED" : "";
}

core::ended_attempt interrupted(const delivery_row& row, const core::claim_wish& wish, core::timestamp now) {
  core::ended_attempt ended;
  ended.position = row.position;
  ended.end.number = row.progress.claim->number;
  ended.end.ending = core::attempt_ending::interrupted;
  ended.end.retry_at =
      wish.schedule.next_attempt(row.progress.round_attempts, std::nullopt, now, wish.jitter);
  ended.end.error_class = "interrupted";
  ended.end.error = "The attempt's lease lapsed before its answer was known.";
  return ended;
}

/// Attempts whose lease lapsed, closed as interrupted.
core::attempts_recorded close_lapsed(session& db, const core::claim_wish& wish, core::timestamp now) {
  std::vector<core::ended_attempt> lapsed;
  const auto rows = read_for_update(db, wish.subscription,
                                    " AND d.lease_until <= :now ORDER BY d.lease_until LIMIT :limit"
                                        + std::string(skip_locked(db.kind())),
                                    [&](query& of) { of.use("now", now).use("limit", wish.limit); });
  for (const auto& row : rows)
    lapsed.push_back(interrupted(row, wish, now));
  if (lapsed.empty())
    return {};
  return needed(record_attempt_ends(db, wish.subscription, lapsed, wish.dead_threshold, now));
}

/// Which of the due deliveries may go now: of an ordering key one at a time, the earliest open one first.
class key_gate {
public:
  key_gate(session& db, core::subscription_id subscription, const std::vector<delivery_row>& due) {
    std::set<std::string> keys;
    for (const auto& row : due)
      if (row.ordering_key)
        keys.insert(*row.ordering_key);
    if (keys.empty())
      return;
    for (auto& key : keys_on_their_way(db, subscription))
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

void insert_attempts(session& db, core::subscription_id subscription,
                     const std::vector<delivery_row>& claimed, core::timestamp now) {
  if (db.kind() == engine::sqlite) {
    direct_statement insert(db,
                            "INSERT INTO delivery_attempts (subscription_id, position, number, started_at) "
                            "VALUES (?1, ?2, ?3, ?4)");
    insert.bind(1, subscription.value).bind(4, now);
    for (const auto& row : claimed)
      insert.bind(2, row.position.value).bind(3, row.progress.attempts).run();
    return;
  }
  array_text positions, numbers;
  for (const auto& row : claimed) {
    positions.add(row.position.value);
    numbers.add(row.progress.attempts);
  }
  query(db, "INSERT INTO delivery_attempts (subscription_id, position, number, started_at) "
            "SELECT CAST(:subscription AS bigint), i.position, i.number, CAST(:now AS bigint) "
            "FROM unnest(CAST(:positions AS bigint[]), CAST(:numbers AS bigint[])) AS i (position, number)")
      .use("subscription", subscription)
      .use("now", now)
      .use("positions", positions.take())
      .use("numbers", numbers.take())
      .run();
}

std::vector<core::claimed_delivery> with_events(session& db, const std::vector<delivery_row>& claimed) {
  std::vector<std::int64_t> positions;
  for (const auto& row : claimed)
    positions.push_back(row.position.value);
  std::map<core::event_position, core::change_event> events;
  event_target target;
  query rows(db, "SELECT " + std::string(event_columns) + " FROM " + std::string(event_tables) + " WHERE "
                     + in_list(db.kind(), "e.position", "positions"));
  rows.use("positions", integer_list(db.kind(), positions));
  target.bind(rows);
  while (rows.next()) {
    auto event = target.take();
    events.emplace(event.position, std::move(event));
  }
  std::vector<core::claimed_delivery> found;
  for (const auto& row : claimed) {
    const auto event = events.find(row.position);
    auto of_it = known(event == events.end() ? std::nullopt : std::optional(std::move(event->second)),
                       "event_deliveries.position");
    found.push_back({*row.progress.claim, row.progress.round_attempts, std::move(of_it)});
  }
  return found;
}

/// Returns how many were looked at.
std::int64_t claim_due(session& db, const locked_subscription& of, const core::claim_wish& wish,
                       core::timestamp now, core::delivery_claims& answer) {
  auto due =
      read_for_update(db, of.id,
                      " AND d.next_attempt_at <= :now ORDER BY d.next_attempt_at, d.position LIMIT :limit"
                          + std::string(skip_locked(db.kind())),
                      [&](query& rows) { rows.use("now", now).use("limit", wish.limit); });
  if (due.empty())
    return 0;
  key_gate gate(db, of.id, due);
  std::vector<delivery_row> claimed;
  for (auto& row : due) {
    if (!of.access_accepted) {
      row.progress = refused(row.progress, now);
    } else if (!gate.lets(row)) {
      row.progress.due_at.reset(); // put aside: due again when the one before it ends
    } else if (auto taken = core::claim_attempt(row.progress, now, wish.lease)) {
      row.progress = std::move(*taken);
      claimed.push_back(row);
    }
  }
  write_rows(db, of.id, due, now);
  if (!of.access_accepted)
    free_keys(db, of.id, keys_of(due), now);
  if (!claimed.empty()) {
    insert_attempts(db, of.id, claimed, now);
    answer.deliveries = with_events(db, claimed);
  }
  return std::ssize(due);
}

} // namespace

result<core::delivery_claims> claim_deliveries(session& db, const core::claim_wish& wish,
                                               core::timestamp now) {
  return guarded(db, "Claiming deliveries", [&] {
    core::delivery_claims answer;
    if (!lock_subscription(db, wish.subscription))
      return answer;
    const auto lapsed = close_lapsed(db, wish, now);
    answer.interrupted = lapsed.applied;
    const auto of = lock_subscription(db, wish.subscription); // as the lapsed attempts have left it
    answer.disabled = of->cause;
    std::int64_t seen = 0;
    if (!of->removed && of->status == core::subscription_status::active
        && of->mode == core::subscription_mode::push)
      seen = claim_due(db, *of, wish, now, answer);
    answer.through = seen < wish.limit && lapsed.applied < wish.limit;
    answer.next_due = needed(next_delivery_due(db, wish.subscription));
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
    std::vector<delivery_row> changed;
    for (auto& row : read_for_update(db, subscription, positions)) {
      const auto number = numbers.at(row.position);
      auto given = core::give_back_attempt(row.progress, number, due_at);
      if (!given)
        continue;
      query(db, "DELETE FROM delivery_attempts WHERE subscription_id = :subscription "
                "AND position = :position AND number = :number AND ended_at IS NULL")
          .use("subscription", subscription)
          .use("position", row.position)
          .use("number", number)
          .run();
      row.progress = std::move(*given);
      changed.push_back(std::move(row));
    }
    write_rows(db, subscription, changed, now);
    free_keys(db, subscription, keys_of(changed), now);
    return std::ssize(changed);
  });
}

} // namespace sluice::storage
