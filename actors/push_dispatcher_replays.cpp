#include "actors/push_dispatcher.hpp"
#include "actors/replayer.hpp"
#include "messages/fault.hpp"

#include <utility>

// The push_dispatcher's child for replays, and what people ask of it.

namespace sluice::actors {

namespace m = messages;

namespace {

caf::error stopping_already() {
  return caf::make_error(m::fault::shutting_down, "the node is stopping");
}

} // namespace

caf::result<core::replay_job> push_dispatcher_state::on_start_replay(m::start_replay& ask) {
  if (!replayer_)
    return stopping_already();
  return self_->delegate(replayer_, std::move(ask));
}

caf::result<core::replay_job> push_dispatcher_state::on_cancel_replay(m::cancel_replay& ask) {
  if (!replayer_)
    return stopping_already();
  return self_->delegate(replayer_, std::move(ask));
}

void push_dispatcher_state::spawn_replayer() {
  replayer_ = self_->spawn(actors::replayer, replayer_resources{resources_.node, m::push_dispatcher{self_}});
  self_->monitor(replayer_);
}

} // namespace sluice::actors
