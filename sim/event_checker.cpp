#include "sim/event_checker.hpp"

#include <algorithm>
#include <charconv>

namespace sluice::sim {

std::string change_key(std::string_view source_id, std::string_view type, std::int64_t version) {
  return std::string{source_id}.append(1, ' ').append(type).append(" v") + std::to_string(version);
}

std::int64_t version_of(std::string_view payload) {
  constexpr std::string_view name = "\"v\":";
  auto at = payload.find(name);
  std::int64_t version = 0;
  if (at != std::string_view::npos)
    std::from_chars(payload.data() + at + name.size(), payload.data() + payload.size(), version);
  return version;
}

void event_checker::violated(int property, std::string what) {
  if (!found_)
    found_ = violation{property, std::move(what)};
}

std::string event_checker::name_of(const subscription_record& of, std::size_t event) const {
  return "event \"" + events_[event].key + "\" for subscription " + of.facts.name;
}

/// A deletion tells of the record as it was.
void event_checker::changed(const record_change& change, moment at) {
  auto& record = records_[change.source_id];
  if (change.taken_back) {
    record.payload = record.payload_before;
    record.passes = record.passes_before;
    if (begun_) {
      about_[events_.back().about].pop_back();
      by_key_.erase(events_.back().key);
      events_.pop_back();
    }
    return;
  }
  auto type = change.domain + (!change.version.live ? ".deleted" : record.live ? ".updated" : ".created");
  record.live = change.version.live;
  record.payload_before = record.payload;
  record.passes_before = record.passes;
  if (record.live) {
    record.payload = change.payload;
    record.passes = change.version.passes;
  }
  if (begun_)
    write({change_key(change.source_id, type, version_of(record.payload)), type, change.source_id,
           record.passes, record.payload, at, 0});
}

void event_checker::published(const std::string& type, const std::string& about, bool passes,
                              const std::string& body, moment at) {
  write({body, type, about, passes, body, at, 0});
}

void event_checker::write(written_event event) {
  event.losses = losses_;
  by_key_[event.key] = events_.size();
  about_[event.about].push_back(events_.size());
  events_.push_back(std::move(event));
}

void event_checker::subscribed(const subscription_facts& facts, const std::string& secret, moment at) {
  auto& made = subscriptions_[facts.subscription];
  made.facts = facts;
  made.keys = {{secret, {}, at.steady}};
}

void event_checker::rotated(core::subscription_id subscription, const std::string& secret,
                            core::timestamp until, moment at) {
  auto& keys = subscriptions_[subscription].keys;
  keys.front().until = until;
  keys.insert(keys.begin(), {secret, {}, at.steady});
}

void event_checker::restarted(core::subscription_id subscription, const std::string& event, moment at) {
  auto& delivery = subscriptions_[subscription].deliveries[by_key_.at(event)];
  delivery.round = 0;
  delivery.acknowledged_at.reset();
  delivery.refused_at.reset();
  delivery.not_before.reset();
  delivery.asked_before.reset();
  delivery.restarted_at = at.steady;
}

bool event_checker::wants(const subscription_facts& facts, const written_event& event) {
  auto matches = [&event](const std::string& pattern) {
    if (pattern == "*" || pattern == event.type)
      return true;
    return pattern.ends_with(".*") && event.type.starts_with(pattern.substr(0, pattern.size() - 1));
  };
  return (event.passes || !facts.filtered) && std::ranges::any_of(facts.types, matches);
}

/// Positions are given in the order of the commits, so an event that is missing from before the one that was
/// read is one the cursor has stepped over. Events of one moment may be of one transaction.
void event_checker::pulled(core::subscription_id subscription, const std::string& event) {
  auto& of = subscriptions_[subscription];
  auto found = by_key_.find(event);
  if (found == by_key_.end())
    return violated(12, "subscription " + of.facts.name + " pulled \"" + event + "\", which nobody wrote");
  if (!wants(of.facts, events_[found->second]))
    return violated(12, name_of(of, found->second) + " was pulled, and is not for it");
  of.deliveries[found->second].pulled = true;
  for (; of.next_to_pull < found->second; ++of.next_to_pull) {
    const auto& before = events_[of.next_to_pull];
    if (!wants(of.facts, before) || of.deliveries[of.next_to_pull].pulled)
      continue;
    if (before.written_at.steady < events_[found->second].written_at.steady)
      violated(12, "the pull cursor stepped over " + name_of(of, of.next_to_pull));
    return;
  }
}

} // namespace sluice::sim
