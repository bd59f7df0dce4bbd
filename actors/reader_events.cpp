#include "actors/reader.hpp"
#include "storage/event_deliveries.hpp"
#include "storage/events.hpp"
#include "storage/fan_out.hpp"
#include "storage/subscriptions.hpp"

#include <utility>

// What fan-out and subscriptions ask a reader.

namespace sluice::actors {

namespace m = messages;
using storage::result;
using storage::session;

namespace {

/// The place comes first. A subscription made behind it begins behind what it says was sequenced, so events
/// up to there are fanned out in full by a list that lacks it.
result<m::fan_out_read> fan_out_of(session& db, const m::read_fan_out& ask) {
  auto place = storage::read_fan_out_place(db);
  if (!place)
    return std::unexpected{place.error()};
  m::fan_out_read answer{*place, {}, std::nullopt};
  if (ask.known_version != place->subscriptions_version) {
    auto subscriptions = storage::read_fan_out_subscriptions(db);
    if (!subscriptions)
      return std::unexpected{subscriptions.error()};
    answer.subscriptions = std::move(*subscriptions);
  }
  if (place->cursor.position >= place->sequenced)
    return answer;
  auto events = storage::read_events(db, place->cursor.position, ask.events_max, ask.bytes_max);
  if (!events)
    return std::unexpected{events.error()};
  std::erase_if(*events, [&](const core::change_event& each) { return each.position > place->sequenced; });
  answer.events = std::move(*events);
  return answer;
}

} // namespace

caf::result<m::fan_out_read> reader_state::on_read_fan_out(const m::read_fan_out& ask) {
  return with_session([&](session& db) { return fan_out_of(db, ask); });
}

caf::result<m::subscription_loaded> reader_state::on_load_subscription(const m::load_subscription& ask) {
  return with_session([&](session& db) {
    return carried<m::subscription_loaded>(
        storage::load_subscription(db, ask.subscription, *resources_.keys));
  });
}

caf::result<m::push_dues_listed> reader_state::on_list_push_dues() {
  return with_session(
      [](session& db) { return carried<m::push_dues_listed>(storage::all_next_delivery_due(db)); });
}

} // namespace sluice::actors
