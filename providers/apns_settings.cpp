#include "providers/apns_settings.hpp"

#include "core/header_field.hpp"
#include "providers/settings_section.hpp"
#include "providers/url_template.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

namespace sluice::providers {

namespace {

// Apple, "Sending notification requests to APNs".
constexpr std::string_view production_url = "https://api.push.apple.com";
constexpr std::string_view sandbox_url = "https://api.sandbox.push.apple.com";
constexpr std::size_t account_id_size = 10;
constexpr core::duration ttl_max = std::chrono::days{30};

std::string read_account_id(settings_section& root, std::string_view key, std::string_view why) {
  auto id = root.required_text(key, why);
  const bool plain = std::ranges::all_of(
      id, [](char c) { return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); });
  if (!id.empty() && (id.size() != account_id_size || !plain)) {
    root.fault(key, "must be 10 letters and digits");
  }
  return id;
}

std::string read_address(settings_section& root) {
  const bool sandbox = root.choice("environment", {"production", "sandbox"}, "production") == "sandbox";
  const auto url = root.text("base_url", sandbox ? sandbox_url : production_url);
  const auto checked = check_base_url(url);
  if (!checked) {
    root.fault("base_url", checked.error());
  } else if (!checked->starts_with("https://")) {
    root.fault("base_url", "must begin with https://: APNs is spoken over TLS alone");
  }
  return checked.value_or("");
}

std::string read_header_text(settings_section& root, std::string_view key, std::string text) {
  if (!core::is_header_value(text)) {
    root.fault(key, "must be printable ASCII");
  }
  return text;
}

std::optional<crypto::p256_key> read_private_key(settings_section& credentials) {
  const auto pem =
      credentials.required_text("private_key", "it is the text of the .p8 file of the signing key");
  auto key = crypto::p256_key::from_pem(pem);
  if (!pem.empty() && !key) {
    credentials.fault("private_key",
                      "must be an unencrypted private key on the curve P-256 in PEM (PKCS#8), as "
                      "the .p8 file has it");
  }
  return key;
}

} // namespace

std::expected<apns_settings, std::vector<std::string>>
parse_apns_settings(const core::provider_profile& profile) {
  fault_list faults;
  const auto document = read_settings_document(profile.settings, "settings", faults);
  const auto secrets = read_settings_document(profile.credentials, "credentials", faults);
  settings_section root{{&document, "settings"}, faults};
  settings_section credentials{{&secrets, "credentials"}, faults};
  auto key = read_private_key(credentials);
  auto base_url = read_address(root);
  auto topic = read_header_text(root, "topic", root.required_text("topic", "it is the app's bundle id"));
  auto key_id = read_account_id(root, "key_id", "it is the signing key's id");
  auto team_id = read_account_id(root, "team_id", "it is the developer account's team id");
  auto sound = root.text("sound");
  const auto ttl = root.duration("ttl", ttl_max);
  if (ttl > ttl_max) {
    root.fault("ttl", "must be at most " + core::to_text(ttl_max));
  }
  root.refuse_unknown();
  credentials.refuse_unknown();
  if (!faults.empty()) {
    return std::unexpected{std::move(faults).take()};
  }
  return apns_settings{std::move(*key),
                       std::move(base_url),
                       std::move(topic),
                       std::move(key_id),
                       std::move(team_id),
                       std::move(sound),
                       ttl};
}

} // namespace sluice::providers
