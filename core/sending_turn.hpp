#pragma once

#include "core/time.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace sluice::core {

/// One turn of somebody who claims, sends and records: a subscription's, a provider profile's. What it holds
/// grows while the other end is well, and is one while it is not.
struct sending_turn {
  bool active = false;
  bool failing_place = false; ///< among those whose other end was in trouble: one call at a time
  bool ending = false;        ///< nothing is claimed any more
  bool unwanted = false;      ///< … and what was claimed does not leave either
  bool more = true;           ///< something may be due
  bool failing = false;       ///< the other end is in trouble
  bool held_back = false;     ///< calls were not let go, or the database did not answer
  bool given_back = false;    ///< something is due at once
  bool look_again = false;    ///< what it sends by may have changed while that was read
  std::uint64_t told = 0;     ///< so often it was told of more
  std::uint64_t heard = 0;    ///< … and of those the last claim has looked for
  std::size_t window = 1;     ///< so many may be held
  duration began_at{};        ///< steady
  std::optional<timestamp> next_due;

  /// The turn behind this one, `now` by the steady clock.
  [[nodiscard]] sending_turn next(bool fails, duration now) const {
    sending_turn begun;
    begun.active = true;
    begun.failing_place = begun.failing = fails;
    begun.window = fails ? 1 : window;
    begun.began_at = now;
    return begun;
  }

  void tell_more() {
    ++told;
    more = true;
  }

  /// One who was in trouble goes back among those that are well.
  void succeed(std::size_t window_max) {
    failing = false;
    if (failing_place)
      ending = true;
    else
      window = std::min(window * 2, window_max);
  }

  void fail() {
    failing = true;
    window = 1;
  }

  /// A call came back unmade. In a turn that ends somebody wished it so: a stop, or the node's end.
  void hold_back() {
    held_back = held_back || !ending;
    ending = true;
  }

  /// Others wait once it has had its time.
  void give_way_after(duration turn_time, duration now) { ending = ending || now - began_at >= turn_time; }

  /// When there is something to do for it at its end.
  [[nodiscard]] std::optional<timestamp> due_at_end(timestamp now) const {
    return more || given_back ? now : next_due;
  }
};

} // namespace sluice::core
