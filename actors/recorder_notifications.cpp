#include "actors/recorder_notifications.hpp"

#include "storage/contact_points.hpp"
#include "storage/notification_attempts.hpp"
#include "storage/notifications.hpp"
#include "storage/provider_events.hpp"
#include "storage/reconciliation_targets.hpp"

#include <algorithm>

namespace sluice::actors {

namespace m = messages;

namespace {

std::size_t rows(std::int64_t limit) {
  return static_cast<std::size_t>(std::max<std::int64_t>(limit, 1));
}

} // namespace

std::size_t rows_of(const m::claim_notifications& ask) {
  return rows(ask.wish.limit);
}

std::size_t rows_of(const m::record_submissions& ask) {
  return ask.ended.size();
}

std::size_t rows_of(const m::give_back_submissions& ask) {
  return ask.returned.size();
}

std::size_t rows_of(const m::prune_notifications& ask) {
  return rows(ask.limit);
}

std::size_t rows_of(const m::look_again_at_events& ask) {
  return ask.events.size();
}

std::size_t rows_of(const m::search_overdue_callbacks& ask) {
  return rows(ask.search.limit);
}

result<core::notification_claims> perform(storage::session& db, const write_context& with,
                                          const m::claim_notifications& ask) {
  return storage::claim_notifications(db, ask.wish, with.keys, with.now);
}

/// Where it is not the first of its transaction, it may meet one that projects on another node; one of the
/// two then ends as `busy` and is written again, alone and first.
result<core::submissions_recorded> perform(storage::session& db, const write_context& with,
                                           const m::record_submissions& ask) {
  return storage::record_submissions(db, ask.profile, ask.ended, ask.looks, with.now);
}

result<caf::unit_t> perform(storage::session& db, const write_context& with,
                            const m::give_back_submissions& ask) {
  auto given = storage::give_back_submissions(db, ask.returned, with.now, with.now);
  if (!given)
    return std::unexpected{given.error()};
  return caf::unit;
}

result<core::notification_record> perform(storage::session& db, const write_context& with,
                                          const m::record_settlement& ask) {
  return storage::settle_notification(db, ask.found, with.now);
}

result<core::notification_record> perform(storage::session& db, const write_context& with,
                                          const m::record_cancellation& ask) {
  return storage::cancel_notification(db, ask.wanted, with.now);
}

result<core::notifications_pruned> perform(storage::session& db, const write_context&,
                                           const m::prune_notifications& ask) {
  auto pruned = storage::prune_notifications(db, ask.until, ask.after, ask.limit);
  if (!pruned || !pruned->through)
    return pruned;
  const auto contacts = storage::prune_contact_points(db, ask.until, ask.limit);
  if (!contacts)
    return std::unexpected{contacts.error()};
  pruned->through = *contacts < ask.limit;
  return pruned;
}

result<core::look_recorded> perform(storage::session& db, const write_context& with,
                                    const m::record_look& ask) {
  return storage::record_look(db, ask.look, ask.schedule, with.now);
}

result<m::events_pending> perform(storage::session& db, const write_context&,
                                  const m::look_again_at_events& ask) {
  auto pending = storage::look_again(db, ask.events);
  if (!pending)
    return std::unexpected{pending.error()};
  return m::events_pending{*pending};
}

result<core::overdue_found> perform(storage::session& db, const write_context& with,
                                    const m::search_overdue_callbacks& ask) {
  return storage::add_overdue_callbacks(db, ask.search, with.now);
}

} // namespace sluice::actors
