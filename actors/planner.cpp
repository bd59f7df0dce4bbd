#include "actors/planner.hpp"

#include "actors/reply.hpp"
#include "core/cursor.hpp"
#include "core/volume_breaker.hpp"
#include "messages/request.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace sluice::actors {

namespace m = messages;
using core::plan_phase;
using core::step_kind;

namespace {

constexpr core::duration unasked_max = std::chrono::minutes{1};

core::volume_settings volume_settings_of(const config::volume_settings& settings) {
  return {settings.floor, settings.share, settings.window};
}

} // namespace

m::planner::behavior_type planner_state::behavior(planner_resources resources) {
  resources_ = std::move(resources);
  return {
      [this](const m::start_plan& ask) { return on_start_plan(ask); },
      [this](const m::read_plan& ask) { return on_read_plan(ask); },
      [this](const m::cancel_plan& ask) { return on_cancel_plan(ask); },
      [this](m::count_on) { on_count_on(); },
  };
}

template <class Answer, class Whom, class Ask>
void planner_state::ask(const Whom& whom, Ask question, void (planner_state::*then)(Answer&)) {
  auto answered = [this, number = number_, then](Answer& answer) {
    if (hand_ && number == number_)
      (this->*then)(answer);
  };
  auto failed = [this, number = number_](const caf::error& error) {
    if (hand_ && number == number_)
      end(plan_phase::failed, describe(error));
  };
  m::request(self_, whom, resources_.settings->actors.request_timeout, std::move(question), answered, failed);
}

caf::result<core::delivery_plan> planner_state::on_start_plan(const m::start_plan& ask) {
  asked_at_ = resources_.time->steady();
  if (hand_ && plan_->rule == ask.rule)
    return *plan_;
  if (hand_)
    return caf::make_error(m::fault::refused,
                           std::string{"another rule's plan is being counted; wait for its end"});
  ++number_;
  hand_.emplace();
  plan_.emplace();
  plan_->rule = ask.rule;
  plan_->began_at = resources_.time->wall();
  this->ask<m::rule_loaded>(resources_.overview, m::read_rule_context{ask.rule}, &planner_state::on_context);
  return *plan_;
}

caf::result<core::delivery_plan> planner_state::on_read_plan(const m::read_plan& ask) {
  if (!plan_ || plan_->rule != ask.rule)
    return caf::make_error(m::fault::not_found, std::string{"no plan of the rule has been counted"});
  asked_at_ = resources_.time->steady();
  return *plan_;
}

caf::result<core::delivery_plan> planner_state::on_cancel_plan(const m::cancel_plan& ask) {
  if (!plan_ || plan_->rule != ask.rule)
    return caf::make_error(m::fault::not_found, std::string{"no plan of the rule has been counted"});
  if (hand_)
    end(plan_phase::cancelled, "a person cancelled it");
  return *plan_;
}

void planner_state::on_context(m::rule_loaded& context) {
  auto delivery = record_delivery::make(context.rule, context.target, resources_.settings->delivery, 0);
  if (!delivery) {
    end(plan_phase::failed, delivery.error());
    return;
  }
  hand_->context = std::move(context);
  hand_->delivery = std::move(*delivery);
  on_count_on();
}

void planner_state::on_count_on() {
  if (!hand_)
    return;
  if (resources_.time->steady() - asked_at_ > unasked_max) {
    end(plan_phase::cancelled, "nobody asked for it any more");
    return;
  }
  hand_->step == step_kind::drain ? read_due() : read_scan();
}

void planner_state::read_due() {
  const auto& rule = hand_->context.rule;
  core::drain_query query;
  query.rule = rule.id;
  query.source = rule.source;
  query.domain = rule.domain;
  query.after_source_id = hand_->drain_after;
  query.now = resources_.time->wall();
  query.revision = rule.revision;
  query.limit = resources_.settings->delivery.drain_chunk_size;
  query.anchor_domain = rule.anchor_domain;
  query.target = rule.target;
  if (rule.deletes != core::delete_policy::ignore)
    query.volume_window = resources_.settings->volume.window;
  ask<core::due_batch>(resources_.reader, m::read_due{std::move(query)}, &planner_state::on_due);
}

void planner_state::read_scan() {
  const auto& rule = hand_->context.rule;
  core::scan_query query;
  query.rule = rule.id;
  query.source = rule.source;
  query.domain = rule.domain;
  query.deletes = rule.deletes;
  query.dependent = rule.dependent();
  query.limit = resources_.settings->delivery.scan_batch_size;
  query.examine_limit = resources_.settings->delivery.scan_examine_limit;
  query.after = hand_->scan_after;
  if (hand_->step == step_kind::backfill)
    query.until = hand_->context.cursor.backfill_until;
  if (rule.deletes != core::delete_policy::ignore)
    query.volume_window = resources_.settings->volume.window;
  ask<core::scan_batch>(resources_.reader, m::read_scan{std::move(query), hand_->step},
                        &planner_state::on_scan);
}

