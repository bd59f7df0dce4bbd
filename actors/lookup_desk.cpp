#include "actors/lookup_desk.hpp"

#include "actors/reply.hpp"
#include "messages/request.hpp"

#include <caf/typed_event_based_actor.hpp>

#include <algorithm>
#include <utility>

namespace sluice::actors {

namespace m = messages;
using core::outcome_kind;

namespace {

/// Its slots are nobody's rule: they are counted under a number no rule has, so that a rule's actor that
/// dies gives none of them back.
constexpr core::rule_id caller{};

/// After calls came back unmade: a stop or a pause of the target is learned of by then.
constexpr core::duration unmade_pause = std::chrono::seconds{1};

} // namespace

void lookup_desk::add(core::ledger_row row, std::string anchor_id) {
  lookup made;
  made.next.op = core::operation::lookup;
  made.next.about.record.source_id = row.source_id;
  made.next.anchor_id = std::move(anchor_id);
  made.row = std::move(row);
  waiting_.push_back(std::move(made));
}

std::size_t lookup_desk::room() const noexcept {
  if (judging_)
    return 0;
  const auto most = trial_ ? std::size_t{1} : lookups_out_max;
  return most - std::min(most, out_.size());
}

void lookup_desk::pump() {
  if (ended_ || resting_ || waiting_.empty() || room() == 0)
    return;
  if (with_.delivery->traits().needs_token && token_.empty())
    ask_for_token();
  else if (granted_ == 0)
    ask_for_budget();
  else
    place();
}

void lookup_desk::ask_for_budget() {
  if (std::exchange(budget_asked_, true))
    return;
  const auto wanted = static_cast<std::int64_t>(std::min(room(), waiting_.size()));
  auto answered = [this, me = shared_from_this()](const m::budget_granted& answer) { on_budget(answer); };
  auto failed = [this, me = shared_from_this()](const caf::error& error) {
    budget_asked_ = false;
    if (!ended_)
      with_.trouble("the throttle did not answer: " + describe(error));
  };
  m::request(with_.self, with_.target.its_throttle, with_.node->settings->actors.request_timeout,
             m::request_budget{caller, wanted, with_.delivery->traits().requests_per_minute}, answered,
             failed);
}

void lookup_desk::on_budget(const m::budget_granted& answer) {
  budget_asked_ = false;
  granted_ += answer.granted;
  if (ended_)
    return_grants();
  else if (granted_ > 0)
    pump();
  else
    rest_until(answer.rest_at.value_or(with_.node->time->wall() + std::chrono::seconds{1}));
}

void lookup_desk::rest_until(core::timestamp at) {
  return_grants();
  resting_ = true;
  with_.rests(at);
}

void lookup_desk::go_on() {
  resting_ = false;
  pump();
}

void lookup_desk::ask_for_token() {
  if (std::exchange(token_asked_, true))
    return;
  auto answered = [this, me = shared_from_this()](m::token_told& answer) { on_token(answer); };
  auto failed = [this, me = shared_from_this()](const caf::error& error) {
    token_asked_ = false;
    if (!ended_)
      with_.trouble("no access token: " + describe(error));
  };
  m::request(with_.self, with_.target.its_token_keeper, with_.node->settings->actors.request_timeout,
             m::ask_token{with_.delivery->rule().id, refused_token_}, answered, failed);
}

void lookup_desk::on_token(m::token_told& answer) {
  token_asked_ = false;
  if (ended_)
    return;
  if (!answer.fault) {
    token_ = std::move(answer.token);
    pump();
  } else if (answer.fault->kind == outcome_kind::rate_limited) {
    rest_until(with_.node->time->wall() + answer.fault->wait.value_or(std::chrono::seconds{1}));
  } else {
    with_.trouble("no access token: " + answer.fault->error);
  }
}

void lookup_desk::place() {
  m::place_calls ask{m::verifier{with_.self}, {}};
  while (granted_ > 0 && !waiting_.empty() && room() > 0) {
    auto one = std::move(waiting_.front());
    waiting_.pop_front();
    --granted_;
    core::call_id id{(with_.number << 32U) | ++made_, core::call_purpose::verification};
    ask.calls.push_back(
        {id, with_.delivery->rule().id, with_.connection, with_.delivery->request(one.next, token_)});
    out_.emplace(id.value, std::move(one));
  }
  return_grants();
  with_.self->send(with_.node->courier, std::move(ask));
}

void lookup_desk::take(const m::calls_answered& told) {
  for (const auto& answer : told.answers)
    take_one(answer);
  account_.tell_throttle(with_.self, with_.target.its_throttle, caller);
  report_signals();
  if (ended_)
    give_back_trial();
  pump();
}

void lookup_desk::take_one(const core::call_answer& answer) {
  auto found = out_.find(answer.id.value);
  if (found == out_.end())
    return;
  auto done = std::move(found->second);
  out_.erase(found);
  auto said = with_.delivery->outcome_of(done.next, answer.answer);
  account_.note(core::operation::lookup, said.kind, answer.answer.ended_at);
  if (said.kind == outcome_kind::rate_limited)
    block_connection(said);
  if (said.kind != outcome_kind::unattempted)
    with_.node->metrics->deliveries(core::operation::lookup, said.kind).add();
  if (!ended_)
    settle(std::move(done), std::move(said));
}

void lookup_desk::settle(lookup done, core::outcome said) {
  switch (said.kind) {
  case outcome_kind::unattempted:
    again(std::move(done));
    if (!resting_)
      rest_until(with_.node->time->wall() + unmade_pause);
    break;
  case outcome_kind::rate_limited: // the throttle says for how long
    return_grants();
    again(std::move(done));
    break;
  case outcome_kind::unauthorized:
    if (with_.delivery->traits().needs_token && !done.next.token_renewed)
      renew_token(std::move(done));
    else
      with_.trouble("the target refused the credentials: " + said.error);
    break;
  default:
    with_.told(std::move(done.row), std::move(said));
  }
}

void lookup_desk::again(lookup unmade) {
  waiting_.push_front(std::move(unmade));
}

void lookup_desk::renew_token(lookup refused) {
  refused.next.token_renewed = true;
  refused_token_ = refused.next.token;
  if (token_ == refused_token_)
    token_.clear();
  again(std::move(refused));
}

void lookup_desk::block_connection(const core::outcome& said) {
  with_.self->send(with_.target.its_throttle,
                   m::connection_rate_limited{said.wait, with_.node->time->wall()});
  with_.self->send(with_.node->courier, m::hold_back_calls{with_.connection});
}

void lookup_desk::end() {
  ended_ = true;
  return_grants();
  waiting_.clear();
  give_back_trial();
}

void lookup_desk::give_back_trial() {
  if (!trial_ || judging_ || !out_.empty())
    return;
  trial_ = false;
  with_.self->send(with_.node->breaker, m::trial_unused{with_.connection});
}

void lookup_desk::return_grants() {
  if (granted_ > 0)
    with_.self->send(with_.target.its_throttle, m::budget_returned{caller, std::exchange(granted_, 0)});
}

/// The answer of a trial closes the circuit, and the rest may go; or it opens it again.
void lookup_desk::report_signals() {
  auto stretches = account_.take_news(trial_);
  if (stretches.empty())
    return;
  judging_ = trial_;
  auto answered = [this, me = shared_from_this()](const m::clearance& answer) {
    trial_ = judging_ = false;
    if (ended_)
      return;
    if (answer.kind == m::clearance_kind::refused)
      with_.trouble("the target connection's circuit is open"
                    + (answer.retry_at ? " until " + core::to_rfc3339(*answer.retry_at) : std::string{}));
    else
      pump();
  };
  auto failed = [this, me = shared_from_this()](const caf::error& error) {
    trial_ = judging_ = false;
    if (!ended_)
      with_.trouble("the breaker did not answer: " + describe(error));
  };
  m::request(with_.self, with_.node->breaker, with_.node->settings->actors.request_timeout,
             m::calls_judged{with_.connection, std::move(stretches)}, answered, failed);
}

} // namespace sluice::actors
