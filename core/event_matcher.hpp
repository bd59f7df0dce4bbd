#pragma once

#include "core/change_event.hpp"
#include "core/fan_out.hpp"
#include "core/filter.hpp"
#include "core/ordering_key.hpp"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace sluice::core {

/// The subscriptions events are fanned out to, with what they were compiled from kept ready.
///
/// An event concerns every live subscription of its tenant whose events begin before it and whose access is
/// accepted; a test concerns the one it is for. It passes where its type is one of the wanted ones and the
/// predicate says yes of its payload; where the predicate or the payload cannot be read it does not pass.
/// What the event is ordered by is read from the payload too.
class event_matcher {
public:
  event_matcher() = default;
  explicit event_matcher(std::vector<fan_out_subscription> subscriptions);

  [[nodiscard]] bool empty() const noexcept { return of_tenant_.empty(); }

  /// The next deliveries behind `from`: events in the order of their positions, of each event the
  /// subscriptions in the order of their ids. Ends behind the last event or where a limit says, which may be
  /// in the midst of one. `events` are those behind `from.position`, in order.
  [[nodiscard]] fan_out_batch next_batch(const fan_out_cursor& from, const std::vector<change_event>& events,
                                         const fan_out_limits& limits);

private:
  struct matched {
    fan_out_subscription about;
    std::optional<filter> predicate;
    bool predicate_unreadable = false;
    std::optional<ordering_key> order;
  };

  [[nodiscard]] static matched compile(fan_out_subscription about);
  [[nodiscard]] static std::optional<fanned_out> match(matched& subscription, const change_event& event);

  std::map<std::string, std::vector<matched>, std::less<>> of_tenant_; ///< by their ids
};

} // namespace sluice::core
