#include "actors/projector.hpp"

#include "actors/reply.hpp"
#include "messages/request.hpp"
#include "telemetry/log.hpp"

#include <caf/typed_response_promise.hpp>

#include <chrono>
#include <string>
#include <utility>

namespace sluice::actors {

namespace m = messages;
using core::event_progress;

namespace {

constexpr core::duration clean_up_interval = std::chrono::hours{1};
constexpr std::int64_t remove_rows_max = 1000; ///< a transaction

} // namespace

m::projector::behavior_type projector_state::behavior(projector_resources resources) {
  resources_ = std::move(resources);
  on_alarm_rang();
  return {
      [this](m::events_appended) { on_events_appended(); },
      [this](const m::rebuild_projections& ask) { return on_rebuild_projections(ask); },
      [this](m::alarm_rang) { on_alarm_rang(); },
  };
}

void projector_state::on_events_appended() {
  work();
}

void projector_state::on_alarm_rang() {
  work();
  clean_up();
  self_->send(resources_.node->alarm,
              m::set_timer{resources_.node->settings->callbacks.project_interval, {}, m::projector{self_}});
}

caf::result<core::projections_rebuilt>
projector_state::on_rebuild_projections(const m::rebuild_projections& ask) {
  auto answer = self_->make_response_promise<caf::typed_response_promise<core::projections_rebuilt>>();
  work();
  auto rebuilt = [answer, by = ask.by](const core::projections_rebuilt& done) mutable {
    telemetry::log(telemetry::event::projections_rebuilt, name,
                   {{"attempts", std::to_string(done.attempts)},
                    {"events", std::to_string(done.events)},
                    {"upto", std::to_string(done.upto.value)},
                    {"by", by}});
    answer.deliver(done);
  };
  auto failed = [answer](caf::error& error) mutable { answer.deliver(std::move(error)); };
  const auto& settings = *resources_.node->settings;
  m::request(self_, resources_.recorder, settings.actors.request_timeout,
             m::rebuild_batch{ask.after, settings.callbacks.project_batch, ask.by}, std::move(rebuilt),
             std::move(failed));
  return answer;
}

void projector_state::work() {
  if (std::exchange(working_, true))
    again_ = true;
  else
    project();
}

void projector_state::project() {
  const auto& settings = *resources_.node->settings;
  auto projected = [this](const core::events_projected& done) { on_projected(done); };
  auto failure = [this](const caf::error& error) { failed(error); };
  m::request(self_, resources_.recorder, settings.actors.request_timeout,
             m::project_events{settings.callbacks.project_batch, resources_.schedule}, projected, failure);
}

void projector_state::on_projected(const core::events_projected& done) {
  auto& events = resources_.node->metrics->provider_events;
  events(event_progress::unmatched).add(done.unmatched);
  events(event_progress::matched).add(done.looked_at - done.unmatched);
  if (done.looked_at < resources_.node->settings->callbacks.project_batch)
    rest();
  else
    project();
}

/// What was told meanwhile is pending too: the next look finds both.
void projector_state::failed(const caf::error& error) {
  telemetry::log(telemetry::event::projector_failed, name, {{"reason", describe(error)}});
  again_ = false;
  rest();
}

void projector_state::rest() {
  working_ = false;
  if (std::exchange(again_, false))
    work();
}

void projector_state::clean_up() {
  const auto now = resources_.node->time->steady();
  const auto first = cleaned_up_at_ == core::duration{};
  if (removing_ || (!first && now - cleaned_up_at_ < clean_up_interval))
    return;
  cleaned_up_at_ = now;
  removing_ = true;
  prune({resources_.node->time->wall() - resources_.node->settings->callbacks.retention, remove_rows_max});
}

void projector_state::prune(const m::prune_reports& ask) {
  auto removed = [this, ask](const m::rows_removed& done) {
    removing_ = done.rows > 0;
    if (removing_)
      prune(ask);
  };
  auto failure = [this](const caf::error& error) {
    removing_ = false;
    telemetry::log(telemetry::event::clean_up_failed, name, {{"reason", describe(error)}});
  };
  m::request(self_, resources_.recorder, resources_.node->settings->actors.request_timeout, ask, removed,
             failure);
}

m::projector::behavior_type projector(m::projector::stateful_pointer<projector_state> self,
                                      projector_resources resources) {
  return self->state.behavior(std::move(resources));
}

} // namespace sluice::actors
