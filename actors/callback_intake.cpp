#include "actors/callback_intake.hpp"

#include "actors/projector.hpp"
#include "messages/fault.hpp"
#include "messages/request.hpp"
#include "telemetry/log.hpp"

#include <caf/send.hpp>

#include <algorithm>

namespace sluice::actors {

namespace m = messages;
using core::callback_outcome;

callback_intake_state::~callback_intake_state() {
  if (projector_)
    caf::anon_send_exit(projector_, caf::exit_reason::user_shutdown);
  if (resources_.node)
    resources_.node->metrics->callbacks_in_hand.add(-static_cast<double>(in_hand_.size()));
}

m::callback_intake::behavior_type callback_intake_state::behavior(callback_intake_resources resources) {
  resources_ = std::move(resources);
  certificates_ = core::certificate_cache{{static_cast<std::size_t>(settings().certificates_max),
                                           settings().certificate_time, settings().certificate_retry}};
  audit_.emplace(self_, resources_.node, resources_.recorder);
  self_->set_down_handler([this](const caf::down_msg& down) { on_down(down); });
  spawn_projector();
  return {
      [this](m::take_callback& ask) { return on_take_callback(ask); },
      [this](m::events_appended) { on_events_appended(); },
      [this](m::rebuild_projections& ask) { return on_rebuild_projections(ask); },
      [this](m::calls_answered& told) { on_calls_answered(told); },
      [this](m::alarm_rang rang) { on_alarm_rang(rang); },
  };
}

caf::result<m::callback_taken> callback_intake_state::on_take_callback(m::take_callback& ask) {
  auto answer = self_->make_response_promise<promise>();
  const auto bytes = ask.request.body.size();
  if (!has_room_for(bytes)) {
    resources_.node->metrics->callbacks(callback_outcome::crowded).add();
    answer.deliver(m::callback_taken{callback_outcome::crowded});
    return answer;
  }
  const auto which = ++last_number_;
  auto& taken = in_hand_[which];
  taken.asked = std::move(ask);
  taken.bytes = bytes;
  taken.answer = answer;
  bytes_in_hand_ += bytes;
  resources_.node->metrics->callbacks_in_hand.add(1);
  deadlines_.emplace_back(steady() + settings().answer_timeout, which);
  plan_deadline();
  look_up(which);
  return answer;
}

bool callback_intake_state::has_room_for(std::size_t bytes) const {
  return in_hand_.size() < static_cast<std::size_t>(settings().in_hand_max)
         && bytes_in_hand_ + bytes <= static_cast<std::size_t>(settings().in_hand_bytes_max);
}

void callback_intake_state::on_events_appended() {
  if (projector_)
    self_->send(projector_, m::events_appended{});
}

caf::result<core::projections_rebuilt>
callback_intake_state::on_rebuild_projections(m::rebuild_projections& ask) {
  auto answer = self_->make_response_promise<caf::typed_response_promise<core::projections_rebuilt>>();
  if (!projector_) {
    answer.deliver(
        caf::make_error(m::fault::refused, "what projects is being started again: ask once more in a while"));
    return answer;
  }
  auto rebuilt = [answer](const core::projections_rebuilt& done) mutable { answer.deliver(done); };
  auto failed = [answer](caf::error& error) mutable { answer.deliver(std::move(error)); };
  m::request(self_, projector_, resources_.node->settings->actors.request_timeout, std::move(ask),
             std::move(rebuilt), std::move(failed));
  return answer;
}

void callback_intake_state::on_alarm_rang(m::alarm_rang rang) {
  if (rang.token.value == projector_token) {
    spawn_projector();
    return;
  }
  timer_set_ = false;
  pass_deadlines();
  plan_deadline();
}

/// One that dies of what it meets at once would die again and again: its next life waits for the next look.
void callback_intake_state::on_down(const caf::down_msg& down) {
  if (!projector_ || down.source != projector_.address())
    return;
  telemetry::log(telemetry::event::projector_restarted, name);
  projector_ = m::projector{};
  self_->send(resources_.node->alarm,
              m::set_timer{settings().project_interval, {projector_token}, m::callback_intake{self_}});
}

void callback_intake_state::spawn_projector() {
  projector_ =
      self_->spawn(actors::projector, projector_resources{resources_.node, resources_.projecting, {}});
  self_->monitor(projector_);
}

callback_intake_state::callback* callback_intake_state::find(number which) {
  const auto found = in_hand_.find(which);
  return found == in_hand_.end() ? nullptr : &found->second;
}

/// What is at the recorder stays in hand until that has answered: it takes its memory until then.
void callback_intake_state::answer(number which, m::callback_taken told) {
  auto* of = find(which);
  if (of == nullptr)
    return;
  if (!std::exchange(of->answered, true)) {
    auto& metrics = *resources_.node->metrics;
    metrics.callbacks(told.outcome).add();
    if (told.refusal)
      metrics.callbacks_refused(*told.refusal).add();
    of->answer.deliver(told);
  }
  if (!of->out)
    forget(which);
}

void callback_intake_state::refuse(number which, core::callback_refusal why, const held_profile& of) {
  const auto kind = why.kind;
  if (const auto* refused = find(which))
    note_refusal(*refused, std::move(why), &of);
  answer(which, {callback_outcome::refused, kind});
}

/// Whoever tries addresses is told no more than that there is nothing.
void callback_intake_state::refuse_unknown(number which, std::string why, const held_profile* of) {
  if (const auto* refused = find(which))
    note_refusal(*refused, {core::callback_refusal_kind::bad_signature, std::move(why)}, of);
  answer(which, {callback_outcome::unknown, std::nullopt});
}

void callback_intake_state::note_refusal(const callback& of, core::callback_refusal why,
                                         const held_profile* whose) {
  core::refused_callback noted;
  noted.at = resources_.node->time->wall();
  if (whose != nullptr) {
    noted.profile = whose->id;
    noted.tenant = whose->tenant;
  }
  noted.source = of.asked.source;
  noted.kind = why.kind;
  noted.reason = std::move(why.reason);
  noted.digest = of.asked.digest;
  audit_->add(std::move(noted));
}

void callback_intake_state::forget(number which) {
  const auto found = in_hand_.find(which);
  bytes_in_hand_ -= found->second.bytes;
  in_hand_.erase(found);
  resources_.node->metrics->callbacks_in_hand.add(-1);
}

/// One timer at a time, for the first that is still in hand.
void callback_intake_state::plan_deadline() {
  while (!deadlines_.empty() && find(deadlines_.front().second) == nullptr)
    deadlines_.pop_front();
  if (timer_set_ || deadlines_.empty())
    return;
  timer_set_ = true;
  const auto after = std::max(deadlines_.front().first - steady(), core::duration{0});
  self_->send(resources_.node->alarm, m::set_timer{after, {deadline_token}, m::callback_intake{self_}});
}

void callback_intake_state::pass_deadlines() {
  const auto now = steady();
  while (!deadlines_.empty() && deadlines_.front().first <= now) {
    const auto which = deadlines_.front().second;
    deadlines_.pop_front();
    answer(which, {callback_outcome::late, std::nullopt});
  }
}

m::callback_intake::behavior_type
callback_intake(m::callback_intake::stateful_pointer<callback_intake_state> self,
                callback_intake_resources resources) {
  return self->state.behavior(std::move(resources));
}

} // namespace sluice::actors
