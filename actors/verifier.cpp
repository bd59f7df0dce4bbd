#include "actors/verifier.hpp"

#include <algorithm>
#include <map>
#include <numeric>

namespace sluice::actors {

namespace m = messages;
using core::verify_phase;

namespace {

constexpr core::duration unasked_max = std::chrono::minutes{1};
/// How often a verification that waits looks whether it still should.
constexpr core::duration rest_max = std::chrono::seconds{10};
constexpr core::duration rest_min = std::chrono::milliseconds{1};

/// From each place to the next, the first from before the ledger.
std::vector<std::int64_t> steps_between(std::vector<std::int64_t> places) {
  std::adjacent_difference(places.begin(), places.end(), places.begin());
  if (!places.empty())
    ++places.front();
  return places;
}

} // namespace

m::verifier::behavior_type verifier_state::behavior(verifier_resources resources) {
  resources_ = std::move(resources);
  return {
      [this](const m::start_verify& ask) { return on_start_verify(ask); },
      [this](const m::read_verify& ask) { return on_read_verify(ask); },
      [this](const m::cancel_verify& ask) { return on_cancel_verify(ask); },
      [this](m::calls_answered& told) { on_calls_answered(told); },
      [this](m::alarm_rang rang) { on_alarm_rang(rang); },
  };
}

caf::result<core::verification> verifier_state::on_start_verify(const m::start_verify& ask) {
  const auto others = hand_ && report_->rule != ask.rule;
  if (others && !forgotten())
    return caf::make_error(m::fault::refused,
                           std::string{"another rule is being verified; wait for its end"});
  if (others)
    end(verify_phase::cancelled, "nobody asked for it any more");
  asked_at_ = resources_.node->time->steady();
  if (hand_)
    return *report_;
  ++number_;
  hand_.emplace();
  report_.emplace();
  report_->rule = ask.rule;
  report_->sample = ask.sample;
  report_->began_at = resources_.node->time->wall();
  report_->seed = static_cast<std::uint64_t>(core::to_us(report_->began_at));
  this->ask<m::rule_loaded>(resources_.overview, m::read_rule_context{ask.rule},
                            [this](m::rule_loaded& context) { on_context(context); });
  return *report_;
}

caf::result<core::verification> verifier_state::on_read_verify(const m::read_verify& ask) {
  if (!report_ || report_->rule != ask.rule)
    return caf::make_error(m::fault::not_found, std::string{"the rule has not been verified"});
  asked_at_ = resources_.node->time->steady();
  return *report_;
}

caf::result<core::verification> verifier_state::on_cancel_verify(const m::cancel_verify& ask) {
  if (!report_ || report_->rule != ask.rule)
    return caf::make_error(m::fault::not_found, std::string{"the rule has not been verified"});
  if (hand_)
    end(verify_phase::cancelled, "a person cancelled it");
  return *report_;
}

void verifier_state::on_calls_answered(m::calls_answered& told) {
  std::map<std::uint64_t, m::calls_answered> by_number; // late ones of a verification that ended among them
  for (auto& answer : told.answers)
    by_number[lookup_desk::number_of(answer.id)].answers.push_back(std::move(answer));
  for (const auto& [number, answers] : by_number) {
    const auto found = desks_.find(number);
    if (found == desks_.end())
      continue;
    const auto desk = found->second; // it may end by what it is told
    desk->take(answers);
    if (desk->over())
      desks_.erase(number);
  }
  if (hand_ && forgotten())
    end(verify_phase::cancelled, "nobody asked for it any more");
}

void verifier_state::on_context(m::rule_loaded& context) {
  if (auto why = why_no_lookups(context)) {
    end(verify_phase::failed, std::move(*why));
    return;
  }
  auto delivery = record_delivery::make(context.rule, context.target, resources_.node->settings->delivery, 0);
  if (!delivery) {
    end(verify_phase::failed, delivery.error());
    return;
  }
  if (!(*delivery)->traits().has_lookup) {
    end(verify_phase::failed, "connection " + context.target.name + " cannot look up a record of "
                                  + context.rule.domain
                                  + ": give its settings operations.lookup (docs/writers.md)");
    return;
  }
  hand_->context = std::move(context);
  hand_->delivery = std::move(*delivery);
  report_->rule_switched_off = !hand_->context.rule.active;
  ask<m::target_found>(resources_.dispatcher, m::find_target{hand_->context.target.id},
                       [this](m::target_found& found) { on_target(found); });
}

void verifier_state::on_target(m::target_found& found) {
  lookup_desk::parts parts;
  parts.self = self_;
  parts.node = resources_.node;
  parts.target = std::move(found);
  parts.connection = hand_->context.target.id;
  parts.delivery = hand_->delivery;
  parts.number = number_;
  parts.told = [this](core::ledger_row row, const core::outcome& said) { on_told(std::move(row), said); };
  parts.rests = [this](core::timestamp until) { rest(until); };
  parts.trouble = [this](std::string reason) { end(verify_phase::failed, std::move(reason)); };
  hand_->desk = std::make_shared<lookup_desk>(std::move(parts));
  desks_.emplace(number_, hand_->desk);
  ask<m::ledger_counted>(resources_.overview, m::count_ledger{hand_->context.rule.id},
                         [this](m::ledger_counted& counted) { on_counted(counted); });
}

void verifier_state::on_counted(const m::ledger_counted& counted) {
  std::int64_t rows = 0;
  for (const auto& [status, of_it] : counted.counts)
    rows += of_it;
  report_->total = report_->sample ? std::min(rows, *report_->sample) : rows;
  if (report_->total < rows)
    hand_->steps = steps_between(core::draw_places(rows, report_->total, report_->seed));
  next_page();
}

bool verifier_state::forgotten() const {
  return resources_.node->time->steady() - asked_at_ > unasked_max;
}

void verifier_state::rest(core::timestamp until) {
  const auto left = until - resources_.node->time->wall();
  report_->waits_until = until;
  hand_->alarm = ++alarms_;
  self_->send(
      resources_.node->alarm,
      m::set_timer{std::clamp<core::duration>(left, rest_min, rest_max), {hand_->alarm}, m::verifier{self_}});
}

void verifier_state::on_alarm_rang(m::alarm_rang rang) {
  if (!hand_ || rang.token.value != hand_->alarm)
    return;
  hand_->alarm = 0;
  if (forgotten())
    end(verify_phase::cancelled, "nobody asked for it any more");
  else if (resources_.node->time->wall() < *report_->waits_until)
    rest(*report_->waits_until);
  else
    unless_stopped(&verifier_state::go_on_after_rest);
}

void verifier_state::go_on_after_rest() {
  report_->waits_until.reset();
  hand_->desk->go_on();
}

void verifier_state::end(verify_phase phase, std::string reason) {
  if (const auto desk = hand_->desk) {
    desk->end();
    if (desk->over())
      desks_.erase(number_);
  }
  hand_.reset();
  report_->phase = phase;
  report_->reason = std::move(reason);
  report_->waits_until.reset();
  report_->ended_at = resources_.node->time->wall();
}

m::verifier::behavior_type verifier(m::verifier::stateful_pointer<verifier_state> self,
                                    verifier_resources resources) {
  return self->state.behavior(std::move(resources));
}

} // namespace sluice::actors
