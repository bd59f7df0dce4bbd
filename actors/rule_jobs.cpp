#include "actors/rule_jobs.hpp"

#include "actors/reply.hpp"
#include "messages/request.hpp"
#include "telemetry/log.hpp"

#include <caf/typed_event_based_actor.hpp>
#include <caf/typed_response_promise.hpp>

#include <string>
#include <utility>

namespace sluice::actors {

namespace m = messages;

namespace {

void log_job(telemetry::event what, const core::rule_job& job) {
  telemetry::log(what, "sync_rule",
                 {{"rule", std::to_string(job.rule.value)},
                  {"job", job.public_id},
                  {"act", std::string{core::to_string(job.act)}},
                  {"rows", std::to_string(job.live() ? job.counted : job.done)},
                  {"by", job.ended_by.empty() ? job.started_by : job.ended_by}});
}

} // namespace

rule_jobs::rule_jobs(m::sync_rule::pointer self, const rule_links& links, core::rule_id rule,
                     std::function<void()> rows_due)
    : self_(self), links_(links), rule_(rule), rows_due_(std::move(rows_due)) {}

caf::result<core::ledger_row> rule_jobs::offer(m::offer_record& act) {
  auto answer = self_->make_response_promise<caf::typed_response_promise<core::ledger_row>>();
  auto offered = [this, answer, act = act.act, by = act.by](core::ledger_row& row) mutable {
    telemetry::log(
        telemetry::event::record_offered, "sync_rule",
        {{"rule", std::to_string(rule_.value)}, {"act", std::string{core::to_string(act)}}, {"by", by}});
    answer.deliver(std::move(row));
    rows_due_();
  };
  auto failed = [answer](caf::error& error) mutable { answer.deliver(std::move(error)); };
  m::request(self_, links_.node->recorder, links_.node->settings->actors.request_timeout,
             m::record_offer{rule_, act.act, std::move(act.source_id)}, std::move(offered),
             std::move(failed));
  return answer;
}

caf::result<core::rule_job> rule_jobs::start(m::start_job& act) {
  auto answer = self_->make_response_promise<caf::typed_response_promise<core::rule_job>>();
  auto started = [this, answer](core::rule_job& job) mutable {
    log_job(telemetry::event::job_started, job);
    answer.deliver(std::move(job));
    go_on();
  };
  auto failed = [answer](caf::error& error) mutable { answer.deliver(std::move(error)); };
  m::request(self_, links_.node->recorder, links_.node->settings->actors.request_timeout,
             m::record_job_start{std::move(act.start)}, std::move(started), std::move(failed));
  return answer;
}

/// A batch that is out is written before it or finds no job: the recorder serves one after the other.
caf::result<core::rule_job> rule_jobs::cancel(m::cancel_job& act) {
  auto answer = self_->make_response_promise<caf::typed_response_promise<core::rule_job>>();
  auto cancelled = [answer](core::rule_job& job) mutable {
    log_job(telemetry::event::job_ended, job);
    answer.deliver(std::move(job));
  };
  auto failed = [answer](caf::error& error) mutable { answer.deliver(std::move(error)); };
  m::request(self_, links_.node->recorder, links_.node->settings->actors.request_timeout,
             m::record_job_cancel{rule_, std::move(act.public_id), std::move(act.by)}, std::move(cancelled),
             std::move(failed));
  return answer;
}

void rule_jobs::resume() {
  if (working_)
    return;
  rows_due_();
  go_on();
}

void rule_jobs::go_on() {
  if (!std::exchange(working_, true))
    step();
}

void rule_jobs::step() {
  auto done = [this](const core::job_step& answer) { on_step(answer); };
  auto failed = [this](const caf::error& error) {
    telemetry::log(telemetry::event::job_waits, "sync_rule",
                   {{"rule", std::to_string(rule_.value)}, {"reason", describe(error)}});
    wait();
  };
  const auto& settings = *links_.node->settings;
  m::request(self_, links_.node->recorder, settings.actors.request_timeout,
             m::record_job_step{rule_, settings.delivery.drain_chunk_size}, done, failed);
}

void rule_jobs::on_step(const core::job_step& done) {
  if (done.rows > 0)
    rows_due_();
  if (done.job && done.job->live()) {
    step();
    return;
  }
  working_ = false;
  if (done.job)
    log_job(telemetry::event::job_ended, *done.job);
}

/// A batch whose answer did not come may be written all the same: the next one begins behind it.
void rule_jobs::wait() {
  self_->send(
      links_.node->alarm,
      m::set_timer{links_.node->settings->delivery.dispatch_interval, {alarm_token}, m::sync_rule{self_}});
}

} // namespace sluice::actors
