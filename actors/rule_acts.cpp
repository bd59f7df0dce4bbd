#include "actors/rule_acts.hpp"

#include "actors/reply.hpp"
#include "core/booking.hpp"
#include "messages/request.hpp"
#include "telemetry/log.hpp"

#include <caf/typed_event_based_actor.hpp>

#include <utility>

namespace sluice::actors {

namespace m = messages;
using core::delivery_status;
using core::target_state;

namespace {

bool unknown(const m::record_read& found) {
  return found.about.row && found.about.row->status == delivery_status::ambiguous;
}

std::expected<core::ledger_row, std::string> sent_again(const m::record_read& found, core::timestamp now) {
  if (!unknown(found))
    return std::unexpected{std::string{"only a create whose outcome is unknown is resent"}};
  return core::book_due_again(*found.about.row, now, "A person says that the create never arrived.");
}

} // namespace

rule_acts::rule_acts(m::sync_rule::pointer self, const rule_links& links, core::rule_id rule, told to_do)
    : self_(self), links_(links), rule_(rule), to_do_(std::move(to_do)) {}

template <class Answer, class To, class Ask, class Then>
void rule_acts::ask(const To& whom, Ask ask, promise<Answer> answer, Then then) {
  auto failed = [answer](caf::error& error) mutable { answer.deliver(std::move(error)); };
  m::request(self_, whom, links_.node->settings->actors.request_timeout, std::move(ask), std::move(then),
             std::move(failed));
}

caf::result<core::delivery_cursor> rule_acts::start_backfill(m::start_backfill& act) {
  auto answer = self_->make_response_promise<promise<core::delivery_cursor>>();
  auto started = [this, answer, by = act.start.by](core::delivery_cursor& cursor) mutable {
    telemetry::log(telemetry::event::backfill_started, "sync_rule",
                   {{"rule", std::to_string(rule_.value)}, {"by", by}});
    answer.deliver(cursor);
    to_do_.cursor_changed();
  };
  ask(links_.node->recorder, m::record_backfill_start{std::move(act.start)}, answer, std::move(started));
  return answer;
}

caf::result<core::delivery_cursor> rule_acts::abort_backfill(const m::abort_backfill& act) {
  auto answer = self_->make_response_promise<promise<core::delivery_cursor>>();
  auto abort = [this, answer, by = act.by](core::delivery_cursor& cursor) mutable {
    if (!cursor.backfill_until) {
      answer.deliver(caf::make_error(m::fault::refused, "the rule has no backfill in progress"));
      return;
    }
    auto until = std::exchange(cursor.backfill_until, std::nullopt);
    auto aborted = [this, answer, cursor, until, by](const m::backfill_aborted& done) mutable {
      on_aborted(done, *until, by, cursor, answer);
    };
    ask(links_.node->recorder, m::record_backfill_abort{rule_, *until, cursor.backfill_generation}, answer,
        std::move(aborted));
  };
  ask(links_.reader, m::read_cursor{rule_}, answer, std::move(abort));
  return answer;
}

void rule_acts::on_aborted(const m::backfill_aborted& done, core::timestamp until, const std::string& by,
                           const core::delivery_cursor& cursor, promise<core::delivery_cursor> answer) {
  if (!done.aborted) {
    answer.deliver(caf::make_error(m::fault::refused, "the backfill ended by itself meanwhile"));
    return;
  }
  telemetry::log(telemetry::event::backfill_aborted, "sync_rule",
                 {{"rule", std::to_string(rule_.value)}, {"until", core::to_rfc3339(until)}, {"by", by}});
  answer.deliver(cursor);
  to_do_.cursor_changed();
}

caf::result<core::delivery_stop> rule_acts::release_hold(m::release_hold& act) {
  return end_hold(m::record_release{std::move(act.public_id), act.allowed, std::move(act.by)});
}

caf::result<core::delivery_stop> rule_acts::discard_hold(m::discard_hold& act) {
  return end_hold(m::record_hold_discarded{std::move(act.public_id), std::move(act.by)});
}

/// The drain hands the rows that were held back, to go out or to be held anew.
template <class Ask>
caf::result<core::delivery_stop> rule_acts::end_hold(Ask end) {
  auto answer = self_->make_response_promise<promise<core::delivery_stop>>();
  auto ended = [this, answer](core::delivery_stop& stop) mutable {
    answer.deliver(stop);
    to_do_.rows_due();
  };
  ask(links_.node->recorder, std::move(end), answer, std::move(ended));
  return answer;
}

caf::result<core::ledger_row> rule_acts::link(m::link_record& act) {
  auto decide = [this, remote_id = std::move(act.remote_id)](const m::record_read& found) {
    return core::link_row({found.about, found.intent}, remote_id, now());
  };
  return settle(
      std::make_shared<settling>(settling{std::move(act.source_id), std::move(act.by), std::move(decide)}));
}

/// A create that a chain has decided on and not made yet is in nobody's table: only a rule at rest has none.
caf::result<core::links_recorded> rule_acts::link_all(m::link_records& act) {
  if (to_do_.delivers())
    return caf::make_error(m::fault::refused,
                           "the rule is delivering, and what it is about to create may be among the records: "
                           "stop it, link once what is out is answered, and end the stop");
  auto answer = self_->make_response_promise<promise<core::links_recorded>>();
  auto recorded = [this, answer, by = std::move(act.by)](core::links_recorded& done) mutable {
    const auto linked = done.linked;
    answer.deliver(std::move(done));
    if (linked == 0)
      return;
    telemetry::log(telemetry::event::records_linked, "sync_rule",
                   {{"rule", std::to_string(rule_.value)}, {"rows", std::to_string(linked)}, {"by", by}});
    to_do_.rows_due();
    self_->send(links_.dispatcher, m::references_made{rule_});
  };
  ask(links_.node->recorder, m::record_links{rule_, std::move(act.links), act.skip_invalid}, answer,
      std::move(recorded));
  return answer;
}

caf::result<core::ledger_row> rule_acts::resend(m::resend_record& act) {
  auto decide = [this](const m::record_read& found) { return sent_again(found, now()); };
  return settle(
      std::make_shared<settling>(settling{std::move(act.source_id), std::move(act.by), std::move(decide)}));
}

caf::result<core::ledger_row> rule_acts::settle(const std::shared_ptr<settling>& act) {
  act->answer = self_->make_response_promise<promise<core::ledger_row>>();
  auto loaded = [this, act](const m::rule_loaded& answer) { read(act, answer); };
  ask(links_.node->recorder, m::load_rule{rule_}, act->answer, std::move(loaded));
  return act->answer;
}

void rule_acts::read(const std::shared_ptr<settling>& act, const m::rule_loaded& loaded) {
  auto found = [this, act](const m::record_read& answer) { decide(act, answer); };
  ask(links_.reader, m::read_record{rule_, loaded.source.id, loaded.rule.domain, act->source_id}, act->answer,
      std::move(found));
}

void rule_acts::decide(const std::shared_ptr<settling>& act, const m::record_read& found) {
  if (!found.about.record.id && !found.about.row) {
    act->answer.deliver(
        caf::make_error(m::fault::not_found, "the rule's source has no record " + act->source_id));
    return;
  }
  auto row = act->decide(found);
  if (row)
    write(act, found, *row);
  else
    act->answer.deliver(caf::make_error(m::fault::refused, "record " + act->source_id + ": " + row.error()));
}

void rule_acts::write(const std::shared_ptr<settling>& act, const m::record_read& found,
                      const core::ledger_row& row) {
  m::record_outcomes outcomes;
  outcomes.rule = rule_;
  outcomes.rows.push_back(row);
  if (found.intent)
    outcomes.intents_done.push_back(*found.intent);
  auto held = found.about.row && found.about.row->target != target_state::absent;
  outcomes.known_delta = core::known_delta(held, row.target);
  auto written = [this, act, row, made = outcomes.known_delta > 0](const m::outcomes_recorded& done) {
    if (done.lost_races == 0)
      conclude(*act, row, made);
    else
      act->answer.deliver(caf::make_error(m::fault::refused, "record " + act->source_id
                                                                 + ": it has changed meanwhile: look again"));
  };
  ask(links_.node->recorder, std::move(outcomes), act->answer, std::move(written));
}

/// `made`: the target holds the record now and did not before.
void rule_acts::conclude(settling& act, const core::ledger_row& row, bool made) {
  telemetry::log(telemetry::event::record_settled_by_hand, "sync_rule",
                 {{"rule", std::to_string(rule_.value)}, {"as", row.error_class}, {"by", act.by}});
  act.answer.deliver(row);
  to_do_.rows_due();
  if (made)
    self_->send(links_.dispatcher, m::references_made{rule_});
}

} // namespace sluice::actors
