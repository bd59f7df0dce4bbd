#include "providers/call_queue.hpp"

#include <algorithm>
#include <cassert>
#include <iterator>
#include <utility>

namespace sluice::providers {

call_queue::call_queue(in_flight_limits limits)
    : limits_{.rule = std::max(limits.rule, 1),
              .subscription = std::max(limits.subscription, 1),
              .profile = std::max(limits.profile, 1),
              .connection = std::max(limits.connection, 1),
              .total = std::max(limits.total, 1)} {}

void call_queue::push(core::outbound_call call) {
  const auto owner = call.owner;
  auto& its_line = lines_[owner];
  its_line.waiting.push_back(std::move(call));
  ++waiting_;
  list(owner, its_line);
}

std::optional<core::outbound_call> call_queue::take() {
  if (!can_start())
    return std::nullopt;
  const auto key = open_.front();
  open_.pop_front();
  auto& its_gate = gates_.at(key);
  its_gate.listed = false;
  const auto owner = its_gate.ready.front();
  its_gate.ready.pop_front();
  auto& its_line = lines_.at(owner);
  its_line.listed = false;

  auto call = std::move(its_line.waiting.front());
  its_line.waiting.pop_front();
  --waiting_;
  ++its_line.in_flight;
  ++its_gate.in_flight;
  ++in_flight_;
  list(owner, its_line);
  list(key, its_gate);
  return call;
}

void call_queue::finish(core::call_owner owner, core::connection_id connection) {
  const auto key = gate_of(owner, connection);
  auto& its_line = lines_.at(owner);
  auto& its_gate = gates_.at(key);
  assert(its_line.in_flight > 0 && its_gate.in_flight > 0 && in_flight_ > 0);
  --its_line.in_flight;
  --its_gate.in_flight;
  --in_flight_;
  list(owner, its_line);
  list(key, its_gate);
  forget_if_idle(owner);
  forget_if_idle(key);
}

std::vector<core::outbound_call> call_queue::withdraw(core::call_owner owner) {
  const auto found = lines_.find(owner);
  if (found == lines_.end())
    return {};
  auto& its_line = found->second;
  unlist(owner, its_line);
  std::vector<core::outbound_call> held(std::make_move_iterator(its_line.waiting.begin()),
                                        std::make_move_iterator(its_line.waiting.end()));
  its_line.waiting.clear();
  waiting_ -= held.size();
  forget_if_idle(owner);
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
  case core::stop_scope::subscription:
    return withdraw(where.subscription);
  case core::stop_scope::profile:
    return withdraw(where.profile);
  }
  return {};
}

/// A rule whose connection was changed may have calls into the old and the new one in its line.
std::vector<core::outbound_call> call_queue::withdraw_into(core::connection_id connection) {
  std::vector<core::call_owner> owners;
  for (const auto& [owner, its_line] : lines_) {
    if (std::ranges::find(its_line.waiting, connection, &core::outbound_call::connection)
        != its_line.waiting.end())
      owners.push_back(owner);
  }
  std::vector<core::outbound_call> held;
  for (const auto owner : owners) {
    for (auto& call : withdraw(owner)) {
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
  for (auto& [owner, its_line] : lines_) {
    std::ranges::move(its_line.waiting, std::back_inserter(held));
    its_line.waiting.clear();
    its_line.listed = false;
  }
  for (auto& [key, its_gate] : gates_) {
    its_gate.ready.clear();
    its_gate.listed = false;
  }
  open_.clear();
  waiting_ = 0;
  std::erase_if(lines_, [](const auto& entry) { return entry.second.in_flight == 0; });
  std::erase_if(gates_, [](const auto& entry) { return entry.second.in_flight == 0; });
  return held;
}

std::int32_t call_queue::limit_of(core::call_owner owner) const noexcept {
  switch (owner.kind()) {
  case core::call_owner_kind::subscription:
    return limits_.subscription;
  case core::call_owner_kind::profile:
    return limits_.profile;
  case core::call_owner_kind::rule:
  case core::call_owner_kind::callbacks:
    break;
  }
  return limits_.rule;
}

std::int32_t call_queue::limit_of(const gate_key& key) const noexcept {
  return key.connection ? limits_.connection : limit_of(key.owner);
}

void call_queue::list(core::call_owner owner, line& its_line) {
  if (its_line.listed || its_line.waiting.empty() || its_line.in_flight >= limit_of(owner))
    return;
  const auto key = gate_of(owner, its_line.waiting.front().connection);
  auto& its_gate = gates_[key];
  its_gate.ready.push_back(owner);
  its_line.listed = true;
  list(key, its_gate);
}

void call_queue::list(const gate_key& key, gate& its_gate) {
  if (its_gate.listed || its_gate.ready.empty() || its_gate.in_flight >= limit_of(key))
    return;
  open_.push_back(key);
  its_gate.listed = true;
}

void call_queue::unlist(core::call_owner owner, line& its_line) {
  if (!its_line.listed)
    return;
  its_line.listed = false;
  const auto key = gate_of(owner, its_line.waiting.front().connection);
  auto& its_gate = gates_.at(key);
  std::erase(its_gate.ready, owner);
  if (!its_gate.ready.empty())
    return;
  if (std::exchange(its_gate.listed, false))
    std::erase(open_, key);
  forget_if_idle(key);
}

void call_queue::forget_if_idle(core::call_owner owner) {
  const auto found = lines_.find(owner);
  if (found != lines_.end() && found->second.waiting.empty() && found->second.in_flight == 0)
    lines_.erase(found);
}

void call_queue::forget_if_idle(const gate_key& key) {
  const auto found = gates_.find(key);
  if (found != gates_.end() && found->second.ready.empty() && found->second.in_flight == 0)
    gates_.erase(found);
}

} // namespace sluice::providers
