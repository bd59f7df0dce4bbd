#include "providers/fcm_settings.hpp"

#include "providers/settings_section.hpp"
#include "providers/url_template.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

namespace sluice::providers {

namespace {

constexpr std::string_view api_address = "https://fcm.googleapis.com";
constexpr std::string_view token_address = "https://oauth2.googleapis.com/token";

/// Letters, digits and hyphens; the oldest have a domain before a colon.
bool is_project_id(std::string_view text) {
  constexpr std::size_t bytes_max = 100;
  return text.size() <= bytes_max && std::ranges::all_of(text, [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.' || c == ':';
         });
}

std::string address(settings_section& section, std::string_view key, std::string_view fallback) {
  const auto url = section.text(key, fallback);
  auto checked = check_base_url(url);
  if (checked)
    return *std::move(checked);
  section.fault(key, checked.error());
  return {};
}

std::optional<crypto::rsa_private_key> read_key(settings_section& credentials) {
  const auto pem = credentials.required_text("private_key", "requests for access tokens are signed with it");
  if (pem.empty())
    return std::nullopt;
  auto key = crypto::rsa_private_key::from_pem(pem);
  if (!key)
    credentials.fault("private_key",
                      "must be the PEM text of an RSA key of 2,048 to 8,192 bits, not encrypted");
  return key;
}

/// The file has members nobody needs here; they are known all the same.
void pass_over_the_rest(settings_section& credentials) {
  for (const auto* key :
       {"client_id", "auth_uri", "auth_provider_x509_cert_url", "client_x509_cert_url", "universe_domain"})
    static_cast<void>(credentials.find(key));
  credentials.refuse_unknown();
}

struct half_read {
  std::string base_url;
  std::string token_url;
  std::string project_id;
  std::string client_email;
  std::string private_key_id;
};

std::optional<crypto::rsa_private_key> read_both(settings_section settings, settings_section credentials,
                                                 half_read& made) {
  static_cast<void>(credentials.choice("type", {"service_account"}, "service_account"));
  made.base_url = address(settings, "base_url", api_address);
  const auto account_url = address(credentials, "token_uri", token_address);
  made.token_url = settings.has("token_url") ? address(settings, "token_url", {}) : account_url;
  made.project_id = settings.text("project_id", credentials.text("project_id"));
  if (made.project_id.empty())
    settings.fault("project_id", "is missing, in the credentials too; it names the Firebase project");
  else if (!is_project_id(made.project_id))
    settings.fault("project_id", "must be small letters, digits and hyphens");
  made.client_email = credentials.required_text("client_email", "it names the service account");
  made.private_key_id = credentials.text("private_key_id");
  auto key = read_key(credentials);
  settings.refuse_unknown();
  pass_over_the_rest(credentials);
  return key;
}

} // namespace

std::expected<fcm_settings, std::vector<std::string>>
parse_fcm_settings(const core::provider_profile& profile) {
  fault_list faults;
  const auto document = read_settings_document(profile.settings, "settings", faults);
  const auto secrets = read_settings_document(profile.credentials, "credentials", faults);
  half_read read;
  std::optional<crypto::rsa_private_key> key;
  if (faults.empty())
    key = read_both({{&document, "settings"}, faults}, {{&secrets, "credentials"}, faults}, read);
  if (!faults.empty() || !key)
    return std::unexpected{std::move(faults).take()};
  return fcm_settings{std::move(read.base_url),       std::move(read.token_url),
                      std::move(read.project_id),     std::move(read.client_email),
                      std::move(read.private_key_id), *std::move(key)};
}

} // namespace sluice::providers
