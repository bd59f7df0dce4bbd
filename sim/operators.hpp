#pragma once

#include "harness/world.hpp"
#include "sim/checker.hpp"
#include "sim/dice.hpp"
#include "sim/event_checker.hpp"
#include "sim/notification_checker.hpp"
#include "sim/plan.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sluice::sim {

/// The people who look after the rules: at random moments they change, switch off, switch on, mend, stop,
/// resume, backfill, abort.
class operators {
public:
  operators(dice& from, harness::world& world, checker& checker, event_checker& of_events,
            notification_checker& of_notifications, plan& plan)
      : dice_(from), world_(world), checker_(checker), event_checker_(of_events),
        notification_checker_(of_notifications), plan_(plan) {}

  /// Stops may be set on these, too.
  void look_after(std::vector<core::subscription_id> subscriptions) {
    subscriptions_ = std::move(subscriptions);
  }

  /// One act; what it was, for the log.
  std::string act();
  std::string set_stop();
  /// One of those that are live.
  std::string end_stop();
  /// What a backfill would send is counted …
  std::string count_backfill();
  /// … and confirmed.
  std::string start_backfill();
  std::string abort_backfill();
  /// Everything that is switched off, stopped or in error works again, and what is held may go.
  void mend_all();
  /// They act on what they are told, as soon as they are told.
  void heed_answers();
  /// The node is gone: nothing of what they asked is answered any more.
  void node_died();
  [[nodiscard]] std::int64_t acts() const noexcept { return acts_; }

private:
  struct asked_stop {
    core::stop_target where;
    harness::asked<core::stop_in_force> answer;
  };
  struct asked_preview {
    core::rule_id rule{};
    bool resend = false;
    harness::asked<core::backfill_preview> answer;
  };

  [[nodiscard]] std::vector<core::delivery_stop> live(core::stop_cause cause);
  [[nodiscard]] core::stop_target draw_place();
  [[nodiscard]] std::string name_of(const core::stop_target& where);
  void end(const core::delivery_stop& stop);
  std::string change_mapping(plan::rule& rule);
  std::string switch_filter(plan::rule& rule);
  std::string switch_rule(plan::rule& rule);
  std::string switch_connection(const std::string& name);
  std::string end_hold(const core::delivery_stop& hold);
  void release(const core::delivery_stop& hold);
  bool mend(const std::string& name);
  void apply(const plan::rule& rule);

  dice& dice_;
  harness::world& world_;
  checker& checker_;
  event_checker& event_checker_;
  notification_checker& notification_checker_;
  plan& plan_;
  std::vector<core::subscription_id> subscriptions_;
  std::vector<asked_stop> asked_stops_;
  std::optional<asked_preview> asked_preview_;
  std::int64_t revision_ = 1;
  std::int64_t acts_ = 0;
};

/// How a rule stands, for the checker.
[[nodiscard]] rule_facts facts_of(harness::world& world, const plan::rule& rule);

} // namespace sluice::sim
