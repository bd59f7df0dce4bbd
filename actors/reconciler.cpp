#include "actors/reconciler.hpp"

#include "actors/reply.hpp"
#include "messages/request.hpp"
#include "telemetry/log.hpp"

#include <string>
#include <utility>

namespace sluice::actors {

namespace m = messages;

namespace {

/// A look is no later than this behind its due time.
constexpr core::duration look_interval = std::chrono::seconds{15};

} // namespace

m::reconciler::behavior_type reconciler_state::behavior(reconciler_resources resources) {
  resources_ = std::move(resources);
  return {
      [this](m::begin_looks& told) { on_begin_looks(told); },
      [this](m::calls_answered& told) { on_calls_answered(told); },
      [this](m::alarm_rang) { on_alarm_rang(); },
  };
}

void reconciler_state::on_begin_looks(m::begin_looks& told) {
  rules_ = std::move(told.rules);
  if (!std::exchange(begun_, true))
    on_alarm_rang();
}

void reconciler_state::on_alarm_rang() {
  look();
  ask_rules();
  search();
  self_->send(resources_.node->alarm, m::set_timer{look_interval, {}, m::reconciler{self_}});
}

void reconciler_state::look() {
  if (std::exchange(looking_, true))
    return;
  steps_ = 1;
  recorded_ = 0;
  auto listed = [this](m::due_targets_listed& answer) {
    on_listed(answer);
    --steps_;
    end_if_through();
  };
  auto failed = [this](const caf::error& error) {
    note_failure(error);
    --steps_;
    end_if_through();
  };
  m::request(self_, resources_.reader, patience(),
             m::list_due_targets{resources_.node->settings->notifications.reconcile_batch}, listed, failed);
}

void reconciler_state::on_listed(m::due_targets_listed& answer) {
  std::vector<core::reconciliation_question> events;
  for (auto& each : answer.questions) {
    if (each.item.key.kind == core::reconciliation_target::unmatched_event)
      events.push_back(std::move(each));
    else
      profiles_[each.item.profile].waiting.push_back(std::move(each));
  }
  if (!events.empty())
    look_at_events(events);
  for (const auto& [profile, waiting] : profiles_)
    open(profile);
}

/// Nothing is kept of it: what its rule did not come to is due at the next tick, too.
void reconciler_state::ask_rules() {
  if (!rules_)
    return;
  auto listed = [this](m::rules_of_due_creates& answer) {
    if (!answer.rules.empty())
      self_->send(rules_, m::creates_due{std::move(answer.rules)});
  };
  auto failed = [this](const caf::error& error) { note_failure(error); };
  m::request(self_, resources_.reader, patience(), m::list_rules_of_due_creates{}, listed, failed);
}

/// Recorded as not found, and projected once more: where the attempt is here by now, the projection ends the
/// target.
void reconciler_state::look_at_events(const std::vector<core::reconciliation_question>& events) {
  m::look_again_at_events ask;
  for (const auto& each : events) {
    ask.events.push_back({each.item.key.subject});
    record_look(each, {each.item.key, core::reconciliation_verdict::not_found, {}});
  }
  ++steps_;
  auto pending = [this](const m::events_pending& answer) {
    if (answer.events > 0 && resources_.projections)
      self_->send(resources_.projections, m::events_appended{});
    --steps_;
    end_if_through();
  };
  auto failed = [this](const caf::error& error) {
    note_failure(error);
    --steps_;
    end_if_through();
  };
  m::request(self_, resources_.node->recorder, patience(), std::move(ask), pending, failed);
}

void reconciler_state::open(core::provider_profile_id profile) {
  ++steps_;
  auto opened = [this, profile](m::profile_opened& answer) {
    on_opened(profile, answer);
    --steps_;
    end_if_through();
  };
  auto failed = [this](const caf::error& error) {
    note_failure(error); // what waits for it is due as before
    --steps_;
    end_if_through();
  };
  m::request(self_, resources_.reader, patience(), m::open_profile{profile}, opened, failed);
}

void reconciler_state::on_opened(core::provider_profile_id profile, m::profile_opened& answer) {
  auto& of = profiles_[profile];
  of.removed = !answer.found;
  if (answer.found) {
    of.tenant = answer.found->tenant;
    if (auto made = resources_.make_adapter(*answer.found))
      of.adapter = std::move(*made);
  }
  for (auto& each : std::exchange(of.waiting, {}))
    ask(of, std::move(each));
}

/// A pass that recorded something may have more to look at; one that did not waits for the next tick.
void reconciler_state::end_if_through() {
  if (steps_ > 0)
    return;
  profiles_.clear();
  looking_ = false;
  if (recorded_ > 0)
    look();
}

void reconciler_state::note_failure(const caf::error& error) {
  telemetry::log(telemetry::event::reconciliation_failed, name, {{"reason", describe(error)}});
}

m::reconciler::behavior_type reconciler(m::reconciler::stateful_pointer<reconciler_state> self,
                                        reconciler_resources resources) {
  return self->state.behavior(std::move(resources));
}

} // namespace sluice::actors
