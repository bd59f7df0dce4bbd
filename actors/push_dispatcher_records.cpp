#include "actors/push_dispatcher.hpp"
#include "actors/reply.hpp"
#include "messages/request.hpp"
#include "telemetry/log.hpp"

#include <string>
#include <utility>

// The push_dispatcher's questions to the database.

namespace sluice::actors {

namespace m = messages;

namespace {

constexpr core::duration clean_up_interval = std::chrono::hours{1};
constexpr std::int64_t rows_at_once = 1000; ///< a transaction

} // namespace

/// Every subscription that has something due, now or later: at the start, and where one may have been missed.
void push_dispatcher_state::list_dues() {
  if (std::exchange(listing_, true)) {
    list_again_ = true;
    return;
  }
  auto found = [this](const m::push_dues_listed& answer) { listed(answer.dues); };
  auto failed = [this](const caf::error& error) {
    telemetry::log(telemetry::event::look_failed, name, {{"reason", describe(error)}});
    listing_ = list_again_ = false;
    listed_at_ = {}; // the next tick asks again
  };
  m::request(self_, resources_.reader, resources_.node->settings->actors.request_timeout, m::list_push_dues{},
             found, failed);
}

void push_dispatcher_state::listed(const std::vector<core::subscription_due>& dues) {
  listing_ = false;
  listed_at_ = now();
  for (const auto& due : dues)
    note_due(due.subscription, due.at, due.failing);
  start_ready();
  if (std::exchange(list_again_, false))
    list_dues();
}

caf::result<core::event_delivery> push_dispatcher_state::on_restart_delivery(m::restart_delivery& ask) {
  auto answer = self_->make_response_promise<caf::typed_response_promise<core::event_delivery>>();
  auto restarted = [this, answer](core::event_delivery& delivery) mutable {
    note_due(delivery.subscription, now());
    start_ready();
    answer.deliver(std::move(delivery));
  };
  auto failed = [answer](caf::error& error) mutable { answer.deliver(std::move(error)); };
  m::request(self_, resources_.node->recorder, resources_.node->settings->actors.request_timeout,
             m::record_delivery_restart{std::move(ask.wanted)}, restarted, failed);
  return answer;
}

void push_dispatcher_state::refuse_open() {
  auto refused = [this](const m::deliveries_refused& answer) {
    if (answer.deliveries > 0)
      resources_.node->metrics->event_deliveries(core::delivery_state::failed)
          .add(static_cast<std::uint64_t>(answer.deliveries));
    if (!answer.through && !stopping_)
      refuse_open();
  };
  auto failed = [](const caf::error& error) {
    telemetry::log(telemetry::event::clean_up_failed, name, {{"reason", describe(error)}});
  };
  m::request(self_, resources_.node->recorder, resources_.node->settings->actors.request_timeout,
             m::refuse_open_deliveries{rows_at_once}, refused, failed);
}

void push_dispatcher_state::clean_up() {
  if (now() - cleaned_up_at_ < clean_up_interval)
    return;
  cleaned_up_at_ = now();
  const auto& settings = resources_.node->settings->subscriptions;
  refuse_open();
  prune({now() - settings.retention, now() - settings.audit_retention, rows_at_once});
}

/// A batch, and the next one once it is committed: what others write meanwhile waits for one at the most.
void push_dispatcher_state::prune(const m::prune_events& ask) {
  auto pruned = [this, ask](const m::events_pruned& answer) {
    if (answer.open > 0)
      telemetry::log(telemetry::event::deliveries_expired, name,
                     {{"deliveries", std::to_string(answer.open)}});
    if (answer.rows > 0 && !stopping_)
      prune(ask);
  };
  auto failed = [](const caf::error& error) {
    telemetry::log(telemetry::event::clean_up_failed, name, {{"reason", describe(error)}});
  };
  m::request(self_, resources_.node->recorder, resources_.node->settings->actors.request_timeout, ask, pruned,
             failed);
}

} // namespace sluice::actors
