#pragma once

#include "providers/fcm_adapter.hpp"
#include "tests/rsa_example.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <memory>
#include <string>

namespace sluice::fcm_testing {

inline const std::string registration_token = "bk3RNwTe3H0:CI2k_HHwgIpoDKCIZvvDMExUdFQ3P1";
inline const std::string installation_id = "cIe-8uB_S0ahVmJ0Nl1kQw";
inline const core::timestamp now = core::from_us(1'764'500'000'000'000);

/// A service account's key file in the form Google gives it out.
inline nlohmann::json key_file() {
  return {{"type", "service_account"},
          {"project_id", "my-app-1"},
          {"private_key_id", "k1"},
          {"private_key", tests::rsa_example_key},
          {"client_email", "push@my-app-1.iam.gserviceaccount.com"},
          {"client_id", "1234567890"},
          {"auth_uri", "https://accounts.google.com/o/oauth2/auth"},
          {"token_uri", "https://oauth2.googleapis.com/token"},
          {"auth_provider_x509_cert_url", "https://www.googleapis.com/oauth2/v1/certs"},
          {"client_x509_cert_url", "https://www.googleapis.com/robot/v1/metadata/x509/push"},
          {"universe_domain", "googleapis.com"}};
}

inline std::expected<std::shared_ptr<const providers::notification_adapter>, std::vector<std::string>>
try_fcm(const nlohmann::json& settings, const nlohmann::json& credentials = key_file()) {
  core::provider_profile profile;
  profile.provider = core::provider_kind::fcm;
  profile.settings = settings.dump();
  profile.credentials = credentials.dump();
  return providers::make_fcm_adapter(profile, {});
}

inline std::shared_ptr<const providers::notification_adapter>
fcm(const nlohmann::json& settings = nlohmann::json::object(),
    const nlohmann::json& credentials = key_file()) {
  const auto made = try_fcm(settings, credentials);
  if (!made)
    for (const auto& fault : made.error())
      UNSCOPED_INFO(fault);
  REQUIRE(made);
  return *made;
}

inline core::submission_order push(core::contact_kind kind = core::contact_kind::fcm_installation) {
  core::submission_order made;
  made.attempt_id = "0199c0de-0000-7000-8000-00000000abcd";
  made.contact = {kind, kind == core::contact_kind::fcm_token ? registration_token : installation_id};
  made.content.title = "Order 7";
  made.content.text = "It is on its way";
  return made;
}

inline core::http_answer answered(int status, std::string body = {}, std::string retry_after = {}) {
  core::http_answer made;
  made.status = status;
  made.body = std::move(body);
  made.retry_after = std::move(retry_after);
  made.ended_at = now;
  return made;
}

inline core::http_answer failed(core::call_error error, int status = 0) {
  core::http_answer made;
  made.error = error;
  made.status = status;
  made.ended_at = now;
  return made;
}

} // namespace sluice::fcm_testing
