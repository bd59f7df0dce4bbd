#pragma once

#include "providers/ses_adapter.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <string>
#include <utility>

namespace sluice::tests {

inline const core::timestamp ses_noon = core::parse_rfc3339("2026-06-01T12:00:00Z").value();
inline const std::string ses_topic = "arn:aws:sns:eu-central-1:123456789012:mail-events";

/// Settings that are complete, to be changed by a test.
[[nodiscard]] inline nlohmann::json ses_settings_json() {
  return {{"region", "eu-central-1"},
          {"from", "News <news@example.com>"},
          {"configuration_set", "watched"},
          {"topics", {ses_topic}}};
}

[[nodiscard]] inline nlohmann::json ses_credentials_json() {
  return {{"access_key_id", "AKIDEXAMPLE"}, {"secret_access_key", "s3cret/Key"}};
}

[[nodiscard]] inline core::provider_profile
ses_profile(const nlohmann::json& settings = ses_settings_json(),
            const nlohmann::json& credentials = ses_credentials_json()) {
  core::provider_profile made;
  made.provider = core::provider_kind::ses;
  made.settings = settings.dump();
  made.credentials = credentials.dump();
  return made;
}

[[nodiscard]] inline std::shared_ptr<const providers::notification_adapter>
ses_adapter(const core::provider_profile& profile = ses_profile()) {
  auto made = providers::make_ses_adapter(profile, {});
  INFO((made ? std::string{} : made.error().front()));
  REQUIRE(made);
  return *made;
}

[[nodiscard]] inline core::submission_order ses_order() {
  core::submission_order made;
  made.attempt_id = "01920000-0000-7000-8000-000000000001";
  made.notification_id = "01920000-0000-7000-8000-0000000000ff";
  made.contact = {core::contact_kind::email, "jane@example.com"};
  made.content.subject = "Grüße";
  made.content.text = "Hello";
  return made;
}

} // namespace sluice::tests
