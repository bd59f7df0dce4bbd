#include "actors/recorder.hpp"

#include "actors/mailbox_depth.hpp"
#include "actors/recorder_callbacks.hpp"
#include "actors/recorder_events.hpp"
#include "actors/recorder_replays.hpp"
#include "actors/write_merge.hpp"

#include <utility>

namespace sluice::actors {

namespace m = messages;

template <class Answer, class Request>
caf::result<Answer> recorder_state::queue(Request& ask) {
  return enqueue(std::make_shared<queued_write<Answer, Request>>(), ask);
}

/// Joins the rule's write that waits already, where there is one and the two can be one.
template <class Answer, class Request>
caf::result<Answer> recorder_state::queue_merged(Request& ask, waiting_writes<Answer, Request>& waiting) {
  auto& of_rule = waiting[ask.rule];
  if (of_rule && merge(of_rule->ask, ask))
    return await(*of_rule);
  of_rule = std::make_shared<queued_write<Answer, Request>>();
  return enqueue(of_rule, ask);
}

template <class Answer, class Request>
caf::result<Answer> recorder_state::enqueue(const std::shared_ptr<queued_write<Answer, Request>>& write,
                                            Request& ask) {
  write->ask = std::move(ask);
  auto perform_it = [this, write](storage::session& db) -> storage::result<void> {
    auto done = perform(db, context(), write->ask);
    if (!done)
      return std::unexpected{done.error()};
    write->answer.emplace(std::move(*done));
    return {};
  };
  auto tell = [write](const std::optional<storage::failure>& failed) { write->tell(failed); };
  if (group_->empty())
    self_->send(self_, m::commit_group{});
  group_->add(
      {[write] { return rows_of(write->ask); }, std::move(perform_it), std::move(tell), goes_alone<Request>});
  return await(*write);
}

/// To a message nobody waits for, a promise would answer all the same, with a message nobody expects.
template <class Answer, class Request>
caf::result<Answer> recorder_state::await(queued_write<Answer, Request>& write) {
  auto promise = self_->make_response_promise<caf::typed_response_promise<Answer>>();
  if (self_->current_mailbox_element()->mid.is_request())
    write.waiting.push_back(promise);
  return promise;
}

m::recorder::behavior_type recorder_state::behavior(recorder_resources resources) {
  resources_ = std::move(resources);
  group_.emplace(resources_.fence, *resources_.time, *resources_.metrics);
  return {
      [this](m::load_rule& ask) { return queue<m::rule_loaded>(ask); },
      [this](m::open_run& ask) { return queue<m::run_opened>(ask); },
      [this](m::record_intents& ask) { return queue_merged(ask, intents_); },
      [this](m::adopt_intents& ask) { return queue<void>(ask); },
      [this](m::record_outcomes& ask) { return queue_merged(ask, outcomes_); },
      [this](m::close_run& ask) { return queue<void>(ask); },
      [this](m::record_ending& ask) { return queue<void>(ask); },
      [this](m::abandon_runs& ask) { return queue<void>(ask); },
      [this](m::consume_markers& ask) { return queue<m::markers_consumed>(ask); },
      [this](m::record_window& ask) { return queue<void>(ask); },
      [this](m::record_connection_fault& ask) { return queue<void>(ask); },
      [this](m::write_heartbeat& ask) { return queue<void>(ask); },
      [this](m::prune_runs& ask) { return queue<m::rows_removed>(ask); },
      [this](m::purge_expired& ask) { return queue<m::rows_removed>(ask); },
      [this](m::record_changes& ask) { return queue<m::changes_recorded>(ask); },
      [this](m::renew_lease& ask) { return queue<void>(ask); },
      [this](m::record_stop& ask) { return queue<core::stop_in_force>(ask); },
      [this](m::record_stop_end& ask) { return queue<core::delivery_stop>(ask); },
      [this](m::record_hold& ask) { return queue<core::stop_in_force>(ask); },
      [this](m::record_hold_healed& ask) { return queue<m::stop_changed>(ask); },
      [this](m::record_release_consumed& ask) { return queue<m::stop_changed>(ask); },
      [this](m::record_release& ask) { return queue<core::delivery_stop>(ask); },
      [this](m::record_hold_discarded& ask) { return queue<core::delivery_stop>(ask); },
      [this](m::record_backfill_start& ask) { return queue<core::delivery_cursor>(ask); },
      [this](m::record_backfill_abort& ask) { return queue<m::backfill_aborted>(ask); },
      [this](m::record_offer& ask) { return queue<core::ledger_row>(ask); },
      [this](m::record_job_start& ask) { return queue<core::rule_job>(ask); },
      [this](m::record_job_step& ask) { return queue<core::job_step>(ask); },
      [this](m::record_job_cancel& ask) { return queue<core::rule_job>(ask); },
      [this](m::record_links& ask) { return queue<core::links_recorded>(ask); },
      [this](m::record_rule_switch& ask) { return queue<core::sync_rule>(ask); },
      [this](m::commit_group) { on_commit_group(); },
      [this](m::sequence_events& ask) { return queue<m::events_sequenced>(ask); },
      [this](m::record_fan_out& ask) { return queue<m::fan_out_recorded>(ask); },
      [this](m::claim_deliveries& ask) { return queue<core::delivery_claims>(ask); },
      [this](m::record_attempt_ends& ask) { return queue<core::attempts_recorded>(ask); },
      [this](m::give_back_attempts& ask) { return queue<void>(ask); },
      [this](m::refuse_open_deliveries& ask) { return queue<m::deliveries_refused>(ask); },
      [this](m::prune_events& ask) { return queue<m::events_pruned>(ask); },
      [this](m::record_subscription_status& ask) { return queue<m::subscription_status_recorded>(ask); },
      [this](m::record_delivery_restart& ask) { return queue<core::event_delivery>(ask); },
      [this](m::record_replay_start& ask) { return queue<core::replay_job>(ask); },
      [this](m::record_replay_step& ask) { return queue<core::replay_step>(ask); },
      [this](m::record_replay_cancel& ask) { return queue<core::replay_job>(ask); },
      [this](m::record_reports& ask) { return queue<core::reports_appended>(ask); },
      [this](m::record_refusals& ask) { return queue<void>(ask); },
      [this](m::project_events& ask) { return queue<core::events_projected>(ask); },
      [this](m::rebuild_batch& ask) { return queue<core::projections_rebuilt>(ask); },
      [this](m::prune_reports& ask) { return queue<m::rows_removed>(ask); },
  };
}

write_context recorder_state::context() const {
  return {*resources_.keys, resources_.time->wall(), resources_.fence, resources_.lease_length,
          resources_.effects};
}

void recorder_state::on_commit_group() {
  if (resources_.shows_mailbox)
    show_mailbox_depth(self_, *resources_.metrics, telemetry::central_actor::recorder);
  intents_.clear();
  outcomes_.clear();
  group_->commit_all(*resources_.db, resources_.group_rows_max);
}

m::recorder::behavior_type recorder(m::recorder::stateful_pointer<recorder_state> self,
                                    recorder_resources resources) {
  return self->state.behavior(std::move(resources));
}

} // namespace sluice::actors
