#pragma once

#include "core/time.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace sluice::core {

/// What is looked after until it is known.
enum class reconciliation_target : std::uint8_t {
  ambiguous_submission, ///< nobody knows whether it was taken
  overdue_callback,     ///< accepted, and the provider has not told what became of it
  unmatched_event,      ///< told of an attempt that is not here, or not yet
};
inline constexpr std::size_t reconciliation_targets = 3;

[[nodiscard]] std::string_view to_string(reconciliation_target target) noexcept;
[[nodiscard]] std::optional<reconciliation_target>
parse_reconciliation_target(std::string_view text) noexcept;

/// When a target is looked at, counted from when it became one.
struct reconciliation_schedule {
  std::vector<duration> looks{std::chrono::minutes{1}, std::chrono::minutes{5}, std::chrono::minutes{30},
                              std::chrono::hours{2},   std::chrono::hours{6},   std::chrono::hours{24},
                              std::chrono::hours{48},  std::chrono::hours{72}}; ///< rising

  /// The first look after the last one; nothing once they are through. Looks that were missed, because no
  /// node was up, are one look that is due at once.
  [[nodiscard]] std::optional<timestamp> next_look(timestamp since, std::optional<timestamp> last_look) const;
};

/// What a look comes to.
enum class reconciliation_verdict : std::uint8_t {
  known,       ///< the provider has the message; its events, if any, were appended as reconciliation's
  matched,     ///< the attempt of the event is here now
  not_found,   ///< the provider, or this database, has no such thing
  several,     ///< more than one message fits
  unread,      ///< no answer that says anything
  unsupported, ///< this provider cannot be asked
};
inline constexpr std::size_t reconciliation_verdicts = 6;

[[nodiscard]] std::string_view to_string(reconciliation_verdict verdict) noexcept;
[[nodiscard]] std::optional<reconciliation_verdict>
parse_reconciliation_verdict(std::string_view text) noexcept;

/// What becomes of a target after a look.
struct reconciliation_step {
  std::optional<timestamp> next_look{}; ///< absent: it is looked at no more
  bool proves_acceptance = false;       ///< an ambiguous submission was taken: it settles as accepted
  bool needs_person = false;            ///< nothing more can be found out here

  friend bool operator==(const reconciliation_step&, const reconciliation_step&) = default;
};

/// What is known when a look has ended.
struct reconciliation_facts {
  timestamp since{};          ///< when it became a target
  timestamp now{};            ///< of the look
  bool callback_came = false; ///< overdue_callback: what is projected now is settled
};

/// Nothing is inferred: only `known` ends an ambiguity. A provider that has no such message now may have it
/// in a minute, so `not_found` is recorded and asked again, and is for a person once the looks are through.
[[nodiscard]] reconciliation_step reconcile(reconciliation_target target, reconciliation_verdict verdict,
                                            const reconciliation_facts& facts,
                                            const reconciliation_schedule& schedule);

} // namespace sluice::core
