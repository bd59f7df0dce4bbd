#include "sim/operators.hpp"

/// What people ask of a running node: that it stops and goes on, and that it backfills.
namespace sluice::sim {

namespace m = messages;

namespace {

constexpr const char* who = "an operator";

} // namespace

core::stop_target operators::draw_place() {
  if (!subscriptions_.empty() && dice_.chance(0.3))
    return {core::stop_scope::subscription, {}, {}, dice_.pick(subscriptions_)};
  auto& rule = dice_.pick(plan_.rules);
  switch (dice_.below(5)) {
  case 0:
    return {};
  case 1:
  case 2:
    return {core::stop_scope::connection, world_.connection_id(rule.options.target), {}, {}};
  default:
    return {core::stop_scope::rule, {}, world_.rule_id(rule.name), {}};
  }
}

std::string operators::name_of(const core::stop_target& where) {
  if (where.scope == core::stop_scope::global)
    return "everything";
  if (where.scope == core::stop_scope::subscription)
    return "subscription " + std::to_string(where.subscription.value);
  for (const auto& rule : plan_.rules) {
    if (where.scope == core::stop_scope::rule && world_.rule_id(rule.name) == where.rule)
      return "rule " + rule.name;
    if (where.scope == core::stop_scope::connection
        && world_.connection_id(rule.options.target) == where.connection)
      return "connection " + rule.options.target;
  }
  return "nothing";
}

std::string operators::set_stop() {
  ++acts_;
  auto where = draw_place();
  asked_stops_.push_back(
      {where, world_.ask<core::stop_in_force>(world_.dispatcher(), m::set_stop{{where, "looks odd", who}})});
  return "stops " + name_of(where);
}

std::string operators::end_stop() {
  auto stops = live(core::stop_cause::manual);
  if (stops.empty())
    return "finds nothing stopped";
  ++acts_;
  const auto& stop = dice_.pick(stops);
  end(stop);
  return "resumes " + name_of(stop.target);
}

/// By its name or by where it holds. A stop that is asked for there and not acknowledged yet is as good as
/// ended: which of the two is served first, nobody was promised.
void operators::end(const core::delivery_stop& stop) {
  std::erase_if(asked_stops_, [&stop](const asked_stop& each) { return each.where == stop.target; });
  checker_.stop_ended(stop.target);
  event_checker_.stop_ended(stop.target);
  notification_checker_.stop_ended(stop.target);
  auto name = dice_.chance(0.5) ? stop.public_id : std::string{};
  static_cast<void>(
      world_.ask<core::delivery_stop>(world_.dispatcher(), m::end_stop{std::move(name), stop.target, who}));
}

std::string operators::count_backfill() {
  ++acts_;
  auto& rule = dice_.pick(plan_.rules);
  auto id = world_.rule_id(rule.name);
  auto resend = dice_.chance(0.3);
  asked_preview_.emplace(asked_preview{
      id, resend,
      world_.ask<core::backfill_preview>(world_.reader(), m::preview_backfill{id, world_.now(), resend})});
  return "counts a backfill of rule " + rule.name;
}

std::string operators::start_backfill() {
  auto asked = std::exchange(asked_preview_, std::nullopt);
  if (!asked || !asked->answer.answered())
    return "has counted no backfill";
  ++acts_;
  const auto& counted = asked->answer.value();
  if (asked->resend)
    checker_.resend_asked(asked->rule, {world_.clock().steady(), world_.now()});
  core::backfill_start start{asked->rule,     counted.until,   asked->resend,
                             counted.records, counted.creates, who};
  static_cast<void>(
      world_.ask<core::delivery_cursor>(world_.dispatcher(), m::start_backfill{std::move(start)}));
  return "starts a backfill of rule " + std::to_string(asked->rule.value);
}

std::string operators::abort_backfill() {
  for (const auto& rule : plan_.rules) {
    if (!world_.cursor(rule.name).backfill_until)
      continue;
    ++acts_;
    auto id = world_.rule_id(rule.name);
    checker_.backfill_aborted(id);
    static_cast<void>(world_.ask<core::delivery_cursor>(world_.dispatcher(), m::abort_backfill{id, who}));
    return "aborts the backfill of rule " + rule.name;
  }
  return "finds no backfill to abort";
}

void operators::heed_answers() {
  for (std::size_t i = 0; i < asked_stops_.size();) {
    const auto& [where, answer] = asked_stops_[i];
    if (!answer.answered() && !answer.failed()) {
      ++i;
      continue;
    }
    if (answer.answered()) {
      checker_.stop_acknowledged(where);
      event_checker_.stop_acknowledged(where);
      notification_checker_.stop_acknowledged(where);
    }
    asked_stops_.erase(asked_stops_.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

void operators::node_died() {
  asked_stops_.clear();
  asked_preview_.reset();
}

} // namespace sluice::sim
