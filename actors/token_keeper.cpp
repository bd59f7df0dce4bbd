#include "actors/token_keeper.hpp"

#include "actors/reply.hpp"
#include "messages/recorder.hpp"
#include "messages/request.hpp"

#include <algorithm>
#include <utility>

namespace sluice::actors {

namespace m = messages;
using core::outcome_kind;

namespace {

/// A token is not used in the last part of its life, so that no call carries one that expires on its way.
constexpr core::duration expiry_margin_max = std::chrono::seconds{60};

} // namespace

m::token_keeper::behavior_type token_keeper_state::behavior(token_keeper_resources resources) {
  resources_ = std::move(resources);
  return {
      [this](const m::ask_token& ask) { return on_ask_token(ask); },
      [this](const m::calls_answered& told) { on_calls_answered(told); },
  };
}

caf::result<m::token_told> token_keeper_state::on_ask_token(const m::ask_token& ask) {
  auto promise = self_->make_response_promise<token_promise>();
  auto usable = !token_.empty() && token_ != ask.refused && resources_.node->time->wall() < good_until_;
  if (usable) {
    promise.deliver(m::token_told{token_, std::nullopt});
    return promise;
  }
  waiting_.push_back(promise);
  if (!std::exchange(fetching_, true)) {
    token_.clear();
    load(ask.rule);
  }
  return promise;
}

void token_keeper_state::load(core::rule_id rule) {
  auto loaded = [this](const m::rule_loaded& answer) {
    auto writer = providers::make_writer(answer.target, answer.rule.domain);
    if (!writer) {
      give_up(outcome_kind::unauthorized, writer.error().front());
      return;
    }
    writer_ = std::move(*writer);
    ask_for_budget();
  };
  auto failed = [this](const caf::error& error) { give_up(outcome_kind::transient, describe(error)); };
  m::request(self_, resources_.node->recorder, resources_.node->settings->actors.request_timeout,
             m::load_rule{rule}, loaded, failed);
}

void token_keeper_state::ask_for_budget() {
  auto granted = [this](const m::budget_granted& answer) {
    if (answer.granted > 0)
      call();
    else
      wait_for_budget(answer);
  };
  auto failed = [this](const caf::error& error) { give_up(outcome_kind::transient, describe(error)); };
  m::request(self_, resources_.throttle, resources_.node->settings->actors.request_timeout,
             m::request_budget{caller(), 1, writer_->traits().requests_per_minute}, granted, failed);
}

void token_keeper_state::wait_for_budget(const m::budget_granted& answer) {
  core::outcome spent{
      outcome_kind::rate_limited, {}, "access_token", "the connection's request budget is spent", {}};
  if (answer.rest_at)
    spent.wait = *answer.rest_at - resources_.node->time->wall();
  answer_all({{}, std::move(spent)});
}

/// The whole connection waits, as after any 429; for how long, the throttle decides and tells whoever asks.
void token_keeper_state::block_connection(core::outcome refused) {
  auto wait = std::exchange(refused.wait, {});
  self_->send(resources_.throttle, m::connection_rate_limited{wait, resources_.node->time->wall()});
  self_->send(resources_.node->courier, m::hold_back_calls{resources_.connection});
  answer_all({{}, std::move(refused)});
}

void token_keeper_state::call() {
  auto request = writer_->token_request();
  if (!request) {
    give_up(outcome_kind::unauthorized, "the writer needs no token");
    return;
  }
  m::place_calls ask{m::token_keeper{self_}, {}};
  ask.calls.push_back({{1}, caller(), resources_.connection, std::move(*request)});
  self_->send(resources_.node->courier, std::move(ask));
}

void token_keeper_state::on_calls_answered(const m::calls_answered& told) {
  const auto& answer = told.answers.front().answer;
  if (answer.error == core::call_error::unattempted) {
    self_->send(resources_.throttle, m::budget_returned{caller(), 1});
    give_up(outcome_kind::unattempted, "the node stops");
    return;
  }
  self_->send(resources_.throttle, m::calls_ended{caller(), 1, answer.ended_at});
  auto read = writer_->read_token(answer);
  if (!read && read.error().kind == outcome_kind::rate_limited) {
    block_connection(std::move(read.error()));
    return;
  }
  if (!read) {
    give_up(read.error().kind, read.error().error);
    return;
  }
  token_ = std::move(read->value);
  good_until_ =
      resources_.node->time->wall() + read->lifetime - std::min(expiry_margin_max, read->lifetime / 10);
  answer_all({token_, std::nullopt});
}

void token_keeper_state::answer_all(const m::token_told& answer) {
  fetching_ = false;
  writer_.reset();
  for (auto& each : std::exchange(waiting_, {}))
    each.deliver(answer);
}

void token_keeper_state::give_up(outcome_kind kind, std::string why) {
  answer_all({{}, core::outcome{kind, {}, "access_token", std::move(why), {}}});
}

/// Its calls are nobody's rule: they are counted under a number no rule has.
core::rule_id token_keeper_state::caller() const {
  return {-resources_.connection.value};
}

m::token_keeper::behavior_type token_keeper(m::token_keeper::stateful_pointer<token_keeper_state> self,
                                            token_keeper_resources resources) {
  return self->state.behavior(std::move(resources));
}

} // namespace sluice::actors
