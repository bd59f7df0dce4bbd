#include "actors/doorkeeper.hpp"

#include "storage/tokens.hpp"

#include <utility>

namespace sluice::actors {

namespace m = messages;
using storage::session;

m::doorkeeper::behavior_type doorkeeper_state::behavior(reader_resources resources) {
  resources_ = std::move(resources);
  return {
      [this](const m::find_token& ask) { return on_find_token(ask); },
      [this](m::list_tokens) { return on_list_tokens(); },
  };
}

caf::result<m::token_found> doorkeeper_state::on_find_token(const m::find_token& ask) {
  return with_session(*resources_.db, [&](session& db) {
    return carried<m::token_found>(storage::find_token(db, ask.digest));
  });
}

caf::result<m::tokens_listed> doorkeeper_state::on_list_tokens() {
  return with_session(*resources_.db,
                      [](session& db) { return carried<m::tokens_listed>(storage::list_tokens(db)); });
}

m::doorkeeper::behavior_type doorkeeper(m::doorkeeper::stateful_pointer<doorkeeper_state> self,
                                        reader_resources resources) {
  return self->state.behavior(std::move(resources));
}

} // namespace sluice::actors
