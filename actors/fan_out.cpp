#include "actors/fan_out.hpp"

#include "actors/reply.hpp"
#include "messages/request.hpp"
#include "telemetry/log.hpp"

#include <algorithm>
#include <utility>

namespace sluice::actors {

namespace m = messages;

namespace {

/// Who has something to push now.
std::vector<core::subscription_id> pushes_of(const core::fan_out_batch& batch) {
  std::vector<core::subscription_id> to_push;
  for (const auto& each : batch.deliveries) {
    if (each.passes && each.mode == core::subscription_mode::push)
      to_push.push_back(each.subscription);
  }
  std::ranges::sort(to_push);
  const auto repeated = std::ranges::unique(to_push);
  to_push.erase(repeated.begin(), repeated.end());
  return to_push;
}

} // namespace

m::fan_out::behavior_type fan_out_state::behavior(fan_out_resources resources) {
  resources_ = std::move(resources);
  on_alarm_rang();
  return {
      [this](m::changes_hinted) { on_changes_hinted(); },
      [this](m::alarm_rang) { on_alarm_rang(); },
  };
}

void fan_out_state::on_changes_hinted() {
  work();
}

void fan_out_state::on_alarm_rang() {
  ticked_ = true;
  work();
  const auto interval = resources_.node->settings->subscriptions.fan_out_interval;
  self_->send(resources_.node->alarm, m::set_timer{interval, {}, m::fan_out{self_}});
}

/// Where nobody subscribes, a hint is worth no write: the tick sequences what is published all the same.
void fan_out_state::work() {
  if (std::exchange(working_, true)) {
    again_ = true;
    return;
  }
  const auto ticked = std::exchange(ticked_, false);
  if (version_ && matcher_.empty() && !ticked)
    read();
  else
    sequence();
}

void fan_out_state::sequence() {
  const auto& settings = *resources_.node->settings;
  auto sequenced = [this](const m::events_sequenced&) { read(); };
  auto failure = [this](const caf::error& error) { failed(error); };
  m::request(self_, resources_.node->recorder, settings.actors.request_timeout,
             m::sequence_events{settings.subscriptions.fan_out_events_max}, sequenced, failure);
}

void fan_out_state::read() {
  const auto& settings = *resources_.node->settings;
  auto found = [this](m::fan_out_read& answer) { on_read(answer); };
  auto failure = [this](const caf::error& error) { failed(error); };
  m::request(self_, resources_.reader, settings.actors.request_timeout,
             m::read_fan_out{version_, settings.subscriptions.fan_out_events_max,
                             static_cast<std::size_t>(settings.subscriptions.fan_out_bytes_max)},
             found, failure);
}

void fan_out_state::on_read(m::fan_out_read& answer) {
  const auto& place = answer.place;
  resources_.node->metrics->fan_out_lag.set(
      static_cast<double>(place.sequenced.value - place.cursor.position.value));
  if (answer.subscriptions) {
    matcher_ = core::event_matcher{std::move(*answer.subscriptions)};
    version_ = place.subscriptions_version;
    self_->send(resources_.pushes, m::subscriptions_changed{});
  }
  if (answer.events.empty()) {
    rest();
    return;
  }
  cursor_ = place.cursor;
  events_ = std::move(answer.events);
  write();
}

void fan_out_state::write() {
  const auto& settings = *resources_.node->settings;
  const auto& limits = settings.subscriptions;
  auto batch = matcher_.next_batch(cursor_, events_,
                                   {static_cast<std::size_t>(limits.fan_out_deliveries_max),
                                    static_cast<std::size_t>(limits.fan_out_lone_deliveries_max)});
  auto written = [this, batch](const m::fan_out_recorded& answer) {
    if (!answer.moved) {
      sequence(); // another fan-out moved it
      return;
    }
    count(batch);
    on_written(batch.to, pushes_of(batch));
  };
  auto failure = [this](const caf::error& error) { failed(error); };
  m::request(self_, resources_.node->recorder, settings.actors.request_timeout,
             m::record_fan_out{std::move(batch)}, written, failure);
}

void fan_out_state::on_written(const core::fan_out_cursor& to, std::vector<core::subscription_id> to_push) {
  cursor_ = to;
  std::erase_if(events_, [&](const core::change_event& each) { return each.position <= to.position; });
  if (!to_push.empty())
    self_->send(resources_.pushes, m::deliveries_written{std::move(to_push)});
  if (events_.empty())
    sequence(); // more may be there
  else
    write();
}

/// The next tick or hint begins anew from where the cursor is.
void fan_out_state::failed(const caf::error& error) {
  telemetry::log(telemetry::event::fan_out_failed, name, {{"reason", describe(error)}});
  events_.clear();
  again_ = false;
  rest();
}

void fan_out_state::rest() {
  events_ = {};
  working_ = false;
  if (std::exchange(again_, false))
    work();
}

void fan_out_state::count(const core::fan_out_batch& batch) {
  const auto passed = std::ranges::count_if(batch.deliveries, &core::fanned_out::passes);
  const auto filtered = std::ssize(batch.deliveries) - passed;
  auto& metrics = *resources_.node->metrics;
  if (passed > 0)
    metrics.event_deliveries(core::delivery_state::pending).add(static_cast<std::uint64_t>(passed));
  if (filtered > 0)
    metrics.event_deliveries(core::delivery_state::skipped_filter).add(static_cast<std::uint64_t>(filtered));
}

m::fan_out::behavior_type fan_out(m::fan_out::stateful_pointer<fan_out_state> self,
                                  fan_out_resources resources) {
  return self->state.behavior(std::move(resources));
}

} // namespace sluice::actors
