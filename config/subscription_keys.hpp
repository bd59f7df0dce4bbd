#pragma once

#include "config/setting_keys.hpp"

#include <array>

namespace sluice::config {

/// The section of subscriptions, which the table of all settings ends with.
inline constexpr auto subscription_keys = std::to_array<setting_key>({
    {"subscriptions", "fan_out_interval",
     [](settings& x) -> setting_slot { return &x.subscriptions.fan_out_interval; }, "duration",
     "How often it is looked for new events; a change wakes it at once.", 10'000, 3'600'000'000},
    {"subscriptions", "fan_out_events_max",
     [](settings& x) -> setting_slot { return &x.subscriptions.fan_out_events_max; }, "events",
     "Events that are read at once to be fanned out.", 1, 10'000},
    {"subscriptions", "fan_out_bytes_max",
     [](settings& x) -> setting_slot { return &x.subscriptions.fan_out_bytes_max; }, "bytes",
     "Bytes of the events that are read at once; a single event may be larger.", 1024, 1 << 30},
    {"subscriptions", "fan_out_deliveries_max",
     [](settings& x) -> setting_slot { return &x.subscriptions.fan_out_deliveries_max; }, "deliveries",
     "Deliveries that are written in one transaction.", 1, 100'000},
    {"subscriptions", "max_in_flight",
     [](settings& x) -> setting_slot { return &x.subscriptions.max_in_flight; }, "calls",
     "Pushes out at once to one subscription; at most calls.max_in_flight_node.", 1, 10'000},
    {"subscriptions", "claims_max", [](settings& x) -> setting_slot { return &x.subscriptions.claims_max; },
     "deliveries", "Deliveries that one subscription has claimed at once; at least max_in_flight.", 1,
     10'000},
    {"subscriptions", "claimed_bytes_max",
     [](settings& x) -> setting_slot { return &x.subscriptions.claimed_bytes_max; }, "bytes",
     "Bytes of the events that one subscription has claimed at once; a single event may be larger.", 1024,
     1 << 30},
    {"subscriptions", "active_max", [](settings& x) -> setting_slot { return &x.subscriptions.active_max; },
     "subscriptions", "Subscriptions that push at once; the others wait for their turn.", 1, 100'000},
    {"subscriptions", "failing_max", [](settings& x) -> setting_slot { return &x.subscriptions.failing_max; },
     "subscriptions",
     "Subscriptions besides whose last push failed; each has one call out, so that they cannot hold up the "
     "others.",
     1, 10'000},
    {"subscriptions", "turn_time", [](settings& x) -> setting_slot { return &x.subscriptions.turn_time; },
     "duration", "After so long a subscription that pushes makes room for one that waits.", 1000,
     600'000'000},
    {"subscriptions", "lease", [](settings& x) -> setting_slot { return &x.subscriptions.lease; }, "duration",
     "An attempt without an outcome counts as interrupted after so long; at least twice "
     "calls.call_timeout.",
     1'000'000, 86'400'000'000},
    {"subscriptions", "retry_schedule",
     [](settings& x) -> setting_slot { return &x.subscriptions.retry_schedule; }, "list of durations",
     "Waits between attempts; one failure more than there are waits, and the delivery is dead.", 1000,
     31'622'400'000'000},
    {"subscriptions", "asked_beyond_max",
     [](settings& x) -> setting_slot { return &x.subscriptions.asked_beyond_max; }, "duration",
     "How far a subscriber's Retry-After may reach past the wait of the schedule.", 0, 2'678'400'000'000},
    {"subscriptions", "dead_threshold",
     [](settings& x) -> setting_slot { return &x.subscriptions.dead_threshold; }, "deliveries",
     "Dead deliveries in a row that disable a subscription.", 1, 1'000'000},
    {"subscriptions", "secret_overlap",
     [](settings& x) -> setting_slot { return &x.subscriptions.secret_overlap; }, "duration",
     "How long a secret goes on signing after it was rotated.", 0, 31'622'400'000'000},
    {"subscriptions", "retention", [](settings& x) -> setting_slot { return &x.subscriptions.retention; },
     "duration", "How long events, their deliveries and attempts are kept.", 3'600'000'000,
     632'448'000'000'000},
    {"subscriptions", "audit_retention",
     [](settings& x) -> setting_slot { return &x.subscriptions.audit_retention; }, "duration",
     "How long it is kept who did what to subscriptions and deliveries.", 3'600'000'000, 632'448'000'000'000},
    {"subscriptions", "answer_bytes_kept",
     [](settings& x) -> setting_slot { return &x.subscriptions.answer_bytes_kept; }, "bytes",
     "Bytes of a subscriber's answer that are kept with each attempt.", 0, 16 << 10},
    {"subscriptions", "replay_deliveries_max",
     [](settings& x) -> setting_slot { return &x.subscriptions.replay_deliveries_max; }, "deliveries",
     "Deliveries that one window replay may be for.", 1, 1'000'000},
    {"subscriptions", "replay_window_max",
     [](settings& x) -> setting_slot { return &x.subscriptions.replay_window_max; }, "duration",
     "How long the window of one replay may be.", 1'000'000, 632'448'000'000'000},
});

} // namespace sluice::config
