#include "actors/reply.hpp"
#include "actors/subscription.hpp"
#include "core/error_text.hpp"
#include "core/push_answer.hpp"
#include "messages/request.hpp"
#include "providers/retry_after.hpp"
#include "telemetry/log.hpp"

#include <algorithm>
#include <string>
#include <utility>

// What a subscription claims, sends and records.

namespace sluice::actors {

namespace m = messages;

namespace {

constexpr core::duration write_pause = std::chrono::seconds{1};

core::call_id id_of(core::event_position position) {
  return {static_cast<std::uint64_t>(position.value), core::call_purpose::delivery};
}

core::event_position position_of(core::call_id id) {
  return {static_cast<std::int64_t>(id.value)};
}

} // namespace

core::push_schedule subscription_state::schedule() const {
  return {{settings().retry_schedule}, settings().asked_beyond_max};
}

double subscription_state::jitter() {
  return std::uniform_real_distribution<double>{0, 1}(random_);
}

/// By number and, once it is known how large its events are, by bytes.
std::int64_t subscription_state::claim_limit() const {
  auto limit = turn_.window - std::min(turn_.window, held_.size());
  if (event_bytes_ > 0) {
    const auto bytes_max = static_cast<std::size_t>(settings().claimed_bytes_max);
    const auto room = bytes_max - std::min(bytes_max, held_bytes_);
    limit = std::min(limit, room / event_bytes_);
  }
  return static_cast<std::int64_t>(std::max<std::size_t>(limit, 1));
}

void subscription_state::claim() {
  turn_.more = false;
  core::claim_wish wish{resources_.subscription,  claim_limit(), settings().lease, schedule(), jitter(),
                        settings().dead_threshold};
  ++questions_;
  auto claimed = [this, told = turn_.told](core::delivery_claims& claims) {
    --questions_;
    turn_.heard = told;
    on_claimed(claims);
    go_on();
  };
  auto failed = [this](const caf::error& error) {
    --questions_;
    telemetry::log(
        telemetry::event::push_failed, name,
        {{"subscription", std::to_string(resources_.subscription.value)}, {"reason", describe(error)}});
    turn_.more = true;
    turn_.held_back = true;
    leave();
    go_on();
  };
  m::request(self_, resources_.node->recorder, patience(), m::claim_deliveries{std::move(wish)}, claimed,
             failed);
}

void subscription_state::on_claimed(core::delivery_claims& claims) {
  turn_.more = turn_.more || !claims.through;
  turn_.next_due = claims.next_due;
  if (claims.disabled)
    disable(*claims.disabled);
  std::size_t bytes = 0;
  m::place_calls ask{m::subscription{self_}, {}};
  for (auto& each : claims.deliveries) {
    bytes += each.event.body.size();
    if (auto call = hold(each))
      ask.calls.push_back(std::move(*call));
  }
  if (!claims.deliveries.empty())
    event_bytes_ = std::max<std::size_t>(bytes / claims.deliveries.size(), 1);
  if (!ask.calls.empty())
    self_->send(resources_.node->courier, std::move(ask));
  record();
  if (std::exchange(turn_.look_again, false))
    load();
}

/// The call of a claimed delivery; nothing where none may leave, and what that comes to is noted.
std::optional<core::outbound_call> subscription_state::hold(core::claimed_delivery& delivery) {
  const auto position = delivery.event.position;
  if (turn_.unwanted || !requests_) {
    returned_.push_back({position, delivery.claim.number});
    return std::nullopt;
  }
  auto request = requests_->make(delivery.event, now());
  if (!request) {
    core::attempt_end end{.number = delivery.claim.number, .ending = core::attempt_ending::transient};
    end.retry_at = schedule().next_attempt(delivery.round_attempts, std::nullopt, now(), jitter());
    end.error_class = "not_signed";
    end.error = core::error_text(std::move(request.error()), core::delivery_error_bytes_max);
    ended_.push_back({.position = position, .end = std::move(end), .answer = {}});
    note_failure();
    return std::nullopt;
  }
  held_[position] = {delivery.claim.number, delivery.round_attempts, delivery.claim.lease_until,
                     request->body.size()};
  held_bytes_ += request->body.size();
  return core::outbound_call{id_of(position), resources_.subscription, {}, std::move(*request)};
}

void subscription_state::on_calls_answered(m::calls_answered& told) {
  for (auto& answer : told.answers)
    take_answer(answer);
  record();
  go_on();
}

void subscription_state::take_answer(core::call_answer& answer) {
  const auto found = held_.find(position_of(answer.id));
  if (found == held_.end())
    return;
  const auto position = found->first;
  const auto held = found->second;
  held_bytes_ -= held.bytes;
  held_.erase(found);
  auto& got = answer.answer;
  if (got.error == core::call_error::unattempted) {
    returned_.push_back({position, held.number});
    turn_.given_back = true;
    turn_.hold_back();
    return;
  }
  auto verdict = core::read_push_answer(got);
  core::ended_attempt ended{.position = position, .end = {held.number, verdict.ending}, .answer = {}};
  ended.end.error_class = std::move(verdict.error_class);
  ended.end.error = std::move(verdict.error);
  if (verdict.ending == core::attempt_ending::transient)
    ended.end.retry_at = schedule().next_attempt(
        held.round_attempts, providers::parse_retry_after(got.retry_after, now()), now(), jitter());
  ended.took = got.took;
  ended.status = got.status;
  const auto kept = std::min(got.body.size(), static_cast<std::size_t>(settings().answer_bytes_kept));
  ended.answer_cut = got.body.size() > kept || got.error == core::call_error::answer_too_large;
  got.body.resize(kept);
  ended.answer = std::move(got.body);
  resources_.node->metrics->pushes(verdict.ending).add();
  if (verdict.ending == core::attempt_ending::transient)
    note_failure();
  else
    note_success();
  ended_.push_back(std::move(ended));
}

/// The subscriber answers, whatever it thinks of the event.
void subscription_state::note_success() {
  turn_.succeed(static_cast<std::size_t>(settings().claims_max));
}

void subscription_state::note_failure() {
  turn_.fail();
  leave();
}

/// Everything there is by now at once; what comes meanwhile goes with the next.
void subscription_state::record() {
  if (writes_ > 0 || waiting_)
    return;
  if (!ended_.empty()) {
    ++writes_;
    auto ended = std::exchange(ended_, {});
    auto recorded = [this](const core::attempts_recorded& answer) {
      --writes_;
      on_recorded(answer);
    };
    auto failed = [this, ended](const caf::error& error) mutable {
      --writes_;
      ended_.insert(ended_.begin(), std::make_move_iterator(ended.begin()),
                    std::make_move_iterator(ended.end()));
      on_write_failed(error);
    };
    m::request(self_, resources_.node->recorder, patience(),
               m::record_attempt_ends{resources_.subscription, std::move(ended), settings().dead_threshold},
               recorded, failed);
  }
  if (!returned_.empty()) {
    ++writes_;
    auto returned = std::exchange(returned_, {});
    auto given = [this] {
      --writes_;
      record();
      go_on();
    };
    auto failed = [this, returned](const caf::error& error) {
      --writes_;
      returned_.insert(returned_.begin(), returned.begin(), returned.end());
      on_write_failed(error);
    };
    m::request(self_, resources_.node->recorder, patience(),
               m::give_back_attempts{resources_.subscription, std::move(returned)}, given, failed);
  }
}

void subscription_state::on_recorded(const core::attempts_recorded& answer) {
  auto& metrics = *resources_.node->metrics;
  const auto count = [&metrics](core::delivery_state state, std::int64_t deliveries) {
    if (deliveries > 0)
      metrics.event_deliveries(state).add(static_cast<std::uint64_t>(deliveries));
  };
  count(core::delivery_state::delivered, answer.delivered);
  count(core::delivery_state::dead, answer.dead);
  count(core::delivery_state::retrying, answer.applied - answer.delivered - answer.dead);
  turn_.next_due = answer.next_due;
  if (questions_ == 0) { // else the claim that is out knows better
    // Who told of more before this came told of what the answer has seen: both come through the recorder.
    turn_.heard = turn_.told;
    turn_.more = answer.next_due && *answer.next_due <= now();
  }
  if (answer.disabled)
    disable(*answer.disabled);
  record();
  go_on();
}

/// What was learned is kept and written again; a node that lost its lease may write nothing, and the next
/// owner finds these attempts interrupted.
void subscription_state::on_write_failed(const caf::error& error) {
  telemetry::log(
      telemetry::event::push_failed, name,
      {{"subscription", std::to_string(resources_.subscription.value)}, {"reason", describe(error)}});
  turn_.held_back = true;
  leave();
  if (fault_of(error) == m::fault::lease_lost) {
    ended_.clear();
    returned_.clear();
    go_on();
    return;
  }
  waiting_ = true;
  self_->send(resources_.node->alarm, m::set_timer{write_pause, {}, m::subscription{self_}});
}

} // namespace sluice::actors
