#pragma once

#include "core/time.hpp"
#include "messages/inspection.hpp"

#include <caf/replies_to.hpp>
#include <caf/typed_actor.hpp>

#include <cstdint>

/// Waiting: whoever must do something later asks the alarm, which rings at a wall-clock time or after a
/// while.
namespace sluice::messages {

/// What an alarm was set for, in the setter's own words; a setter ignores those it no longer waits for.
struct alarm_token {
  std::uint64_t value = 0;
  friend auto operator<=>(alarm_token, alarm_token) = default;
};

/// alarm to whoever set it, once, when it is time or as soon after it as the node is awake.
struct alarm_rang {
  alarm_token token{};
};

using alarm_listener = caf::typed_actor<caf::reacts_to<alarm_rang>>;

/// Anyone: ring `listener` at `at`. Setting another alarm does not undo this one.
struct set_alarm {
  core::timestamp at{};
  alarm_token token{};
  alarm_listener listener;
};

/// Anyone: ring `listener` once so much time has passed, whatever the wall clock is set to meanwhile.
struct set_timer {
  core::duration after{};
  alarm_token token{};
  alarm_listener listener;
};

/// Internal: a look at the heap, at most a second away.
struct alarm_tick {};

using alarm =
    caf::typed_actor<caf::reacts_to<set_alarm>, caf::reacts_to<set_timer>, caf::reacts_to<alarm_tick>>;

template <class Inspector>
auto inspect(Inspector& f, alarm_token& x) {
  return f(x.value);
}

template <class Inspector>
auto inspect(Inspector& f, alarm_rang& x) {
  return f(x.token);
}

template <class Inspector>
auto inspect(Inspector& f, set_alarm& x) {
  return f(x.at, x.token, x.listener);
}

template <class Inspector>
auto inspect(Inspector& f, set_timer& x) {
  return f(x.after, x.token, x.listener);
}

template <class Inspector>
auto inspect(Inspector& f, alarm_tick&) {
  return f();
}

} // namespace sluice::messages
