#pragma once

#include "actors/adapter_maker.hpp"
#include "core/time.hpp"
#include "crypto/key_ring.hpp"
#include "messages/notification_registrar.hpp"
#include "providers/notification_adapter.hpp"
#include "storage/contact_points.hpp"
#include "storage/session.hpp"

#include <caf/result.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <expected>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

/// The notification registrar: writes what people and applications ask of profiles, contact points and
/// routes over the API, and the notifications they post, on a thread and a session of its own, so that no
/// sending is held up.
///
/// The API talks to it, and tells whoever sends what has become due. It knows no other actor, calls no
/// provider and keeps nothing between two questions but adapters, as long as no profile changes. An address
/// leaves it in the answer to an admin alone.
namespace sluice::actors {

struct notification_registrar_resources {
  std::shared_ptr<storage::session> db; ///< a writer's
  std::shared_ptr<const crypto::key_ring> keys;
  std::shared_ptr<const crypto::key_ring> fingerprints;
  const core::time_source* time = nullptr;
  adapter_maker make_adapter;
};

class notification_registrar_state {
public:
  static constexpr const char* name = "notification_registrar";

  explicit notification_registrar_state(messages::notification_registrar::pointer) {}

  messages::notification_registrar::behavior_type behavior(notification_registrar_resources resources);

private:
  caf::result<messages::profile_written> on_make_profile(const messages::make_profile& ask);
  caf::result<messages::profile_written> on_change_profile(const messages::change_profile& ask);
  caf::result<messages::thing_removed> on_remove_profile(const messages::remove_profile& ask);
  caf::result<core::notification_route> on_make_route(const messages::make_route& ask);
  caf::result<core::notification_route> on_change_route(const messages::change_route& ask);
  caf::result<messages::thing_removed> on_remove_route(const messages::remove_route& ask);
  caf::result<core::found_contact> on_find_or_make_contact(const messages::find_or_make_contact& ask);
  caf::result<core::opened_contact> on_reveal(const messages::reveal_contact& ask);
  caf::result<core::contact_record> on_suppress(const messages::suppress_contact& ask);
  caf::result<core::contact_record> on_lift(const messages::lift_contact& ask);
  caf::result<messages::thing_removed> on_remove_contact(const messages::remove_contact& ask);
  caf::result<messages::notification_posted> on_post(const messages::post_notification& ask);
  caf::result<core::resealing_step> on_reseal(const messages::reseal_step& ask);

  /// What posted before under the key became; nothing where it is the key's first.
  storage::result<std::optional<messages::notification_posted>>
  posted_before(storage::session& db, const messages::post_notification& ask);
  storage::result<messages::notification_posted> post(storage::session& db,
                                                      const messages::post_notification& ask);
  /// Why a profile of the route could never send it to this contact point.
  storage::result<std::vector<std::string>> faults_of(storage::session& db,
                                                      const core::notification_route& route,
                                                      const core::opened_contact& contact,
                                                      const messages::post_notification& ask);
  using made_adapter = decltype(adapter_maker{}(core::provider_profile{}));
  storage::result<made_adapter> adapter_of(storage::session& db, const core::route_step& step);
  /// Lets the adapters go where a profile has changed.
  storage::result<void> renew_adapters(storage::session& db);

  [[nodiscard]] core::timestamp now() const { return resources_.time->wall(); }
  [[nodiscard]] storage::contact_keys keys() const { return {*resources_.keys, *resources_.fingerprints}; }

  notification_registrar_resources resources_;
  std::map<core::provider_profile_id, made_adapter> adapters_;
  std::int64_t adapters_version_ = 0; ///< of the profiles they were made of
};

[[nodiscard]] messages::notification_registrar::behavior_type
notification_registrar(messages::notification_registrar::stateful_pointer<notification_registrar_state> self,
                       notification_registrar_resources resources);

} // namespace sluice::actors
