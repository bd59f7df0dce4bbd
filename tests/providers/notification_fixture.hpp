#pragma once

#include "core/notification.hpp"
#include "providers/notification_adapter.hpp"

#include <chrono>
#include <string>

namespace sluice::tests {

inline const std::string example_attempt = "0193a8f2-7c1b-7d3e-8f40-123456789abc";
inline const std::string example_notification = "0193a8f2-7c00-7000-8000-00000000000a";
/// 2026-11-30T20:55:12Z, a Monday.
inline const core::timestamp example_now{std::chrono::seconds{1796072112}};

[[nodiscard]] inline core::provider_profile example_profile(core::provider_kind kind, std::string settings,
                                                            std::string credentials = "{}") {
  core::provider_profile made;
  made.provider = kind;
  made.settings = std::move(settings);
  made.credentials = std::move(credentials);
  return made;
}

[[nodiscard]] inline core::submission_order example_order(core::contact_kind kind, std::string address) {
  core::submission_order made;
  made.attempt_id = example_attempt;
  made.notification_id = example_notification;
  made.contact = {kind, std::move(address)};
  made.content.subject = "Hello";
  made.content.text = "Hello there";
  return made;
}

} // namespace sluice::tests
