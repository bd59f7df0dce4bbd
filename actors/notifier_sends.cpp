#include "actors/notifier.hpp"
#include "core/provider_trouble.hpp"
#include "messages/request.hpp"
#include "telemetry/log.hpp"

#include <algorithm>
#include <string>
#include <utility>

// What a notifier claims and sends.

namespace sluice::actors {

namespace m = messages;

namespace {

std::size_t bytes_of(const core::submission_order& order) {
  const auto& content = order.content;
  return content.subject.size() + content.title.size() + content.text.size() + content.html.size()
         + content.data.size();
}

} // namespace

core::push_schedule notifier_state::schedule() const {
  return {{settings().retry_schedule}, settings().asked_beyond_max};
}

core::reconciliation_schedule notifier_state::looks() const {
  return {settings().reconcile_schedule};
}

double notifier_state::jitter() {
  return std::uniform_real_distribution<double>{0, 1}(random_);
}

/// By number and, once it is known how large its contents are, by bytes.
std::int64_t notifier_state::claim_limit() const {
  auto limit = turn_.window - std::min(turn_.window, held_count());
  if (content_bytes_ > 0) {
    const auto bytes_max = static_cast<std::size_t>(settings().claimed_bytes_max);
    limit = std::min(limit, (bytes_max - std::min(bytes_max, held_bytes_)) / content_bytes_);
  }
  return static_cast<std::int64_t>(std::max<std::size_t>(limit, 1));
}

void notifier_state::claim() {
  turn_.more = false;
  ++questions_;
  auto claimed = [this, told = turn_.told](core::notification_claims& claims) {
    --questions_;
    turn_.heard = told;
    on_claimed(claims);
    go_on();
  };
  auto failed = [this](const caf::error& error) {
    --questions_;
    log_failure(error);
    turn_.more = true;
    turn_.held_back = true;
    leave();
    go_on();
  };
  m::request(self_, resources_.node->recorder, patience(),
             m::claim_notifications{{resources_.profile, claim_limit(), settings().lease, looks()}}, claimed,
             failed);
}

void notifier_state::on_claimed(core::notification_claims& claims) {
  turn_.more = turn_.more || !claims.through;
  turn_.next_due = claims.next_due;
  auto& metrics = *resources_.node->metrics;
  metrics.submissions(core::submission_kind::ambiguous).add(static_cast<std::uint64_t>(claims.lapsed));
  metrics.notifications_unsent.add(static_cast<std::uint64_t>(claims.expired + claims.refused));
  if (claims.unreadable > 0)
    telemetry::log(telemetry::event::notifications_unreadable, name,
                   {{"profile", std::to_string(resources_.profile.value)},
                    {"notifications", std::to_string(claims.unreadable)}});
  std::size_t bytes = 0;
  for (auto& each : claims.notifications) {
    bytes += bytes_of(each.order);
    unsent_.push_back(std::move(each));
  }
  held_bytes_ += bytes;
  if (!claims.notifications.empty())
    content_bytes_ = std::max<std::size_t>(bytes / claims.notifications.size(), 1);
  send_unsent();
  record();
  if (std::exchange(turn_.look_again, false))
    load();
}

/// What has no call yet gets one, where a token is there that it needs.
void notifier_state::send_unsent() {
  if (unsent_.empty())
    return;
  if (turn_.unwanted) {
    give_unsent_back();
    return;
  }
  if (!adapter_) {
    for (auto& claimed : std::exchange(unsent_, {}))
      end_attempt(claimed, *refusal_);
    return;
  }
  if (token_out_)
    return;
  if (!has_token()) {
    fetch_token(now());
    return;
  }
  m::place_calls ask{m::notifier{self_}, {}};
  for (auto& claimed : std::exchange(unsent_, {})) {
    if (auto call = call_of({std::move(claimed), adapter_, token_}, now()))
      ask.calls.push_back(std::move(*call));
  }
  if (!ask.calls.empty())
    self_->send(resources_.node->courier, std::move(ask));
}

void notifier_state::give_unsent_back() {
  for (auto& claimed : std::exchange(unsent_, {}))
    take_back({std::move(claimed), {}, {}});
}

/// Nothing where there is no call to make: what that comes to is noted.
std::optional<core::outbound_call> notifier_state::call_of(held_send send, core::timestamp at) {
  auto request = send.by->build(send.claimed.order, at, send.token);
  if (!request) {
    end_attempt(send.claimed, std::move(request.error()));
    return std::nullopt;
  }
  const core::call_id id{++calls_, core::call_purpose::delivery};
  held_.emplace(id.value, std::move(send));
  return core::outbound_call{id, resources_.profile, {}, std::move(*request)};
}

void notifier_state::on_calls_answered(m::calls_answered& told) {
  for (auto& answer : told.answers) {
    if (answer.id.value == 0)
      take_token_answer(answer.answer);
    else
      take_answer(answer);
  }
  send_unsent();
  record();
  go_on();
}

void notifier_state::take_answer(core::call_answer& answer) {
  auto found = held_.extract(answer.id.value);
  if (found.empty())
    return;
  auto& send = found.mapped();
  const auto& got = answer.answer;
  if (got.error == core::call_error::unattempted) {
    take_back(send);
    turn_.hold_back();
    return;
  }
  if (sent_again(send, got))
    return;
  if (token_ == send.token && !token_.empty() && send.by->refuses_token(got, token_, now()))
    token_.clear();
  auto what = send.by->read(send.claimed.order, got, now());
  if (core::speaks_against_provider(what, got))
    note_failure();
  else
    note_success();
  if (what.wait && !send.by->traits().many_services)
    pause(*what.wait);
  end_attempt(send.claimed, std::move(what));
}

/// Says so once a turn.
void notifier_state::note_wrong_clock(core::timestamp told) {
  if (!std::exchange(turn_.clock_told, true))
    telemetry::log(telemetry::event::clock_corrected, name,
                   {{"profile", std::to_string(resources_.profile.value)},
                    {"by", core::to_text(std::chrono::abs(told - now()))},
                    {"clock_is", told > now() ? "slow" : "fast"}});
}

/// The answer shows that nothing was taken and our clock is wrong: the same attempt's call once more, where
/// its lease lasts until the answer.
bool notifier_state::sent_again(held_send& send, const core::http_answer& answer) {
  if (send.again)
    return false;
  const auto told = send.by->corrected_time(answer);
  if (!told || send.claimed.claim.lease_until <= now() + resources_.node->settings->calls.call_timeout)
    return false;
  note_wrong_clock(*told);
  if (turn_.unwanted) {
    take_back(send);
    return true;
  }
  send.again = true;
  if (auto call = call_of(std::move(send), *told)) {
    m::place_calls ask{m::notifier{self_}, {}};
    ask.calls.push_back(std::move(*call));
    self_->send(resources_.node->courier, std::move(ask));
  }
  return true;
}

/// It never left, or is known not to have been taken: it costs no attempt. Once its lease has lapsed there is
/// a doubt about it, and this is the answer.
void notifier_state::take_back(const held_send& send) {
  const auto& claimed = send.claimed;
  if (claimed.claim.lease_until <= now()) {
    core::submission unsent;
    unsent.kind = core::submission_kind::retryable;
    unsent.error_class = "unattempted";
    unsent.error = "the call was held back until its lease had lapsed";
    held_bytes_ -= std::min(held_bytes_, bytes_of(claimed.order));
    ended_.push_back({claimed.notification, {claimed.claim.number, std::move(unsent), now()}});
    return;
  }
  held_bytes_ -= std::min(held_bytes_, bytes_of(claimed.order));
  returned_.push_back({claimed.notification, claimed.claim.number});
  turn_.given_back = true;
}

void notifier_state::end_attempt(const core::claimed_notification& claimed, core::submission what) {
  held_bytes_ -= std::min(held_bytes_, bytes_of(claimed.order));
  resources_.node->metrics->submissions(what.kind).add();
  core::ended_submission ended{claimed.notification, {claimed.claim.number, std::move(what)}};
  if (ended.end.what.kind == core::submission_kind::retryable)
    ended.end.retry_at =
        schedule().next_attempt(claimed.place_attempts, ended.end.what.wait, now(), jitter());
  ended_.push_back(std::move(ended));
}

/// The provider answers, whatever it thinks of the message.
void notifier_state::note_success() {
  turn_.succeed(static_cast<std::size_t>(settings().claims_max));
}

void notifier_state::note_failure() {
  turn_.fail();
  leave();
}

/// The provider wants no request for a while: what has not left waits without an attempt, within bounds.
void notifier_state::pause(core::duration wait) {
  const auto until = now() + std::clamp(wait, core::duration{}, settings().asked_beyond_max);
  turn_.paused_until = std::max(turn_.paused_until.value_or(until), until);
  turn_.window = 1;
  turn_.unwanted = true;
  leave();
  give_unsent_back();
}

} // namespace sluice::actors
