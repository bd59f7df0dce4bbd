#pragma once

#include "actors/reader.hpp"
#include "messages/doorkeeper.hpp"

#include <caf/result.hpp>
#include <caf/typed_event_based_actor.hpp>

/// The doorkeeper: says whose token a request carries, on a thread and a session of its own, so that no long
/// question of somebody who is inside keeps others waiting at the door.
///
/// The API talks to it. It keeps nothing: a token that was revoked, by whichever node or command, opens
/// nothing from the next request on.
namespace sluice::actors {

class doorkeeper_state {
public:
  static constexpr const char* name = "doorkeeper";

  explicit doorkeeper_state(messages::doorkeeper::pointer) {}

  messages::doorkeeper::behavior_type behavior(reader_resources resources);

private:
  caf::result<messages::token_found> on_find_token(const messages::find_token& ask);
  caf::result<messages::tokens_listed> on_list_tokens();

  reader_resources resources_;
};

[[nodiscard]] messages::doorkeeper::behavior_type
doorkeeper(messages::doorkeeper::stateful_pointer<doorkeeper_state> self, reader_resources resources);

} // namespace sluice::actors
