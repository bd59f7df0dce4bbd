#pragma once

#include "core/time.hpp"
#include "messages/alarm.hpp"

#include <caf/typed_event_based_actor.hpp>

#include <cstdint>
#include <queue>
#include <vector>

/// The alarm: everything that must happen later asks it.
///
/// Rules, throttles and the dispatcher set alarms; it rings them at their wall-clock time. It looks at its
/// heap when the next alarm is due and at least once a second while any is set, so a jump of the wall clock
/// is noticed within that second. With no alarm set it sleeps. It never holds a delayed message longer than a
/// second, which in this CAF would keep the process from ending.
namespace sluice::actors {

class alarm_state {
public:
  static constexpr const char* name = "alarm";

  explicit alarm_state(messages::alarm::pointer self) : self_(self) {}

  messages::alarm::behavior_type behavior(const core::time_source& time);

private:
  struct setting {
    core::timestamp at{};
    std::uint64_t order = 0; ///< equal times ring in the order they were set
    messages::alarm_token token{};
    messages::alarm_listener listener;
  };

  struct later {
    bool operator()(const setting& a, const setting& b) const {
      return a.at != b.at ? a.at > b.at : a.order > b.order;
    }
  };

  void on_set_alarm(messages::set_alarm& ask);
  void on_alarm_tick();

  void ring_due();
  void plan_tick();

  messages::alarm::pointer self_;
  const core::time_source* time_ = nullptr;
  std::priority_queue<setting, std::vector<setting>, later> heap_;
  std::uint64_t set_count_ = 0;
  core::duration tick_planned_for_ = core::duration::max(); ///< steady time of the next tick
};

[[nodiscard]] messages::alarm::behavior_type alarm(messages::alarm::stateful_pointer<alarm_state> self,
                                                   const core::time_source& time);

} // namespace sluice::actors
