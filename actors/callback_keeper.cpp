#include "actors/callback_keeper.hpp"

#include "messages/fault.hpp"
#include "telemetry/log.hpp"

#include <caf/make_message.hpp>
#include <caf/send.hpp>

#include <chrono>
#include <utility>

namespace sluice::actors {

namespace m = messages;
using core::callback_outcome;

namespace {

/// What killed it may come again at once: a provider repeats what was not answered.
constexpr core::duration restart_wait = std::chrono::seconds{1};

} // namespace

callback_keeper_state::~callback_keeper_state() {
  if (intake_)
    caf::anon_send_exit(intake_, caf::exit_reason::user_shutdown);
}

m::callback_intake::behavior_type callback_keeper_state::behavior(callback_intake_resources resources,
                                                                  bool own_thread) {
  resources_ = std::move(resources);
  own_thread_ = own_thread;
  self_->set_down_handler([this](const caf::down_msg& down) { on_down(down); });
  spawn_intake();
  return {
      [this](m::take_callback& ask) { return on_take_callback(ask); },
      [this](m::events_appended) { on_events_appended(); },
      [this](m::rebuild_projections& ask) { return on_rebuild_projections(ask); },
      [this](m::calls_answered&) { on_calls_answered(); },
      [this](m::alarm_rang) { on_alarm_rang(); },
  };
}

caf::result<m::callback_taken> callback_keeper_state::on_take_callback(m::take_callback& ask) {
  if (intake_)
    return self_->delegate(intake_, std::move(ask));
  resources_.node->metrics->callbacks(callback_outcome::unrecorded).add();
  return m::callback_taken{callback_outcome::unrecorded, std::nullopt};
}

void callback_keeper_state::on_events_appended() {
  if (intake_)
    self_->send(intake_, m::events_appended{});
}

caf::result<core::projections_rebuilt>
callback_keeper_state::on_rebuild_projections(m::rebuild_projections& ask) {
  if (intake_)
    return self_->delegate(intake_, std::move(ask));
  return caf::make_error(m::fault::refused, "what projects is being started again: ask once more in a while");
}

void callback_keeper_state::on_calls_answered() {}

void callback_keeper_state::on_alarm_rang() {
  spawn_intake();
}

void callback_keeper_state::on_down(const caf::down_msg& down) {
  if (!intake_ || down.source != intake_.address())
    return;
  telemetry::log(telemetry::event::callback_intake_restarted, name);
  intake_ = m::callback_intake{};
  self_->send(resources_.node->alarm, m::set_timer{restart_wait, {}, m::callback_intake{self_}});
}

void callback_keeper_state::spawn_intake() {
  intake_ = own_thread_ ? self_->spawn<caf::detached>(actors::callback_intake, resources_)
                        : self_->spawn(actors::callback_intake, resources_);
  self_->monitor(intake_);
}

m::callback_intake::behavior_type
callback_keeper(m::callback_intake::stateful_pointer<callback_keeper_state> self,
                callback_intake_resources resources, bool own_thread) {
  return self->state.behavior(std::move(resources), own_thread);
}

} // namespace sluice::actors
