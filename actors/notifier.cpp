#include "actors/notifier.hpp"

#include "actors/reply.hpp"
#include "messages/request.hpp"
#include "telemetry/log.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace sluice::actors {

namespace m = messages;

namespace {

/// What a message comes to whose profile cannot send: the next one of its route may.
core::submission refused_by_profile(std::string error_class, std::string error) {
  core::submission made;
  made.kind = core::submission_kind::rejected;
  made.cause = core::rejection_cause::provider;
  made.error_class = std::move(error_class);
  made.error = std::move(error);
  return made;
}

bool same_account(const core::provider_profile& one, const core::provider_profile& other) {
  return one.provider == other.provider && one.settings == other.settings
         && one.credentials == other.credentials;
}

} // namespace

m::notifier::behavior_type notifier_state::behavior(notifier_resources resources) {
  resources_ = std::move(resources);
  random_.seed(static_cast<std::uint32_t>(core::to_us(now()) + resources_.profile.value));
  return {
      [this](m::begin_sending& told) { on_begin_sending(told); },
      [this](m::more_notifications_due) { on_more_due(); },
      [this](m::look_at_profile) { on_look_at_profile(); },
      [this](m::end_sending) { return on_end_sending(); },
      [this](m::calls_answered& told) { on_calls_answered(told); },
      [this](m::alarm_rang) { on_alarm_rang(); },
  };
}

void notifier_state::on_begin_sending(m::begin_sending& told) {
  turn_ = {turn_.next(told.failing, resources_.node->time->steady()), {}, {}};
  adopt(told.token);
  if (loaded_)
    go_on();
  else
    load();
}

void notifier_state::on_more_due() {
  turn_.tell_more();
  go_on();
}

void notifier_state::on_look_at_profile() {
  if (!turn_.active)
    loaded_ = false;
  else if (questions_ > 0)
    turn_.look_again = true;
  else
    load();
}

/// What is in flight comes back in its time and is recorded; from here on nothing leaves.
caf::result<void> notifier_state::on_end_sending() {
  turn_.unwanted = true;
  leave();
  give_unsent_back();
  record();
  go_on();
  return caf::unit;
}

void notifier_state::on_alarm_rang() {
  waiting_ = false;
  record();
  go_on();
}

void notifier_state::load() {
  ++questions_;
  auto found = [this](m::profile_opened& answer) {
    --questions_;
    on_loaded(answer);
    go_on();
  };
  auto failed = [this](const caf::error& error) {
    --questions_;
    log_failure(error);
    turn_.held_back = true;
    leave();
    go_on();
  };
  m::request(self_, resources_.reader, patience(), m::open_profile{resources_.profile}, found, failed);
}

void notifier_state::on_loaded(m::profile_opened& answer) {
  if (answer.found) {
    take_profile(std::move(*answer.found));
  } else {
    adapter_.reset();
    profile_.reset();
    refusal_ = refused_by_profile("profile_removed", "the provider profile was removed");
  }
  loaded_ = true;
  if (std::exchange(turn_.look_again, false))
    load();
}

/// A token is of the account it was got for. What waits for one was claimed before, and is built anew.
void notifier_state::take_profile(core::provider_profile found) {
  if (profile_ && !same_account(*profile_, found))
    token_.clear();
  if (profile_ && adapter_ && same_account(*profile_, found))
    return;
  profile_ = std::move(found);
  refusal_.reset();
  auto made = resources_.make_adapter(*profile_);
  if (made) {
    adapter_ = std::move(*made);
    return;
  }
  adapter_.reset();
  const auto fault = made.error().empty() ? std::string{"its settings are not usable"} : made.error().front();
  telemetry::log(telemetry::event::profile_unusable, name,
                 {{"profile", std::to_string(resources_.profile.value)}, {"reason", fault}});
  refusal_ = refused_by_profile("profile_unusable", "the provider profile cannot be used: " + fault);
}

/// Nothing is claimed any more, and calls that have not started come back.
void notifier_state::leave() {
  if (std::exchange(turn_.ending, true) && !turn_.unwanted)
    return;
  if (!held_.empty() || token_out_)
    self_->send(resources_.node->courier, m::withdraw_calls{resources_.profile});
}

/// Claims where it may, and ends the turn where nothing is left to wait for.
void notifier_state::go_on() {
  if (!turn_.active)
    return;
  turn_.give_way_after(settings().turn_time, resources_.node->time->steady());
  if (may_claim())
    claim();
  else if (!busy())
    finish();
}

bool notifier_state::may_claim() const {
  if (turn_.ending || !turn_.more || !loaded_ || questions_ > 0 || waiting_)
    return false;
  return held_count() <= turn_.window / 2;
}

bool notifier_state::busy() const {
  return questions_ > 0 || writes_ > 0 || waiting_ || token_out_ || held_count() > 0 || !ended_.empty()
         || !returned_.empty();
}

void notifier_state::finish() {
  turn_.active = false;
  const auto next = turn_.due_at_end(now());
  self_->send(resources_.dispatcher,
              m::sending_ended{resources_.profile, next, turn_.paused_until, turn_.failing, turn_.held_back,
                               turn_.heard, token_to_hand_over()});
}

m::notifier::behavior_type notifier(m::notifier::stateful_pointer<notifier_state> self,
                                    notifier_resources resources) {
  return self->state.behavior(std::move(resources));
}

} // namespace sluice::actors
