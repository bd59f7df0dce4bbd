#include "actors/rule_chain.hpp"

#include "actors/reply.hpp"
#include "messages/request.hpp"
#include "telemetry/log.hpp"

#include <caf/typed_event_based_actor.hpp>

#include <string>
#include <utility>

namespace sluice::actors {

namespace m = messages;

namespace {

constexpr core::duration references_interval = std::chrono::seconds{1};

} // namespace

rule_chain::rule_chain(m::sync_rule::pointer self, const rule_links& links, core::rule_id rule,
                       predecessor before, ended_sink ended)
    : self_(self), links_(links), rule_id_(rule), before_(std::move(before)), recover_(before_.recover),
      ended_(std::move(ended)), settings_(links.node->settings->delivery) {}

void rule_chain::start() {
  auto loaded = [this, life = weak_from_this()](m::rule_loaded& answer) {
    if (!life.expired())
      on_loaded(answer);
  };
  auto failed = [this, life = weak_from_this()](const caf::error& error) {
    if (!life.expired())
      trouble({core::run_ending::faulted, "the rule could not be loaded: " + describe(error), {}});
  };
  m::request(self_, links_.node->recorder, links_.node->settings->actors.request_timeout,
             m::load_rule{rule_id_}, loaded, failed);
}

void rule_chain::on_loaded(m::rule_loaded& loaded) {
  if (ending_)
    return;
  cursor_ = loaded.cursor;
  seen_counter_ = cursor_.change_counter;
  source_ = std::move(loaded.source);
  target_ = std::move(loaded.target);
  parent_ = loaded.parent;
  log_cursor(loaded);
  auto open = loaded.rule.active && loaded.rule.direction == core::rule_direction::push_out
              && source_.status == core::connection_status::active
              && target_.status == core::connection_status::active;
  if (!open) {
    trouble({core::run_ending::route_closed, "the rule or one of its connections is not active", {}});
    return;
  }
  auto seed = static_cast<std::uint32_t>(core::to_us(links_.node->time->wall()) + rule_id_.value);
  auto delivery = record_delivery::make(std::move(loaded.rule), target_, settings_, seed);
  if (!delivery) {
    trouble({core::run_ending::faulted, delivery.error(), {}});
    return;
  }
  delivery_ = std::move(*delivery);
  make_hands();
  ask_clearance();
}

void rule_chain::log_cursor(const m::rule_loaded& loaded) const {
  if (loaded.cursor_opened)
    telemetry::log(loaded.ledger_found ? telemetry::event::cursor_missing : telemetry::event::cursor_opened,
                   "sync_rule", {{"rule", std::to_string(rule_id_.value)}});
}

void rule_chain::make_hands() {
  book_ = std::make_unique<outcome_book>(self_, links_, rule_id_, weak_from_this());
  book_->on_recorded([this](const outcome_book::recorded& done) { on_recorded(done); });
  book_->on_run_open([this] { pump(); });
  book_->on_trouble([this](chain_trouble what) { trouble(std::move(what)); });
  desk_ = std::make_unique<call_desk>(
      self_, links_, *delivery_, target_.id, *book_, weak_from_this(), [this] { pump(); },
      [this](chain_trouble what) { trouble(std::move(what)); });
}

void rule_chain::ask_clearance() {
  auto answered = [this, life = weak_from_this()](const m::clearance& answer) {
    if (life.expired() || ending_)
      return;
    if (answer.kind == m::clearance_kind::refused) {
      trouble({core::run_ending::breaker_open, "the target connection's circuit is open", answer.retry_at});
      return;
    }
    if (answer.kind == m::clearance_kind::trial)
      desk_->allow_trial_only();
    cleared_ = true;
    pump();
  };
  auto failed = [this, life = weak_from_this()](const caf::error& error) {
    if (!life.expired())
      trouble({core::run_ending::faulted, "the breaker did not answer: " + describe(error), {}});
  };
  m::request(self_, links_.node->breaker, links_.node->settings->actors.request_timeout,
             m::ask_clearance{rule_id_, target_.id}, answered, failed);
}

void rule_chain::wake() {
  woken_ = true;
  pump();
}

bool rule_chain::look_again() {
  if (ending_ || finishing_)
    return false;
  wake();
  return true;
}

bool rule_chain::drain_again() {
  if (ending_ || finishing_)
    return false;
  drain_again_ = phase_.at() != core::chain_phase::place::settle; // else the drain is still to come
  pump();
  return true;
}

void rule_chain::stop(chain_trouble why) {
  trouble(std::move(why));
}

void rule_chain::take(m::calls_answered& told) {
  if (!desk_)
    return;
  desk_->take(told);
  pump();
}

void rule_chain::pump() {
  if (finishing_)
    return;
  if (ending_) {
    if (desk_)
      book_->flush();
    if (idle())
      finish();
    return;
  }
  if (!cleared_)
    return;
  desk_->pump();
  if (ending_)
    return; // the desk met trouble, and that has pumped already
  make_way();
  book_->flush();
  plan_alarm();
  if (may_read())
    read_next();
}

void rule_chain::on_recorded(const outcome_book::recorded& done) {
  for (auto ticket : done.tickets)
    stream(ticket.stream).conclude(ticket.number);
  if (done.backfill_dropped) {
    backfill_dropped_ = true;
    telemetry::log(telemetry::event::backfill_write_dropped, "sync_rule",
                   {{"rule", std::to_string(rule_id_.value)},
                    {"generation", std::to_string(cursor_.backfill_generation)}});
  }
  references_untold_ = references_untold_ || done.references_made;
  tell_references(false);
  watch_due(done.next_due);
  note_cursor();
  pump();
}

/// Rules that depend on this one may have been waiting for what its calls made.
void rule_chain::tell_references(bool at_once) {
  auto now = links_.node->time->steady();
  if (!references_untold_ || (!at_once && now - references_told_at_ < references_interval))
    return;
  references_untold_ = false;
  references_told_at_ = now;
  self_->send(links_.dispatcher, m::references_made{rule_id_});
}

/// Writes into the next flush how far the unbroken run of durable outcomes has come.
void rule_chain::note_cursor() {
  if (auto to = delta_.advance(); to && *to > cursor_.delta) {
    cursor_.delta = *to;
    book_->cursor().delta = *to;
  }
  auto to = backfill_.advance();
  auto finished = backfill_read_ && !backfill_.pending();
  if (!cursor_.backfill_until || backfill_dropped_ || (!to && !finished))
    return;
  core::backfill_step step{*cursor_.backfill_until, cursor_.backfill_generation, to, finished};
  book_->cursor().backfill = step;
  if (to)
    cursor_.backfill = *to;
  if (finished)
    cursor_.backfill_until.reset();
}

bool rule_chain::idle() const {
  return !reading_ && !batch_ && (!desk_ || (desk_->quiet() && book_->settled()));
}

void rule_chain::trouble(chain_trouble what) {
  if (finishing_)
    return;
  if (!ending_) {
    ending_ = std::move(what);
    batch_.reset();
    if (desk_)
      desk_->withdraw();
  }
  pump();
}

template <class Ask>
void rule_chain::record_end(Ask ask) {
  auto closed = [this, life = weak_from_this()] {
    if (!life.expired())
      ask_next_due();
  };
  auto failed = [this, life = weak_from_this()](const caf::error&) {
    if (!life.expired()) // whoever starts next abandons the run
      ask_next_due();
  };
  m::request(self_, links_.node->recorder, links_.node->settings->actors.request_timeout, std::move(ask),
             closed, failed);
}

void rule_chain::finish() {
  finishing_ = true;
  tell_references(true);
  if (book_ && book_->run_open())
    record_end(m::close_run{rule_id_, book_->run(), ending_->ending, ending_->reason});
  else if (must_show())
    record_end(m::record_ending{rule_id_, ending_->ending, ending_->reason});
  else
    ask_next_due();
}

/// A chain that wrote nothing leaves no run, but a rule that cannot even begin must read as failing, and one
/// that can again as well. A fault that repeats is told once.
bool rule_chain::must_show() const {
  switch (ending_->ending) {
  case core::run_ending::faulted:
  case core::run_ending::breaker_open:
    return before_.how != ending_->ending || before_.reason != ending_->reason;
  case core::run_ending::completed:
    return before_.how != core::run_ending::completed;
  default:
    return false;
  }
}

void rule_chain::ask_next_due() {
  auto tell = [this](std::optional<core::timestamp> next_due) {
    auto ended = std::move(ended_);
    const auto run = book_ ? book_->run() : core::run_id{};
    ended({ending_->ending, ending_->reason, run, seen_counter_, ending_->retry_at, next_due, recover_});
  };
  auto answered = [life = weak_from_this(), tell](const m::next_due_read& answer) {
    if (auto alive = life.lock())
      tell(answer.at);
  };
  auto failed = [life = weak_from_this(), tell](const caf::error&) {
    if (auto alive = life.lock())
      tell(std::nullopt);
  };
  m::request(self_, links_.reader, links_.node->settings->actors.request_timeout, m::read_next_due{rule_id_},
             answered, failed);
}

} // namespace sluice::actors
