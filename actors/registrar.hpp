#pragma once

#include "core/outside_address.hpp"
#include "core/time.hpp"
#include "crypto/key_ring.hpp"
#include "messages/registrar.hpp"
#include "storage/session.hpp"

#include <caf/result.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <memory>

/// The registrar: writes what people set up over the API, on a thread and a session of its own, as the
/// commands do in a process of theirs: what takes long (a connection with a million records goes) holds no
/// delivery up.
///
/// The API talks to it. It knows no other actor: the dispatcher finds what changed by the configuration's
/// version. It keeps nothing between two questions.
namespace sluice::actors {

struct registrar_resources {
  std::shared_ptr<storage::session> db; ///< a writer's
  std::shared_ptr<const crypto::key_ring> keys;
  const core::time_source* time = nullptr;
  core::duration grace_period{};   ///< from a disconnect to the purge
  core::outside_addresses outside; ///< what a connection's address may be
};

class registrar_state {
public:
  static constexpr const char* name = "registrar";

  explicit registrar_state(messages::registrar::pointer) {}

  messages::registrar::behavior_type behavior(registrar_resources resources);

private:
  caf::result<messages::configuration_applied> on_apply(const messages::apply_configuration& ask);
  caf::result<messages::connection_moved> on_disconnect(const messages::disconnect_connection& ask);
  caf::result<messages::connection_moved> on_reconnect(const messages::reconnect_connection& ask);
  caf::result<messages::connection_removed> on_uninstall(const messages::uninstall_connection& ask);
  caf::result<messages::connection_cleared> on_clear_error(const messages::clear_connection_error& ask);
  caf::result<core::api_token> on_token(const messages::record_token& ask);
  caf::result<core::api_token> on_revoked(const messages::record_token_revoked& ask);
  caf::result<core::kept_answer> on_begin_answer(const messages::begin_answer& ask);
  caf::result<messages::answer_kept> on_keep_answer(const messages::keep_answer& ask);

  [[nodiscard]] core::timestamp now() const { return resources_.time->wall(); }

  registrar_resources resources_;
};

[[nodiscard]] messages::registrar::behavior_type
registrar(messages::registrar::stateful_pointer<registrar_state> self, registrar_resources resources);

} // namespace sluice::actors
