#include "actors/tally.hpp"

#include "core/kept_count.hpp"
#include "messages/request.hpp"

#include <utility>

namespace sluice::actors {

namespace m = messages;
using core::count_use;

m::tally::behavior_type tally_state::behavior(tally_resources resources) {
  resources_ = std::move(resources);
  return {
      [this](const m::count_ledger& ask) { return on_count_ledger(ask); },
  };
}

caf::result<m::ledger_counted> tally_state::on_count_ledger(const m::count_ledger& ask) {
  forget_old();
  auto& kept = counts_[ask.rule];
  const auto use =
      kept.last ? core::use_of({resources_.time->steady() - kept.began, kept.took}) : count_use::await;
  if (use != count_use::tell && !kept.counting)
    renew(ask.rule, kept);
  if (use != count_use::await)
    return *kept.last;
  auto told = self_->make_response_promise<promise>();
  kept.waiting.push_back(told);
  return told;
}

/// Whoever comes while it is being counted waits for that count: it began before they asked by no more than
/// it takes.
void tally_state::renew(core::rule_id rule, count& of) {
  of.counting = true;
  auto counted = [this, rule, began = resources_.time->steady()](const m::ledger_counted& answer) {
    on_counted(rule, began, answer);
  };
  auto failed = [this, rule](const caf::error& why) { on_failed(rule, why); };
  m::request(self_, resources_.counting, resources_.patience, m::count_ledger{rule}, counted, failed);
}

void tally_state::on_counted(core::rule_id rule, core::duration began, const m::ledger_counted& counted) {
  auto& kept = counts_[rule];
  kept.last = counted;
  kept.began = began;
  kept.took = resources_.time->steady() - began;
  kept.counting = false;
  for (auto& told : std::exchange(kept.waiting, {}))
    told.deliver(counted);
}

void tally_state::on_failed(core::rule_id rule, const caf::error& why) {
  auto waiting = std::move(counts_[rule].waiting);
  counts_.erase(rule);
  for (auto& told : waiting)
    told.deliver(why);
}

void tally_state::forget_old() {
  const auto now = resources_.time->steady();
  std::erase_if(counts_, [now](const auto& each) {
    const auto& [rule, kept] = each;
    return !kept.counting && kept.last && now - kept.began > core::kept_count_max;
  });
}

m::tally::behavior_type tally(m::tally::stateful_pointer<tally_state> self, tally_resources resources) {
  return self->state.behavior(std::move(resources));
}

} // namespace sluice::actors
