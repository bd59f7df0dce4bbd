#pragma once

#include "harness/node_actors.hpp"
#include "harness/world.hpp"

#include <caf/mailbox_element.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::sim {

/// Faults a careless change could put into the product. Each is made by changing messages on their way, so
/// the product's own code holds none of them; the checker must catch each.
enum class canary : std::uint8_t {
  skips_the_intent,     ///< a create leaves without its intent
  advances_early,       ///< the cursor passes records that are only being read
  ignores_the_fence,    ///< a node whose lease is lost writes on
  drops_a_row,          ///< an outcome is not recorded
  forgets_a_block,      ///< a 429 blocks nothing
  forgets_the_window,   ///< a restart begins with a fresh budget
  sends_again,          ///< an unknown create is taken for a failed one
  retries_at_once,      ///< the next attempt's time is not kept
  resets_the_attempts,  ///< every failure is the first
  withdraws_the_living, ///< a record nobody deleted is withdrawn
  ignores_the_hold,     ///< the volume breaker holds nothing back
  forgets_the_stop,     ///< a stop is acknowledged and stops nothing
  resumes_at_start,     ///< a restart knows of no stop
  ignores_the_anchor,   ///< a dependent record does not wait for its parent
  forgets_the_parent,   ///< it waits, and the ledger does not say for whom
  loses_an_event,       ///< fan-out leaves a subscription out
  stamps_anew,          ///< a push's time is not the one it was signed for
  pushes_at_once,       ///< the next push's time is not kept
  forgets_the_order,    ///< fan-out writes no ordering keys
  tells_again,          ///< an ambiguous message is taken for one that is to be sent later
  falls_back_in_doubt,  ///< … or for one this profile may not send
  counts_duplicates,    ///< what a provider tells twice is two events
  loses_a_callback,     ///< one is acknowledged and not kept
};
inline constexpr std::size_t canary_count = static_cast<std::size_t>(canary::loses_a_callback) + 1;

[[nodiscard]] std::string_view to_string(canary which) noexcept;
[[nodiscard]] std::optional<canary> parse_canary(std::string_view text) noexcept;

/// One canary at work in a world.
class cage {
public:
  explicit cage(canary which) : which_(which) {}

  void shape(harness::node_parts& parts) const;
  void alter(caf::mailbox_element& element, harness::world& world);

private:
  /// Where messages of subscriptions are changed.
  void alter_events(caf::mailbox_element& element, core::timestamp now);
  /// … and of notifications.
  void alter_notifications(caf::mailbox_element& element, core::timestamp now);
  void alter_outcomes(messages::record_outcomes& ask, core::timestamp now);

  canary which_;
  std::int64_t seen_ = 0;
  std::vector<std::string> parents_; ///< whose objects were asked for last
};

} // namespace sluice::sim
