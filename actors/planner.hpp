#pragma once

#include "actors/record_delivery.hpp"
#include "config/settings.hpp"
#include "core/candidate_batch.hpp"
#include "core/plan.hpp"
#include "messages/overview.hpp"
#include "messages/planner.hpp"
#include "messages/reader.hpp"

#include <caf/result.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_set>
#include <vector>

/// The planner: reads what a chain of a rule would read now, batch by batch, has each record judged as the
/// chain would, and counts. It sends and writes nothing.
///
/// The operator API talks to it; it asks the overview for the rule and a reader of its own for batches. One
/// plan at a time. Between two batches it serves its mailbox, so a plan can be watched and cancelled.
///
///   idle --start_plan--> drain --> delta --> backfill in progress? --> idle (done)
///                          any of them --cancel_plan, nobody asks, a fault--> idle
///
/// A record that several of them would read counts once, for the first: the chain would be through with it.
namespace sluice::actors {

struct planner_resources {
  messages::overview overview;
  messages::reader reader; ///< held up by no rule
  const core::time_source* time = nullptr;
  const config::settings* settings = nullptr;
};

/// What is being counted.
struct plan_in_hand {
  messages::rule_loaded context;
  std::unique_ptr<record_delivery> delivery;
  core::step_kind step = core::step_kind::drain;
  std::string drain_after;
  core::position scan_after{};
  std::unordered_set<core::record_id> met; ///< by the drain, or by delta within the backfill's range
  std::int64_t withdrawals = 0;
};

class planner_state {
public:
  static constexpr const char* name = "planner";

  explicit planner_state(messages::planner::pointer self) : self_(self) {}

  messages::planner::behavior_type behavior(planner_resources resources);

private:
  /// What was read and waits to be judged.
  struct batch {
    std::vector<core::candidate> candidates;
    std::optional<core::volume_count> volume;
    std::vector<core::anchor> anchors;
  };

  caf::result<core::delivery_plan> on_start_plan(const messages::start_plan& ask);
  caf::result<core::delivery_plan> on_read_plan(const messages::read_plan& ask);
  caf::result<core::delivery_plan> on_cancel_plan(const messages::cancel_plan& ask);
  void on_count_on();

  void on_context(messages::rule_loaded& context);
  void read_due();
  void read_scan();
  void on_due(core::due_batch& read);
  void on_scan(core::scan_batch& read);
  void take(batch read);
  void judge(batch read);
  [[nodiscard]] bool counts(const core::candidate& candidate);
  void next_step();
  void end(core::plan_phase phase, std::string reason = {});

  template <class Answer, class Whom, class Ask>
  void ask(const Whom& whom, Ask question, void (planner_state::*then)(Answer&));

  messages::planner::pointer self_;
  planner_resources resources_;
  std::optional<core::delivery_plan> plan_; ///< the latest
  std::optional<plan_in_hand> hand_;        ///< while it is being counted
  std::uint64_t number_ = 0;                ///< of the plan: answers to an earlier one are dropped
  core::duration asked_at_{};               ///< steady
};

[[nodiscard]] messages::planner::behavior_type
planner(messages::planner::stateful_pointer<planner_state> self, planner_resources resources);

} // namespace sluice::actors
