#pragma once

#include "config/setting_keys.hpp"

#include <array>

namespace sluice::config {

/// The section of what providers post, which the table of all settings ends with.
inline constexpr auto callback_keys = std::to_array<setting_key>({
    {"callbacks", "public_url", [](settings& x) -> setting_slot { return &x.callbacks.public_url; }, "text",
     "How providers reach this API from outside, such as https://sluice.example.com: the address of a "
     "profile's callbacks is this, /v1/callbacks/ and the profile's id. Empty: they do not reach it.",
     0, 2048},
    {"callbacks", "body_bytes_max", [](settings& x) -> setting_slot { return &x.callbacks.body_bytes_max; },
     "bytes", "Bytes of a callback's body.", 1024, 16 << 20},
    {"callbacks", "body_timeout", [](settings& x) -> setting_slot { return &x.callbacks.body_timeout; },
     "duration", "How long a callback's body may take to arrive.", 10'000, 3'600'000'000},
    {"callbacks", "answer_timeout", [](settings& x) -> setting_slot { return &x.callbacks.answer_timeout; },
     "duration",
     "How long the answer to a callback may take; one that is not recorded by then is answered 503, and the "
     "provider sends it again.",
     10'000, 60'000'000},
    {"callbacks", "in_hand_max", [](settings& x) -> setting_slot { return &x.callbacks.in_hand_max; },
     "callbacks", "Callbacks a node has in hand at once; one more is answered 503.", 1, 100'000},
    {"callbacks", "in_hand_bytes_max",
     [](settings& x) -> setting_slot { return &x.callbacks.in_hand_bytes_max; }, "bytes",
     "Bytes of their bodies; at least body_bytes_max.", 1024, 1 << 30},
    {"callbacks", "batch_max", [](settings& x) -> setting_slot { return &x.callbacks.batch_max; },
     "callbacks", "Callbacks that are recorded in one transaction.", 1, 10'000},
    {"callbacks", "profile_age_max", [](settings& x) -> setting_slot { return &x.callbacks.profile_age_max; },
     "duration", "How long a provider profile is worked with before it is looked whether it was changed.", 0,
     3'600'000'000},
    {"callbacks", "certificates_max",
     [](settings& x) -> setting_slot { return &x.callbacks.certificates_max; }, "certificates",
     "Certificates of providers that are kept at once.", 1, 10'000},
    {"callbacks", "certificate_time",
     [](settings& x) -> setting_slot { return &x.callbacks.certificate_time; }, "duration",
     "How long a certificate is kept before it is fetched again.", 1'000'000, 2'678'400'000'000},
    {"callbacks", "certificate_retry",
     [](settings& x) -> setting_slot { return &x.callbacks.certificate_retry; }, "duration",
     "How long a certificate that could not be fetched is not asked for again.", 0, 3'600'000'000},
    {"callbacks", "refusals_in_hand_max",
     [](settings& x) -> setting_slot { return &x.callbacks.refusals_in_hand_max; }, "callbacks",
     "Refused callbacks that wait to be written into the security audit; those beyond it are counted alone.",
     1, 100'000},
    {"callbacks", "refusals_per_profile",
     [](settings& x) -> setting_slot { return &x.callbacks.refusals_per_profile; }, "callbacks",
     "Refused callbacks of one profile that the security audit keeps.", 1, 1'000'000},
    {"callbacks", "refusals_total", [](settings& x) -> setting_slot { return &x.callbacks.refusals_total; },
     "callbacks", "Refused callbacks that the security audit keeps in all.", 1, 10'000'000},
    {"callbacks", "project_interval",
     [](settings& x) -> setting_slot { return &x.callbacks.project_interval; }, "duration",
     "How often it is looked for provider events that are not projected; what is appended here is projected "
     "at once.",
     10'000, 3'600'000'000},
    {"callbacks", "project_batch", [](settings& x) -> setting_slot { return &x.callbacks.project_batch; },
     "events", "Provider events that are projected in one transaction.", 1, 10'000},
    {"callbacks", "retention", [](settings& x) -> setting_slot { return &x.callbacks.retention; }, "duration",
     "How long it is kept what providers told; what it came to stays.", 3'600'000'000, 632'448'000'000'000},
});

} // namespace sluice::config
