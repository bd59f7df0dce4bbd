#include "actors/sync_rule.hpp"

#include "core/run.hpp"
#include "telemetry/log.hpp"

#include <string>
#include <utility>

namespace sluice::actors {

namespace m = messages;

m::sync_rule::behavior_type sync_rule_state::behavior(core::rule_id rule, rule_links links) {
  rule_ = rule;
  links_ = std::move(links);
  acts_.emplace(self_, links_, rule_,
                rule_acts::told{[this] { on_rows_due(); }, [this] { on_cursor_changed(); },
                                [this] { return chain_ != nullptr; }});
  jobs_.emplace(self_, links_, rule_, [this] { on_rows_due(); });
  return {
      [this](m::start_chain) { on_start_chain(); },
      [this](m::records_changed) { on_records_changed(); },
      [this](m::rows_due) { on_rows_due(); },
      [this](m::stop_chain& told) { on_stop_chain(told); },
      [this](m::calls_answered& told) { on_calls_answered(told); },
      [this](m::alarm_rang rang) { on_alarm_rang(rang); },
      [this](m::continue_job) { jobs_->resume(); },
      [this](m::start_backfill& act) { return acts_->start_backfill(act); },
      [this](const m::abort_backfill& act) { return acts_->abort_backfill(act); },
      [this](m::release_hold& act) { return acts_->release_hold(act); },
      [this](m::discard_hold& act) { return acts_->discard_hold(act); },
      [this](m::offer_record& act) { return jobs_->offer(act); },
      [this](m::start_job& act) { return jobs_->start(act); },
      [this](m::cancel_job& act) { return jobs_->cancel(act); },
      [this](m::link_record& act) { return acts_->link(act); },
      [this](m::link_records& act) { return acts_->link_all(act); },
      [this](m::resend_record& act) { return acts_->resend(act); },
      [this](m::release_chain) { on_release_chain(); },
  };
}

void sync_rule_state::on_start_chain() {
  if (chain_) {
    chain_->wake();
    return;
  }
  auto ended = [this](const rule_chain::ending& ending) { on_chain_ended(ending); };
  chain_ = std::make_shared<rule_chain>(self_, links_, rule_, before_, ended);
  chain_->start();
}

void sync_rule_state::on_records_changed() {
  if (chain_)
    chain_->wake();
}

void sync_rule_state::on_rows_due() {
  if (!chain_ || !chain_->drain_again())
    self_->send(links_.dispatcher, m::chain_wanted{rule_});
}

void sync_rule_state::on_cursor_changed() {
  if (!chain_ || !chain_->look_again())
    self_->send(links_.dispatcher, m::chain_wanted{rule_});
}

void sync_rule_state::on_stop_chain(m::stop_chain& told) {
  if (chain_)
    chain_->stop({told.ending, std::move(told.reason), {}});
}

void sync_rule_state::on_calls_answered(m::calls_answered& told) {
  if (chain_)
    chain_->take(told);
}

void sync_rule_state::on_alarm_rang(m::alarm_rang rang) {
  if (rang.token.value == rule_jobs::alarm_token)
    jobs_->on_alarm();
  else if (chain_)
    chain_->on_alarm(rang.token);
}

void sync_rule_state::on_release_chain() {
  ended_.reset();
}

void sync_rule_state::on_chain_ended(const rule_chain::ending& ending) {
  auto faulted = ending.how == core::run_ending::faulted;
  before_ = {faulted || ending.recovers, ending.how, ending.reason};
  links_.node->metrics->chains_ended(ending.how).add();
  auto event = faulted ? telemetry::event::chain_faulted : telemetry::event::chain_ended;
  telemetry::log(event, name,
                 {{"rule", std::to_string(rule_.value)},
                  {"run", std::to_string(ending.run.value)},
                  {"ending", std::string{core::to_string(ending.how)}},
                  {"reason", ending.reason}});
  self_->send(links_.dispatcher,
              m::chain_ended{rule_, ending.how, ending.seen_counter, ending.next_due, ending.retry_at});
  ended_ = std::move(chain_); // it is still on the stack
  self_->send(self_, m::release_chain{});
}

m::sync_rule::behavior_type sync_rule(m::sync_rule::stateful_pointer<sync_rule_state> self,
                                      core::rule_id rule, rule_links links) {
  return self->state.behavior(rule, std::move(links));
}

} // namespace sluice::actors
