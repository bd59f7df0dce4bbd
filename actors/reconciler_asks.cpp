#include "actors/reconciler.hpp"
#include "actors/reply.hpp"
#include "messages/request.hpp"
#include "telemetry/log.hpp"

#include <string>
#include <utility>

// What a reconciler asks providers, and what it makes of their answers.

namespace sluice::actors {

namespace m = messages;

using verdict = core::reconciliation_verdict;
using status_verdict = providers::status_answer::verdict;

namespace {

verdict verdict_of(status_verdict told) {
  switch (told) {
  case status_verdict::known:
    return verdict::known;
  case status_verdict::unknown:
    return verdict::not_found;
  case status_verdict::several:
    return verdict::several;
  case status_verdict::unread:
    break;
  }
  return verdict::unread;
}

providers::status_question question_of(const core::reconciliation_question& about) {
  return {about.attempt_id, about.provider_message_id, about.contact, about.submitted_at,
          about.text,       about.other_ids,           about.alike};
}

} // namespace

/// A profile that is gone can be asked no more; one that cannot be used now may be later.
void reconciler_state::ask(const opened_profile& of, core::reconciliation_question about) {
  if (!of.adapter) {
    record_look(about, {about.item.key, of.removed ? verdict::unsupported : verdict::unread, {}});
    return;
  }
  auto asked = question_of(about);
  auto request = of.adapter->status_query(asked);
  if (!request) {
    record_look(about, {about.item.key, verdict::unsupported, {}});
    return;
  }
  ++steps_;
  const core::call_id id{++calls_, core::call_purpose::verification};
  m::place_calls place{m::reconciler{self_}, {}};
  place.calls.push_back({id, about.item.profile, {}, std::move(*request)});
  held_.emplace(id.value, held_look{std::move(about), std::move(asked), of.adapter, of.tenant});
  self_->send(resources_.node->courier, std::move(place));
}

void reconciler_state::on_calls_answered(m::calls_answered& told) {
  for (auto& answer : told.answers)
    take_answer(answer);
  record_reports();
  end_if_through();
}

void reconciler_state::take_answer(core::call_answer& answer) {
  auto found = held_.extract(answer.id.value);
  if (found.empty())
    return;
  --steps_;
  auto& held = found.mapped();
  if (answer.answer.error == core::call_error::unattempted)
    return; // it is due as before
  auto status = held.by->read_status(held.asked, answer.answer);
  core::reconciliation_look look{held.about.item.key, verdict_of(status.kind),
                                 std::move(status.provider_message_id)};
  if (status.kind != status_verdict::known || status.events.empty()) {
    record_look(held.about, std::move(look));
    return;
  }
  ++steps_;
  core::provider_report report{
      held.about.item.profile,       std::move(held.tenant),  core::report_source::reconciliation, now(),
      std::move(answer.answer.body), std::move(status.events)};
  told_.push_back({std::move(report), std::move(held.about), std::move(look)});
}

/// The ledger comes first: whoever dies between the two asks again, and what was told is a duplicate then.
void reconciler_state::record_reports() {
  if (told_.empty() || std::exchange(reporting_, true))
    return;
  auto told = std::exchange(told_, {});
  m::record_reports append;
  for (auto& each : told)
    append.reports.push_back(std::move(each.report));
  auto appended = [this, told](const core::reports_appended&) {
    reporting_ = false;
    if (resources_.projections)
      self_->send(resources_.projections, m::events_appended{});
    for (const auto& each : told)
      record_look(each.about, each.look);
    steps_ -= static_cast<int>(told.size());
    record_reports();
    end_if_through();
  };
  auto failed = [this, told](const caf::error& error) {
    reporting_ = false;
    note_failure(error);
    steps_ -= static_cast<int>(told.size());
    record_reports();
    end_if_through();
  };
  m::request(self_, resources_.node->recorder, patience(), std::move(append), appended, failed);
}

void reconciler_state::record_look(const core::reconciliation_question& about,
                                   core::reconciliation_look look) {
  ++steps_;
  auto done = [this, about, look](const core::look_recorded& answer) {
    recorded(about, look, answer);
    --steps_;
    end_if_through();
  };
  auto failed = [this](const caf::error& error) {
    note_failure(error);
    --steps_;
    end_if_through();
  };
  m::request(self_, resources_.node->recorder, patience(), m::record_look{std::move(look), schedule()}, done,
             failed);
}

void reconciler_state::recorded(const core::reconciliation_question& about,
                                const core::reconciliation_look& look, const core::look_recorded& answer) {
  ++recorded_;
  resources_.node->metrics->reconciliation_looks(look.verdict).add();
  if (answer.step.needs_person)
    telemetry::log(telemetry::event::attempt_needs_person, name,
                   {{"notification", std::to_string(about.item.notification.value)},
                    {"attempt", std::to_string(about.item.number)},
                    {"verdict", std::string{core::to_string(look.verdict)}}});
}

} // namespace sluice::actors
