#include "sim/event_checker.hpp"

// What is checked where somebody looks at the deliveries.

namespace sluice::sim {

using core::delivery_state;

void event_checker::observed(core::subscription_id subscription, const std::vector<seen_delivery>& deliveries,
                             moment) {
  const auto& of = subscriptions_.at(subscription);
  for (const auto& row : deliveries) {
    auto event = by_key_.find(row.event);
    if (event == by_key_.end())
      return violated(12, "subscription " + of.facts.name + " has \"" + row.event + "\", which nobody wrote");
    check_row(of, event->second, row, false);
  }
}

void event_checker::ended(core::subscription_id subscription, const std::vector<seen_delivery>& deliveries) {
  const auto& of = subscriptions_.at(subscription);
  std::vector<const seen_delivery*> row_of(events_.size());
  for (const auto& row : deliveries)
    row_of[by_key_.at(row.event)] = &row;
  for (std::size_t event = 0; event < events_.size(); ++event) {
    if (row_of[event] == nullptr)
      return violated(12, name_of(of, event) + " was left out");
    check_row(of, event, *row_of[event], true);
  }
}

void event_checker::check_row(const subscription_record& of, std::size_t event, const seen_delivery& row,
                              bool resting) {
  const auto what = name_of(of, event);
  const auto skipped = row.state == delivery_state::skipped_filter;
  if (skipped == wants(of.facts, events_[event]))
    violated(12, what + " is " + std::string{to_string(row.state)} + (skipped ? ", and passes" : ""));
  if (skipped)
    return;
  static const delivery_facts nothing;
  const auto found = of.deliveries.find(event);
  const auto& facts = found == of.deliveries.end() ? nothing : found->second;
  const auto taken = of.facts.pulls ? facts.pulled : facts.acknowledged_at || facts.restarted_at;
  const auto open = row.state == delivery_state::pending || row.state == delivery_state::retrying;
  if (resting && open)
    violated(12, what + " is " + std::string{to_string(row.state)} + " for good");
  if (row.state == delivery_state::failed)
    violated(12, what + " failed, and nothing was taken from it");
  if (row.state == delivery_state::delivered && !taken)
    violated(12, what + " is delivered, and was never acknowledged");
  if (row.state == delivery_state::dead && !facts.refused_at && !facts.restarted_at
      && !exhausted(facts, event))
    violated(10, what + " is dead after " + std::to_string(facts.started) + " attempts");
  const auto lost = losses_ - events_[event].losses;
  const auto leaving = resting ? 0 : 1; // claimed, and its call not yet there
  if (row.attempts < facts.started || row.attempts > facts.started + lost + leaving)
    violated(10, what + " has " + std::to_string(row.attempts) + " attempts, and its subscriber saw "
                     + std::to_string(facts.started));
}

} // namespace sluice::sim
