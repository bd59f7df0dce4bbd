#pragma once

#include "actors/reader.hpp"
#include "messages/subscription_overview.hpp"

#include <caf/result.hpp>
#include <caf/typed_event_based_actor.hpp>

/// The subscription overview: answers what people ask of subscriptions, events and deliveries, on a thread
/// and a session of its own, so that a long answer keeps nobody else waiting.
///
/// The operator API talks to it. It writes nothing and keeps nothing between two questions.
namespace sluice::actors {

class subscription_overview_state {
public:
  static constexpr const char* name = "subscription_overview";

  explicit subscription_overview_state(messages::subscription_overview::pointer) {}

  messages::subscription_overview::behavior_type behavior(reader_resources resources);

private:
  caf::result<core::subscription> on_find(const messages::find_subscription& ask);
  caf::result<messages::subscriptions_listed> on_list(const messages::list_subscriptions& ask);
  caf::result<messages::events_listed> on_list_events(const messages::list_events& ask);
  caf::result<messages::deliveries_listed> on_list_deliveries(const messages::list_deliveries& ask);
  caf::result<core::event_delivery> on_find_delivery(const messages::find_delivery& ask);
  caf::result<messages::attempts_listed> on_list_attempts(const messages::list_attempts& ask);
  caf::result<messages::audit_listed> on_list_audit(const messages::list_audit& ask);
  caf::result<messages::replay_counted> on_count_replay(const messages::count_replay& ask);
  caf::result<messages::replays_listed> on_list_replays(const messages::list_replays& ask);
  caf::result<core::replay_job> on_find_replay(const messages::find_replay& ask);

  reader_resources resources_;
};

[[nodiscard]] messages::subscription_overview::behavior_type
subscription_overview(messages::subscription_overview::stateful_pointer<subscription_overview_state> self,
                      reader_resources resources);

} // namespace sluice::actors
