#include "actors/courier.hpp"

#include "actors/mailbox_depth.hpp"

#include <caf/actor_cast.hpp>
#include <caf/send.hpp>

#include <algorithm>
#include <iterator>
#include <utility>

namespace sluice::actors {

namespace m = messages;

m::courier::behavior_type courier_state::behavior(const courier_resources& resources) {
  metrics_ = resources.metrics;
  // Weak: the transport belongs to this actor and must not keep it alive.
  auto weak = caf::actor_cast<caf::weak_actor_ptr>(self_);
  transport_ = resources.make_transport([weak](std::vector<core::call_answer> answers) {
    if (auto strong = caf::actor_cast<caf::strong_actor_ptr>(weak))
      caf::anon_send(caf::actor_cast<m::courier>(strong), m::answers_arrived{std::move(answers)});
  });
  return {
      [this](m::place_calls& ask) { on_place_calls(ask); },
      [this](const m::withdraw_calls& ask) { on_withdraw_calls(ask); },
      [this](const m::hold_back_calls& ask) { on_hold_back_calls(ask); },
      [this](const m::await_quiet& ask) { return on_await_quiet(ask); },
      [this](const m::stop_scope& ask) { on_stop_scope(ask); },
      [this](const m::resume_scope& told) { on_resume_scope(told); },
      [this](m::stop_calls) { on_stop_calls(); },
      [this](m::answers_arrived& told) { on_answers_arrived(told); },
  };
}

void courier_state::on_place_calls(m::place_calls& ask) {
  if (ask.calls.empty())
    return;
  show_mailbox_depth(self_, *metrics_, telemetry::central_actor::courier);
  const auto& first = ask.calls.front();
  auto& owner = owners_[first.owner];
  auto& calls = owner.made_for(first.id.purpose);
  calls.asker = std::move(ask.asker);
  calls.out += static_cast<std::int64_t>(ask.calls.size());
  owner.connection = first.connection;
  transport_->submit(std::move(ask.calls));
}

void courier_state::on_withdraw_calls(const m::withdraw_calls& ask) {
  transport_->withdraw(ask.owner);
}

void courier_state::on_hold_back_calls(const m::hold_back_calls& ask) {
  for (const auto& [owner, calls] : owners_) {
    if (calls.connection == ask.connection)
      transport_->withdraw(owner);
  }
}

caf::result<void> courier_state::on_await_quiet(const m::await_quiet& ask) {
  auto found = owners_.find(ask.owner);
  if (found == owners_.end() || found->second.made_for(core::call_purpose::delivery).out == 0)
    return caf::unit;
  auto promise = self_->make_response_promise<quiet_promise>();
  found->second.quiet.push_back(promise);
  return promise;
}

void courier_state::on_stop_scope(const m::stop_scope& ask) {
  transport_->set_stop(ask.where);
}

void courier_state::on_resume_scope(const m::resume_scope& told) {
  transport_->lift_stop(told.where);
}

void courier_state::on_stop_calls() {
  transport_->stop_starting();
}

void courier_state::on_answers_arrived(m::answers_arrived& told) {
  show_mailbox_depth(self_, *metrics_, telemetry::central_actor::courier);
  auto& answers = told.answers;
  while (!answers.empty()) {
    auto owner = answers.front().owner;
    auto purpose = answers.front().id.purpose;
    auto together = [owner, purpose](const core::call_answer& each) {
      return each.owner == owner && each.id.purpose == purpose;
    };
    auto others = std::stable_partition(answers.begin(), answers.end(), together);
    std::vector<core::call_answer> rest(std::make_move_iterator(others),
                                        std::make_move_iterator(answers.end()));
    answers.erase(others, answers.end());
    return_answers(owner, purpose, std::move(answers));
    answers = std::move(rest);
  }
}

void courier_state::return_answers(core::call_owner owner, core::call_purpose purpose,
                                   std::vector<core::call_answer> answers) {
  auto found = owners_.find(owner);
  if (found == owners_.end())
    return;
  auto& calls = found->second.made_for(purpose);
  calls.out -= static_cast<std::int64_t>(answers.size());
  self_->send(calls.asker, m::calls_answered{std::move(answers)});
  if (calls.out > 0)
    return;
  if (purpose == core::call_purpose::delivery) {
    for (auto& promise : std::exchange(found->second.quiet, {}))
      static_cast<caf::response_promise&>(promise).deliver(caf::unit);
  }
  if (std::ranges::all_of(found->second.of, [](const auto& each) { return each.out == 0; }))
    owners_.erase(found);
}

m::courier::behavior_type courier(m::courier::stateful_pointer<courier_state> self,
                                  const courier_resources& resources) {
  return self->state.behavior(resources);
}

} // namespace sluice::actors
