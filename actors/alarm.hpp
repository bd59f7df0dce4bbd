#pragma once

#include "core/time.hpp"
#include "messages/alarm.hpp"

#include <caf/typed_event_based_actor.hpp>

#include <cstdint>
#include <queue>
#include <vector>

/// The alarm: everything that must happen later asks it.
///
/// Rules and the dispatcher set alarms for what is due, which ring at their wall-clock time, and timers for
/// what waits, which ring after theirs by the steady clock. It looks at its heaps when the next is due and at
/// least once a second while any is set, so a jump of the wall clock is noticed within that second. With none
/// set it sleeps. It never holds a delayed message longer than a second, which in this CAF would keep the
/// process from ending.
namespace sluice::actors {

class alarm_state {
public:
  static constexpr const char* name = "alarm";

  explicit alarm_state(messages::alarm::pointer self) : self_(self) {}

  messages::alarm::behavior_type behavior(const core::time_source& time);

private:
  struct setting {
    core::duration at{};     ///< since the epoch of its heap's clock
    std::uint64_t order = 0; ///< equal times ring in the order they were set
    messages::alarm_token token{};
    messages::alarm_listener listener;
  };

  struct later {
    bool operator()(const setting& a, const setting& b) const {
      return a.at != b.at ? a.at > b.at : a.order > b.order;
    }
  };

  using heap = std::priority_queue<setting, std::vector<setting>, later>;

  void on_set_alarm(messages::set_alarm& ask);
  void on_set_timer(messages::set_timer& ask);
  void on_alarm_tick();

  void ring_due();
  void ring(heap& settings, core::duration now);
  void plan_tick();

  messages::alarm::pointer self_;
  const core::time_source* time_ = nullptr;
  heap alarms_; ///< by the wall clock
  heap timers_; ///< by the steady clock
  std::uint64_t set_count_ = 0;
  core::duration tick_planned_for_ = core::duration::max(); ///< steady time of the next tick
};

[[nodiscard]] messages::alarm::behavior_type alarm(messages::alarm::stateful_pointer<alarm_state> self,
                                                   const core::time_source& time);

} // namespace sluice::actors
