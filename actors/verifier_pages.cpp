#include "actors/verifier.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

/// The second part of the verifier: pages of rows, each begun by a look at what stands in its way.
namespace sluice::actors {

namespace m = messages;
using core::verify_phase;

namespace {

constexpr std::int64_t page_rows = 100;
/// A page of a sample passes many rows for each it reads.
constexpr std::size_t sampled_page_rows = 20;

std::string stopped_by(const core::delivery_stop& stop) {
  return "a stop (" + std::string{core::to_string(stop.target.scope)} + ") is in force since "
         + core::to_rfc3339(stop.set_at) + (stop.set_by.empty() ? "" : " by " + stop.set_by)
         + (stop.reason.empty() ? "" : ": " + stop.reason);
}

} // namespace

std::optional<std::string> verifier_state::why_no_lookups(const m::rule_loaded& context) {
  const auto& target = context.target;
  if (context.rule.direction != core::rule_direction::push_out)
    return "rule " + context.rule.name + " delivers nothing: its direction is pull_in";
  if (target.status == core::connection_status::error)
    return "connection " + target.name + " is in error"
           + (target.status_reason.empty() ? "" : " (" + target.status_reason + ")")
           + ": clear it with `sluice connections clear-error " + target.name + "`";
  if (target.status == core::connection_status::inactive)
    return "connection " + target.name + " is inactive";
  return std::nullopt;
}

void verifier_state::next_page() {
  if (forgotten())
    end(verify_phase::cancelled, "nobody asked for it any more");
  else
    unless_stopped(&verifier_state::ask_for_rule);
}

void verifier_state::unless_stopped(void (verifier_state::*then)()) {
  ask<m::stops_listed>(resources_.reader, m::list_live_stops{}, [this, then](m::stops_listed& listed) {
    const auto& rule = hand_->context.rule;
    const auto reaches = [&rule](const core::delivery_stop& stop) {
      return stop.cause == core::stop_cause::manual && stop.target.reaches(rule.id, rule.target);
    };
    if (const auto stop = std::ranges::find_if(listed.stops, reaches); stop != listed.stops.end())
      end(verify_phase::failed, stopped_by(*stop));
    else
      (this->*then)();
  });
}

void verifier_state::ask_for_rule() {
  ask<m::rule_loaded>(resources_.overview, m::read_rule_context{hand_->context.rule.id},
                      [this](m::rule_loaded& context) { on_context_again(context); });
}

/// What changed meanwhile is told beside what was found: the lookups go on as they began.
void verifier_state::on_context_again(const m::rule_loaded& context) {
  const auto& before = hand_->context;
  if (context.rule.revision != before.rule.revision || context.target.settings != before.target.settings)
    report_->rule_changed = true;
  if (!context.rule.active)
    report_->rule_switched_off = true;
  if (auto why = why_no_lookups(context)) {
    end(verify_phase::failed, std::move(*why));
    return;
  }
  if (hand_->through) {
    end(verify_phase::done);
    return;
  }
  hand_->desk->give_back_trial();
  ask<m::clearance>(resources_.node->breaker, m::ask_clearance{before.rule.id, before.target.id},
                    [this](m::clearance& given) { on_clearance(given); });
}

void verifier_state::on_clearance(const m::clearance& given) {
  if (given.kind == m::clearance_kind::refused) {
    end(verify_phase::failed,
        "the target connection's circuit is open"
            + (given.retry_at ? " until " + core::to_rfc3339(*given.retry_at) : std::string{}));
    return;
  }
  if (given.kind == m::clearance_kind::trial)
    hand_->desk->allow_trial_only();
  hand_->steps.empty() ? list_rows() : step_to_rows();
}

void verifier_state::list_rows() {
  m::list_ledger page;
  page.filter.rule = hand_->context.rule.id;
  page.filter.after_source_id = hand_->after_source_id;
  page.filter.limit = page_rows;
  ask<m::ledger_listed>(resources_.overview, std::move(page), [this](m::ledger_listed& listed) {
    std::vector<core::ledger_row> rows;
    for (auto& each : listed.rows)
      rows.push_back(std::move(each.row));
    take(std::move(rows));
  });
}

void verifier_state::step_to_rows() {
  const auto& steps = hand_->steps;
  const auto first = steps.begin() + static_cast<std::ptrdiff_t>(hand_->stepped);
  const auto many = std::min(sampled_page_rows, steps.size() - hand_->stepped);
  m::step_through_ledger page{
      hand_->context.rule.id, hand_->after_source_id, {first, first + static_cast<std::ptrdiff_t>(many)}};
  hand_->stepped += many;
  ask<m::ledger_stepped>(resources_.overview, std::move(page), [this](m::ledger_stepped& stepped) {
    hand_->through = hand_->stepped == hand_->steps.size();
    take(std::move(stepped.rows));
  });
}

void verifier_state::take(std::vector<core::ledger_row> rows) {
  if (rows.empty()) {
    hand_->through = true;
    next_page();
    return;
  }
  hand_->after_source_id = rows.back().source_id;
  hand_->open = rows.size();
  for (auto& row : rows)
    look_up(std::move(row));
  hand_->desk->pump();
}

} // namespace sluice::actors
