#pragma once

#include "actors/reader.hpp"
#include "messages/notification_overview.hpp"

#include <caf/result.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <memory>

/// The notification overview: answers what people ask of profiles, contact points, routes, notifications and
/// what providers told, on a thread and a session of its own, so that a long answer keeps nobody else
/// waiting.
///
/// The operator API talks to it. It opens nothing that is sealed, writes nothing and keeps nothing between
/// two questions.
namespace sluice::actors {

struct notification_overview_resources {
  std::shared_ptr<storage::session> db;
  std::shared_ptr<const crypto::key_ring> keys;         ///< for their names
  std::shared_ptr<const crypto::key_ring> fingerprints; ///< for their names
};

class notification_overview_state {
public:
  static constexpr const char* name = "notification_overview";

  explicit notification_overview_state(messages::notification_overview::pointer) {}

  messages::notification_overview::behavior_type behavior(notification_overview_resources resources);

private:
  caf::result<core::profile_record> on_find_profile(const messages::find_profile& ask);
  caf::result<messages::profiles_listed> on_list_profiles(const messages::list_profiles& ask);
  caf::result<core::notification_route> on_find_route(const messages::find_route& ask);
  caf::result<messages::notification_routes_listed>
  on_list_routes(const messages::list_notification_routes& ask);
  caf::result<core::contact_record> on_find_contact(const messages::find_contact& ask);
  caf::result<messages::contacts_listed> on_list_contacts(const messages::list_contacts& ask);
  caf::result<messages::notification_found> on_find(const messages::find_notification& ask);
  caf::result<messages::notifications_listed> on_list(const messages::list_notifications& ask);
  caf::result<messages::provider_events_listed> on_list_events(const messages::list_provider_events& ask);
  caf::result<messages::callback_refusals_listed>
  on_list_refusals(const messages::list_callback_refusals& ask);
  caf::result<messages::unsettled_listed> on_list_unsettled(const messages::list_unsettled& ask);
  caf::result<messages::lapsed_listed> on_list_lapsed(const messages::list_lapsed& ask);
  caf::result<messages::unknown_creates_listed>
  on_list_unknown_creates(const messages::list_unknown_creates& ask);
  caf::result<core::unsettled_counts> on_count_unsettled(const messages::count_unsettled& ask);
  caf::result<messages::key_uses_counted> on_count_key_uses();

  notification_overview_resources resources_;
};

[[nodiscard]] messages::notification_overview::behavior_type
notification_overview(messages::notification_overview::stateful_pointer<notification_overview_state> self,
                      notification_overview_resources resources);

} // namespace sluice::actors
