#include "actors/recorder_events.hpp"

#include "storage/audit.hpp"
#include "storage/event_deliveries.hpp"
#include "storage/events.hpp"
#include "storage/fan_out.hpp"
#include "storage/subscriptions.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace sluice::actors {

namespace m = messages;

namespace {

std::size_t rows(std::int64_t limit) {
  return static_cast<std::size_t>(std::max<std::int64_t>(limit, 1));
}

template <class Answer, class T>
result<Answer> told(result<T> answer) {
  if (!answer)
    return std::unexpected{std::move(answer.error())};
  return Answer{*answer};
}

} // namespace

std::size_t rows_of(const m::sequence_events& ask) {
  return rows(ask.limit);
}

std::size_t rows_of(const m::record_fan_out& ask) {
  return ask.batch.deliveries.size() + 1;
}

std::size_t rows_of(const m::claim_deliveries& ask) {
  return rows(ask.wish.limit);
}

std::size_t rows_of(const m::record_attempt_ends& ask) {
  return ask.ended.size();
}

std::size_t rows_of(const m::give_back_attempts& ask) {
  return ask.returned.size();
}

std::size_t rows_of(const m::refuse_open_deliveries& ask) {
  return rows(ask.limit);
}

std::size_t rows_of(const m::prune_events& ask) {
  return rows(ask.limit);
}

result<m::events_sequenced> perform(storage::session& db, const write_context& with,
                                    const m::sequence_events& ask) {
  return told<m::events_sequenced>(storage::sequence_events(db, ask.limit, with.now));
}

result<m::fan_out_recorded> perform(storage::session& db, const write_context& with,
                                    const m::record_fan_out& ask) {
  return told<m::fan_out_recorded>(storage::write_fan_out(db, ask.batch, with.now));
}

result<core::delivery_claims> perform(storage::session& db, const write_context& with,
                                      const m::claim_deliveries& ask) {
  return storage::claim_deliveries(db, ask.wish, with.now);
}

result<core::attempts_recorded> perform(storage::session& db, const write_context& with,
                                        const m::record_attempt_ends& ask) {
  return storage::record_attempt_ends(db, ask.subscription, ask.ended, ask.dead_threshold, with.now);
}

result<caf::unit_t> perform(storage::session& db, const write_context& with,
                            const m::give_back_attempts& ask) {
  auto returned = storage::give_back_attempts(db, ask.subscription, ask.returned, with.now, with.now);
  if (!returned)
    return std::unexpected{returned.error()};
  return caf::unit;
}

result<m::deliveries_refused> perform(storage::session& db, const write_context& with,
                                      const m::refuse_open_deliveries& ask) {
  auto refused = storage::refuse_open_deliveries(db, ask.limit, with.now);
  if (!refused)
    return std::unexpected{refused.error()};
  return m::deliveries_refused{refused->refused, refused->through};
}

/// What hangs on others goes first.
result<m::events_pruned> perform(storage::session& db, const write_context& with,
                                 const m::prune_events& ask) {
  auto events = storage::prune_events(db, ask.until, ask.limit, with.now);
  if (!events)
    return std::unexpected{events.error()};
  m::events_pruned answer{events->rows, events->open};
  const std::array<result<std::int64_t>, 4> others{storage::prune_attempts(db, ask.until, ask.limit),
                                                   storage::prune_deliveries(db, ask.until, ask.limit),
                                                   storage::prune_subscriptions(db, ask.until, ask.limit),
                                                   storage::prune_audit(db, ask.audit_until, ask.limit)};
  for (const auto& each : others) {
    if (!each)
      return std::unexpected{each.error()};
    answer.rows += *each;
  }
  return answer;
}

result<m::subscription_status_recorded> perform(storage::session& db, const write_context& with,
                                                const m::record_subscription_status& ask) {
  auto changed = storage::set_subscription_status(db, ask.change, with.now);
  if (!changed)
    return std::unexpected{changed.error()};
  if (*changed) {
    auto entry = ask.audit;
    entry.at = with.now;
    if (auto added = storage::add_audit(db, entry); !added)
      return std::unexpected{added.error()};
  }
  return m::subscription_status_recorded{*changed};
}

result<core::event_delivery> perform(storage::session& db, const write_context& with,
                                     const m::record_delivery_restart& ask) {
  return storage::restart_delivery(db, ask.wanted, with.now);
}

} // namespace sluice::actors
