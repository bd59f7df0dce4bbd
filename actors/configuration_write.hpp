#pragma once

#include "core/configuration.hpp"
#include "core/outside_address.hpp"
#include "core/time.hpp"
#include "crypto/key_ring.hpp"
#include "storage/session.hpp"

#include <optional>
#include <string>
#include <vector>

/// How a configuration is brought in, by a command or over the API alike: compared, written, every
/// connection's address judged, and every rule's target tried for whether it can do what the rule will ask of
/// it. The secrets of subscriptions are made here.
namespace sluice::actors {

struct configuration_outcome {
  std::vector<core::configuration_change> changes;
  std::vector<std::string> faults; ///< of targets and of what signs; while there is one, nothing may be kept
  std::vector<core::applied_subscription> subscriptions{}; ///< made or changed; none where nothing was kept
};

/// The faults as one failure.
[[nodiscard]] storage::failure refusal_of(const std::vector<std::string>& faults);

/// What would change: done, and taken back. Its faults are among what is found.
[[nodiscard]] storage::result<configuration_outcome>
rehearse_configuration(storage::session& db, const core::configuration& wanted, const crypto::key_ring& keys,
                       const core::outside_addresses& outside, core::timestamp now);

/// What somebody saw before they agreed to it.
struct agreement {
  const std::vector<core::configuration_change>* changes = nullptr; ///< none: whatever changes
  std::optional<core::seen_version> version;                        ///< none: whatever is there
};

/// Keeps it, unless there are faults or what was seen is not so any more: `refused`, with the reason.
[[nodiscard]] storage::result<configuration_outcome>
keep_configuration(storage::session& db, const core::configuration& wanted, const crypto::key_ring& keys,
                   const core::outside_addresses& outside, core::timestamp now, const agreement& seen);

} // namespace sluice::actors
