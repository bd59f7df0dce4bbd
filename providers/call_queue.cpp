#include "providers/call_queue.hpp"

#include <algorithm>
#include <cassert>
#include <iterator>
#include <utility>

namespace sluice::providers {

call_queue::call_queue(in_flight_limits limits)
    : limits_{.rule = std::max(limits.rule, 1),
              .connection = std::max(limits.connection, 1),
              .total = std::max(limits.total, 1)} {}

void call_queue::push(core::outbound_call call) {
  const auto rule = call.rule;
  auto& its_line = lines_[rule];
  its_line.waiting.push_back(std::move(call));
  ++waiting_;
  list(rule, its_line);
}

std::optional<core::outbound_call> call_queue::take() {
  if (!can_start())
    return std::nullopt;
  const auto connection = open_.front();
  open_.pop_front();
  auto& its_gate = gates_.at(connection);
  its_gate.listed = false;
  const auto rule = its_gate.ready.front();
  its_gate.ready.pop_front();
  auto& its_line = lines_.at(rule);
  its_line.listed = false;

  auto call = std::move(its_line.waiting.front());
  its_line.waiting.pop_front();
  --waiting_;
  ++its_line.in_flight;
  ++its_gate.in_flight;
  ++in_flight_;
  list(rule, its_line);
  list(connection, its_gate);
  return call;
}

void call_queue::finish(core::rule_id rule, core::connection_id connection) {
  auto& its_line = lines_.at(rule);
  auto& its_gate = gates_.at(connection);
  assert(its_line.in_flight > 0 && its_gate.in_flight > 0 && in_flight_ > 0);
  --its_line.in_flight;
  --its_gate.in_flight;
  --in_flight_;
  list(rule, its_line);
  list(connection, its_gate);
  forget_if_idle(rule);
  forget_if_idle(connection);
}

std::vector<core::outbound_call> call_queue::withdraw(core::rule_id rule) {
  const auto found = lines_.find(rule);
  if (found == lines_.end())
    return {};
  auto& its_line = found->second;
  unlist(rule, its_line);
  std::vector<core::outbound_call> held(std::make_move_iterator(its_line.waiting.begin()),
                                        std::make_move_iterator(its_line.waiting.end()));
  its_line.waiting.clear();
  waiting_ -= held.size();
  forget_if_idle(rule);
  return held;
}

std::vector<core::outbound_call> call_queue::withdraw_within(const core::stop_target& where) {
  switch (where.scope) {
  case core::stop_scope::global:
    return withdraw_all();
  case core::stop_scope::connection:
    return withdraw_into(where.connection);
  case core::stop_scope::rule:
    return withdraw(where.rule);
  }
  return {};
}

/// A rule whose connection was changed may have calls into the old and the new one in its line.
std::vector<core::outbound_call> call_queue::withdraw_into(core::connection_id connection) {
  std::vector<core::rule_id> rules;
  for (const auto& [rule, its_line] : lines_) {
    if (std::ranges::find(its_line.waiting, connection, &core::outbound_call::connection)
        != its_line.waiting.end())
      rules.push_back(rule);
  }
  std::vector<core::outbound_call> held;
  for (const auto rule : rules) {
    for (auto& call : withdraw(rule)) {
      if (call.connection == connection)
        held.push_back(std::move(call));
      else
        push(std::move(call));
    }
  }
  return held;
}

std::vector<core::outbound_call> call_queue::withdraw_all() {
  std::vector<core::outbound_call> held;
  held.reserve(waiting_);
  for (auto& [rule, its_line] : lines_) {
    std::ranges::move(its_line.waiting, std::back_inserter(held));
    its_line.waiting.clear();
    its_line.listed = false;
  }
  for (auto& [connection, its_gate] : gates_) {
    its_gate.ready.clear();
    its_gate.listed = false;
  }
  open_.clear();
  waiting_ = 0;
  std::erase_if(lines_, [](const auto& entry) { return entry.second.in_flight == 0; });
  std::erase_if(gates_, [](const auto& entry) { return entry.second.in_flight == 0; });
  return held;
}

void call_queue::list(core::rule_id rule, line& its_line) {
  if (its_line.listed || its_line.waiting.empty() || its_line.in_flight >= limits_.rule)
    return;
  const auto connection = its_line.waiting.front().connection;
  auto& its_gate = gates_[connection];
  its_gate.ready.push_back(rule);
  its_line.listed = true;
  list(connection, its_gate);
}

void call_queue::list(core::connection_id connection, gate& its_gate) {
  if (its_gate.listed || its_gate.ready.empty() || its_gate.in_flight >= limits_.connection)
    return;
  open_.push_back(connection);
  its_gate.listed = true;
}

void call_queue::unlist(core::rule_id rule, line& its_line) {
  if (!its_line.listed)
    return;
  its_line.listed = false;
  const auto connection = its_line.waiting.front().connection;
  auto& its_gate = gates_.at(connection);
  std::erase(its_gate.ready, rule);
  if (!its_gate.ready.empty())
    return;
  if (std::exchange(its_gate.listed, false))
    std::erase(open_, connection);
  forget_if_idle(connection);
}

void call_queue::forget_if_idle(core::rule_id rule) {
  const auto found = lines_.find(rule);
  if (found != lines_.end() && found->second.waiting.empty() && found->second.in_flight == 0)
    lines_.erase(found);
}

void call_queue::forget_if_idle(core::connection_id connection) {
  const auto found = gates_.find(connection);
  if (found != gates_.end() && found->second.ready.empty() && found->second.in_flight == 0)
    gates_.erase(found);
}

} // namespace sluice::providers
