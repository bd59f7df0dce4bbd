#pragma once

#include "core/time.hpp"
#include "crypto/key_ring.hpp"
#include "messages/subscription_registrar.hpp"
#include "storage/session.hpp"

#include <caf/result.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <memory>

/// The subscription registrar: writes what people and applications ask of subscriptions and events over the
/// API, on a thread and a session of its own, so that no delivery is held up.
///
/// The API talks to it, and tells those who push what has changed. It knows no other actor and keeps nothing
/// between two questions. The text of a secret leaves it once, in the answer to whoever asked for it.
namespace sluice::actors {

struct subscription_registrar_resources {
  std::shared_ptr<storage::session> db; ///< a writer's
  std::shared_ptr<const crypto::key_ring> keys;
  const core::time_source* time = nullptr;
  core::duration secret_overlap{}; ///< a rotated secret goes on signing for so long
};

class subscription_registrar_state {
public:
  static constexpr const char* name = "subscription_registrar";

  explicit subscription_registrar_state(messages::subscription_registrar::pointer) {}

  messages::subscription_registrar::behavior_type behavior(subscription_registrar_resources resources);

private:
  caf::result<messages::subscription_made> on_make(const messages::make_subscription& ask);
  caf::result<core::subscription> on_change(const messages::change_subscription& ask);
  caf::result<messages::subscription_removed> on_remove(const messages::remove_subscription& ask);
  caf::result<messages::secret_rotated> on_rotate(const messages::rotate_secret& ask);
  caf::result<messages::event_published> on_publish(const messages::publish_event& ask);
  caf::result<core::published_event> on_test(const messages::send_test_event& ask);
  caf::result<core::pull_page> on_read_pull(const messages::read_pull& ask);
  caf::result<core::pull_advanced> on_advance(const messages::advance_cursor& ask);

  [[nodiscard]] core::timestamp now() const { return resources_.time->wall(); }

  subscription_registrar_resources resources_;
};

[[nodiscard]] messages::subscription_registrar::behavior_type
subscription_registrar(messages::subscription_registrar::stateful_pointer<subscription_registrar_state> self,
                       subscription_registrar_resources resources);

} // namespace sluice::actors