void planner_state::on_due(core::due_batch& read) {
  if (read.candidates.empty()) {
    next_step();
    return;
  }
  hand_->drain_after = read.candidates.back().row->source_id;
  plan_->examined += static_cast<std::int64_t>(read.candidates.size());
  take({std::move(read.candidates), std::move(read.volume), {}});
}

void planner_state::on_scan(core::scan_batch& read) {
  hand_->scan_after = read.examined_to;
  plan_->examined += read.examined;
  const auto through = read.through;
  if (through && read.candidates.empty()) {
    next_step();
    return;
  }
  take({std::move(read.candidates), std::move(read.volume), {}});
}

/// A dependent rule's records are judged by what is known of their parents.
void planner_state::take(batch read) {
  auto judge_now = [this, number = number_](batch& ready) {
    if (hand_ && number == number_)
      judge(std::move(ready));
  };
  const auto& context = hand_->context;
  m::read_anchors wanted;
  if (context.rule.dependent() && context.parent) {
    wanted.parent = *context.parent;
    for (const auto& candidate : read.candidates) {
      if (auto parent = hand_->delivery->parent_of(candidate.record); !parent.empty())
        wanted.source_ids.push_back(std::move(parent));
    }
  }
  if (wanted.source_ids.empty()) {
    judge(std::move(read));
    return;
  }
  auto waiting = std::make_shared<batch>(std::move(read));
  auto answered = [waiting, judge_now](m::anchors_read& anchors) {
    waiting->anchors = std::move(anchors.anchors);
    judge_now(*waiting);
  };
  auto failed = [this, number = number_](const caf::error& error) {
    if (hand_ && number == number_)
      end(plan_phase::failed, describe(error));
  };
  m::request(self_, resources_.reader, resources_.settings->actors.request_timeout, std::move(wanted),
             answered, failed);
}

/// Whether the record counts here: not where an earlier part of the chain is through with it.
bool planner_state::counts(const core::candidate& candidate) {
  const auto id = candidate.record.id;
  if (!id)
    return true;
  if (hand_->step == step_kind::backfill)
    return !hand_->met.contains(id);
  const auto& until = hand_->context.cursor.backfill_until;
  const auto met_again =
      hand_->step == step_kind::drain || (until && candidate.record.content_changed_at < *until);
  if (met_again)
    return hand_->met.insert(id).second;
  return !hand_->met.contains(id);
}

void planner_state::judge(batch read) {
  core::volume_verdict withdrawals;
  if (read.volume) {
    read.volume->withdrawn += hand_->withdrawals;
    withdrawals = core::judge_volume(*read.volume, volume_settings_of(resources_.settings->volume));
    if (withdrawals.trips && !plan_->trips)
      plan_->trips = withdrawals.trips;
  }
  std::unordered_map<std::string, std::string> anchors;
  for (auto& anchor : read.anchors)
    anchors.emplace(std::move(anchor.source_id), std::move(anchor.remote_id));
  const auto now = resources_.time->wall();
  const auto resend = hand_->step == step_kind::backfill && hand_->context.cursor.backfill_resend;
  for (auto& candidate : read.candidates) {
    if (!counts(candidate))
      continue;
    judge_facts with{hand_->step, withdrawals.hold_live, withdrawals.allowed > 0, resend, {}, {}};
    with.parent = hand_->delivery->parent_of(candidate.record);
    if (const auto anchor = anchors.find(with.parent); anchor != anchors.end())
      with.anchor_id = anchor->second;
    const auto judged = hand_->delivery->judge(std::move(candidate), with, now);
    if (judged.what == judged::kind::fault) {
      end(plan_phase::failed, judged.reason);
      return;
    }
    plan_->counts.add(judged.decided);
    if (judged.decided == core::action::withdraw) {
      --withdrawals.allowed;
      ++hand_->withdrawals;
    }
  }
  self_->send(self_, m::count_on{});
}

void planner_state::next_step() {
  const auto& cursor = hand_->context.cursor;
  if (hand_->step == step_kind::drain) {
    hand_->step = step_kind::delta;
    hand_->scan_after = {core::delta_pass_floor(cursor, resources_.settings->delivery.scan_overlap), {}};
  } else if (hand_->step == step_kind::delta && cursor.backfill_until) {
    hand_->step = step_kind::backfill;
    hand_->scan_after = cursor.backfill;
  } else {
    end(plan_phase::done);
    return;
  }
  on_count_on();
}

void planner_state::end(plan_phase phase, std::string reason) {
  hand_.reset();
  plan_->phase = phase;
  plan_->reason = std::move(reason);
  plan_->ended_at = resources_.time->wall();
}

m::planner::behavior_type planner(m::planner::stateful_pointer<planner_state> self,
                                  planner_resources resources) {
  return self->state.behavior(std::move(resources));
}

} // namespace sluice::actors
