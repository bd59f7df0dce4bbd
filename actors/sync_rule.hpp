#pragma once

#include "actors/rule_acts.hpp"
#include "actors/rule_chain.hpp"
#include "actors/rule_jobs.hpp"
#include "actors/rule_links.hpp"
#include "core/ids.hpp"
#include "messages/sync_rule.hpp"

#include <caf/typed_event_based_actor.hpp>

#include <memory>
#include <optional>

/// One sync rule. Its mailbox is the rule's lock: steps, wakes and stops take turns in it.
///
///   idle --start_chain--> running (a rule_chain) --chain ended--> idle
///
/// The dispatcher starts its chains, wakes it and hands it what people ask of it; the courier answers its
/// calls, the alarm ends its pauses. One chain at a time, and within it one look at a record at a time, is
/// state kept in the chain: requests return through `then`, so a wake that arrives in the middle of a step
/// sets a flag. Idle, it holds no timer, no session and nothing of its rule but the id.
namespace sluice::actors {

class sync_rule_state {
public:
  static constexpr const char* name = "sync_rule";

  explicit sync_rule_state(messages::sync_rule::pointer self) : self_(self) {}

  messages::sync_rule::behavior_type behavior(core::rule_id rule, rule_links links);

private:
  void on_start_chain();
  void on_records_changed();
  void on_rows_due();
  void on_stop_chain(messages::stop_chain& told);
  void on_calls_answered(messages::calls_answered& told);
  void on_alarm_rang(messages::alarm_rang rang);
  void on_release_chain();

  void on_cursor_changed();
  void on_chain_ended(const rule_chain::ending& ending);

  messages::sync_rule::pointer self_;
  core::rule_id rule_{};
  rule_links links_;
  std::optional<rule_acts> acts_;
  std::optional<rule_jobs> jobs_;
  std::shared_ptr<rule_chain> chain_;
  std::shared_ptr<rule_chain> ended_; ///< let go behind the message that ended it
  rule_chain::predecessor before_;    ///< of the next chain
};

[[nodiscard]] messages::sync_rule::behavior_type
sync_rule(messages::sync_rule::stateful_pointer<sync_rule_state> self, core::rule_id rule, rule_links links);

} // namespace sluice::actors
