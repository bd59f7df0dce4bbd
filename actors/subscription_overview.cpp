#include "actors/subscription_overview.hpp"

#include "storage/audit.hpp"
#include "storage/event_deliveries.hpp"
#include "storage/events.hpp"
#include "storage/replay_jobs.hpp"
#include "storage/subscriptions.hpp"

#include <utility>

namespace sluice::actors {

namespace m = messages;
using storage::result;
using storage::session;

namespace {

result<core::event_delivery> delivery_of(session& db, core::subscription_id subscription,
                                         const std::string& event) {
  return found(storage::find_event_delivery(db, subscription, event), "delivery of an event", event);
}

result<m::attempts_listed> attempts_of(session& db, const m::list_attempts& ask) {
  const auto delivery = delivery_of(db, ask.subscription, ask.event);
  if (!delivery)
    return std::unexpected{delivery.error()};
  return carried<m::attempts_listed>(
      storage::list_attempts(db, ask.subscription, delivery->position, ask.after_number, ask.limit));
}

} // namespace

m::subscription_overview::behavior_type subscription_overview_state::behavior(reader_resources resources) {
  resources_ = std::move(resources);
  return {
      [this](const m::find_subscription& ask) { return on_find(ask); },
      [this](const m::list_subscriptions& ask) { return on_list(ask); },
      [this](const m::list_events& ask) { return on_list_events(ask); },
      [this](const m::list_deliveries& ask) { return on_list_deliveries(ask); },
      [this](const m::find_delivery& ask) { return on_find_delivery(ask); },
      [this](const m::list_attempts& ask) { return on_list_attempts(ask); },
      [this](const m::list_audit& ask) { return on_list_audit(ask); },
      [this](const m::count_replay& ask) { return on_count_replay(ask); },
      [this](const m::list_replays& ask) { return on_list_replays(ask); },
      [this](const m::find_replay& ask) { return on_find_replay(ask); },
  };
}

caf::result<core::subscription> subscription_overview_state::on_find(const m::find_subscription& ask) {
  return with_session(*resources_.db, [&](session& db) {
    return found(storage::find_subscription(db, ask.public_id, ask.tenants, *resources_.keys), "subscription",
                 ask.public_id);
  });
}

caf::result<m::subscriptions_listed> subscription_overview_state::on_list(const m::list_subscriptions& ask) {
  return with_session(*resources_.db, [&](session& db) {
    return carried<m::subscriptions_listed>(storage::list_subscriptions(db, ask.page, *resources_.keys));
  });
}

caf::result<m::events_listed> subscription_overview_state::on_list_events(const m::list_events& ask) {
  return with_session(*resources_.db, [&](session& db) {
    return carried<m::events_listed>(storage::list_events(db, ask.page));
  });
}

caf::result<m::deliveries_listed>
subscription_overview_state::on_list_deliveries(const m::list_deliveries& ask) {
  return with_session(*resources_.db, [&](session& db) {
    return carried<m::deliveries_listed>(storage::list_event_deliveries(db, ask.page));
  });
}

caf::result<core::event_delivery> subscription_overview_state::on_find_delivery(const m::find_delivery& ask) {
  return with_session(*resources_.db,
                      [&](session& db) { return delivery_of(db, ask.subscription, ask.event); });
}

caf::result<m::attempts_listed> subscription_overview_state::on_list_attempts(const m::list_attempts& ask) {
  return with_session(*resources_.db, [&](session& db) { return attempts_of(db, ask); });
}

caf::result<m::audit_listed> subscription_overview_state::on_list_audit(const m::list_audit& ask) {
  return with_session(*resources_.db, [&](session& db) {
    return carried<m::audit_listed>(storage::list_audit(db, ask.page));
  });
}

caf::result<m::replay_counted> subscription_overview_state::on_count_replay(const m::count_replay& ask) {
  return with_session(*resources_.db, [&](session& db) {
    return carried<m::replay_counted>(storage::count_replay(db, ask.subscription, ask.which, ask.limits));
  });
}

caf::result<m::replays_listed> subscription_overview_state::on_list_replays(const m::list_replays& ask) {
  return with_session(*resources_.db, [&](session& db) {
    return carried<m::replays_listed>(storage::list_replays(db, ask.page));
  });
}

caf::result<core::replay_job> subscription_overview_state::on_find_replay(const m::find_replay& ask) {
  return with_session(*resources_.db, [&](session& db) {
    return found(storage::find_replay(db, ask.subscription, ask.public_id), "replay", ask.public_id);
  });
}

m::subscription_overview::behavior_type
subscription_overview(m::subscription_overview::stateful_pointer<subscription_overview_state> self,
                      reader_resources resources) {
  return self->state.behavior(std::move(resources));
}

} // namespace sluice::actors
