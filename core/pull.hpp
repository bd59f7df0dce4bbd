#pragma once

#include "core/change_event.hpp"
#include "core/ids.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sluice::core {

/// A look at a pull subscription's events.
struct pull_wish {
  subscription_id subscription{};
  event_position after{};
  std::int64_t limit = 100;
  std::size_t bytes_max = std::size_t{4} << 20; ///< of the bodies; one event is always read
};

struct pull_page {
  std::vector<change_event> events; ///< in the order of their positions
  event_position next{};            ///< the cursor behind them: read on from here, or advance to it
  bool through = true;              ///< false: there is more already
  bool gone = false;                ///< events behind `after` are retained no more; nothing was read
  event_position earliest{};        ///< where `gone`: the least cursor that can be read from
};

/// Compare-and-set on the cursor.
struct pull_advance {
  subscription_id subscription{};
  event_position from{};
  event_position to{};
  std::int64_t limit = 1000; ///< deliveries covered in one go
};

enum class cursor_verdict : std::uint8_t {
  advanced,
  stale,    ///< the cursor is another
  beyond,   ///< it would pass what was offered
  backward, ///< it would go back
};

struct pull_advanced {
  cursor_verdict verdict = cursor_verdict::advanced;
  event_position cursor{};  ///< where it is now
  event_position offered{}; ///< how far it may go
  std::int64_t covered = 0; ///< deliveries that became delivered
  bool through = true;      ///< false: go on from `cursor` to what was asked for
};

template <class Inspector>
auto inspect(Inspector& f, pull_wish& x) {
  return f(x.subscription, x.after, x.limit, x.bytes_max);
}

template <class Inspector>
auto inspect(Inspector& f, pull_page& x) {
  return f(x.events, x.next, x.through, x.gone, x.earliest);
}

template <class Inspector>
auto inspect(Inspector& f, pull_advance& x) {
  return f(x.subscription, x.from, x.to, x.limit);
}

template <class Inspector>
auto inspect(Inspector& f, pull_advanced& x) {
  return f(x.verdict, x.cursor, x.offered, x.covered, x.through);
}

} // namespace sluice::core
