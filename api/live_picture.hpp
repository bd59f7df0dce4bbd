#pragma once

#include "api/operation_parts.hpp"
#include "core/backfill.hpp"
#include "core/rule_state.hpp"
#include "core/stop.hpp"
#include "messages/operator_reads.hpp"

#include <cstddef>
#include <map>
#include <string>
#include <vector>

/// What open pages are told, as server-sent events (HTML Living Standard, section 9.2). docs/api.md has them.
namespace sluice::api {

/// What a Delivery page shows, as it stood at one look.
struct live_picture {
  messages::health_read health;         ///< rules in the order of their ids
  std::vector<core::rule_state> states; ///< of those rules
  std::vector<core::delivery_stop> stops;
  std::map<core::rule_id, core::backfill_progress> backfills;
  core::timestamp at{};
};

/// What a picture shows otherwise than the one before it.
struct live_changes {
  std::vector<std::size_t> rules; ///< places in the later one
  std::vector<std::size_t> gone;  ///< places in the earlier one
  std::vector<core::rule_id> backfills;
  bool stops = false;
};

/// Looks at what a page shows and leaves out what moves with every chain (counts, times of runs), so that a
/// busy rule that is well says nothing.
[[nodiscard]] live_changes changes_between(const live_picture& before, const live_picture& after);

/// The picture as one event, `snapshot`.
[[nodiscard]] std::string snapshot_event(const live_picture& picture, const seen_names& called,
                                         const core::health_settings& settings);

/// The event `state`, but for its id: the global state and how many of the rules seen are in which state.
[[nodiscard]] std::string state_event(const live_picture& picture, const seen_names& called,
                                      const core::health_settings& settings);

/// An event for each rule that is gone and was seen: `called` is as it was then. Empty where there is none.
[[nodiscard]] std::string gone_events(const live_picture& before, const live_changes& changes,
                                      const seen_names& called);

/// An event for each other change that is seen.
[[nodiscard]] std::string change_events(const live_picture& after, const live_changes& changes,
                                        const seen_names& called);

} // namespace sluice::api
