#pragma once

#include "config/setting_keys.hpp"

#include <array>

namespace sluice::config {

/// The section of notifications.
inline constexpr auto notification_keys = std::to_array<setting_key>({
    {"notifications", "max_in_flight",
     [](settings& x) -> setting_slot { return &x.notifications.max_in_flight; }, "calls",
     "Messages out at once through one provider profile; at most calls.max_in_flight_node.", 1, 10'000},
    {"notifications", "claims_max", [](settings& x) -> setting_slot { return &x.notifications.claims_max; },
     "notifications", "Notifications that one profile has claimed at once; at least max_in_flight.", 1,
     10'000},
    {"notifications", "claimed_bytes_max",
     [](settings& x) -> setting_slot { return &x.notifications.claimed_bytes_max; }, "bytes",
     "Bytes of the contents that one profile has claimed at once; a single one may be larger.", 1024,
     1 << 30},
    {"notifications", "active_max", [](settings& x) -> setting_slot { return &x.notifications.active_max; },
     "profiles", "Profiles that send at once; the others wait for their turn.", 1, 100'000},
    {"notifications", "failing_max", [](settings& x) -> setting_slot { return &x.notifications.failing_max; },
     "profiles",
     "Profiles besides whose provider is in trouble; each has one call out, so that they cannot hold up the "
     "others.",
     1, 10'000},
    {"notifications", "turn_time", [](settings& x) -> setting_slot { return &x.notifications.turn_time; },
     "duration", "After so long a profile that sends makes room for one that waits.", 1000, 600'000'000},
    {"notifications", "lease", [](settings& x) -> setting_slot { return &x.notifications.lease; }, "duration",
     "An attempt without an outcome is ambiguous after so long; at least three times calls.call_timeout.",
     1'000'000, 86'400'000'000},
    {"notifications", "retry_schedule",
     [](settings& x) -> setting_slot { return &x.notifications.retry_schedule; }, "list of durations",
     "Waits between attempts at one profile; one failure more than there are waits, and the route's next one "
     "has its turn.",
     1000, 31'622'400'000'000},
    {"notifications", "asked_beyond_max",
     [](settings& x) -> setting_slot { return &x.notifications.asked_beyond_max; }, "duration",
     "How far a provider's Retry-After may reach past the wait of the schedule, and how long it may hold up "
     "its profile.",
     0, 2'678'400'000'000},
    {"notifications", "retention", [](settings& x) -> setting_slot { return &x.notifications.retention; },
     "duration",
     "How long notifications and their attempts are kept once they are final, and rows of contact "
     "points once they are removed.",
     3'600'000'000, 632'448'000'000'000},
    {"notifications", "reconcile_schedule",
     [](settings& x) -> setting_slot { return &x.notifications.reconcile_schedule; }, "list of durations",
     "When it is asked what became of an unknown outcome, counted from when it became unknown; rising. After "
     "the last it is for a person.",
     1'000'000, 31'622'400'000'000},
    {"notifications", "reconcile_batch",
     [](settings& x) -> setting_slot { return &x.notifications.reconcile_batch; }, "outcomes",
     "Unknown outcomes that are looked at together.", 1, 1000},
    {"notifications", "sms_callback_patience",
     [](settings& x) -> setting_slot { return &x.notifications.sms_callback_patience; }, "duration",
     "An accepted SMS whose provider has not told what became of it is asked for after so long.", 60'000'000,
     31'622'400'000'000},
    {"notifications", "webhook_callback_patience",
     [](settings& x) -> setting_slot { return &x.notifications.webhook_callback_patience; }, "duration",
     "Likewise a message that a webhook took.", 60'000'000, 31'622'400'000'000},
});

} // namespace sluice::config
