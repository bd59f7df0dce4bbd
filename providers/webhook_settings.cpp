#include "providers/webhook_settings.hpp"

#include "core/custom_header.hpp"
#include "core/header_field.hpp"
#include "core/outside_address.hpp"
#include "providers/settings_section.hpp"
#include "providers/text_encoding.hpp"
#include "providers/visible_text.hpp"
#include "providers/webhook_secret.hpp"
#include "providers/webhook_signature.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace sluice::providers {

namespace {

constexpr std::size_t words_max = 100;
constexpr std::array<std::string_view, 2> status_places{"{id}", "{attempt_id}"};

/// An object of foreign words and ours for them.
template <class Enum>
std::map<std::string, Enum, std::less<>> read_words(settings_section section,
                                                    std::optional<Enum> (*parse)(std::string_view) noexcept,
                                                    std::string_view allowed) {
  std::map<std::string, Enum, std::less<>> words;
  if (section.keys().size() > words_max)
    section.faults().add(section.place(), "holds more than 100 words");
  for (const auto& word : section.keys()) {
    if (const auto read = parse(section.text(word)))
      words.emplace(word, *read);
    else
      section.fault(word, "must be one of " + std::string{allowed});
  }
  return words;
}

webhook_words read_places(settings_section& section) {
  webhook_words made;
  made.id = section.pointer("id", "/id");
  made.attempt_id = section.pointer("attempt_id", "/attempt_id");
  made.state = section.pointer("state", "/state");
  made.time = section.pointer("time", "/time");
  made.states =
      read_words(section.section("states"), &core::parse_provider_event_type,
                 "queued, sent, delayed, delivered, soft_bounced, bounced, complained, undelivered, "
                 "rejected, other");
  made.suppressing = read_words(section.section("suppressing"), &core::parse_suppression_reason,
                                "hard_bounce, complaint, retired_token, unsubscribed");
  return made;
}

std::string read_url(settings_section& section, std::string_view key, std::string text) {
  if (text.empty())
    return text;
  // Judged as it will be sent: with something in its places.
  const auto filled = webhook_status_url(text, "x", "x").value_or(text);
  if (const auto parsed = core::parse_outside_url(filled); !parsed)
    section.fault(key, parsed.error());
  return text;
}

void read_status(settings_section section, webhook_settings& made) {
  if (!section.present())
    return;
  made.status_url =
      read_url(section, "url", section.required_text("url", "it is where the receiver is asked"));
  const bool asks = std::ranges::any_of(status_places, [&](std::string_view place) {
    return made.status_url.find(place) != std::string::npos;
  });
  if (!made.status_url.empty() && !asks)
    section.fault("url", "must have {id} or {attempt_id} in it, or every message would be asked for alike");
  made.status = read_places(section);
  section.refuse_unknown();
}

void read_headers(settings_section section, webhook_settings& made) {
  std::vector<core::custom_header> headers;
  for (const auto& name : section.keys())
    headers.push_back({.name = name, .value = section.text(name)});
  for (const auto& fault : core::custom_header_faults(headers))
    section.faults().add(section.place(), fault);
  for (const auto& header : headers) {
    if (core::is_secret(header))
      section.fault(header.name, "carries a credential, which has its place in credentials.authorization");
    made.headers.push_back(header.name + ": " + header.value);
  }
}

/// A list of texts, each of which `fault_of` takes.
template <class FaultOf>
std::vector<std::string> read_list(settings_section& secrets, std::string_view key, FaultOf fault_of) {
  const auto found = secrets.find(key);
  if (!found)
    return {};
  std::vector<std::string> texts;
  const auto& list = *found->value;
  if (!list.is_array() || list.empty() || list.size() > core::signing_secrets_max) {
    secrets.fault(key, "must be a list of 1 to 8 texts");
    return {};
  }
  for (const auto& each : list) {
    texts.push_back(each.is_string() ? each.template get<std::string>() : std::string{});
    if (const std::string fault = fault_of(texts.back()); !fault.empty())
      secrets.fault(key, fault);
  }
  return texts;
}

void read_credentials(settings_section& secrets, webhook_settings& made) {
  const auto texts = read_list(secrets, "secrets", [](const std::string& text) {
    const auto read = parse_webhook_secret(text);
    return read ? std::string{} : read.error();
  });
  if (!secrets.has("secrets"))
    secrets.fault("secrets", "is missing; every message is signed");
  for (const auto& text : texts) {
    made.secrets.push_back({.text = text, .expires_at = std::nullopt});
    if (check_verification_key(text))
      made.callback_keys.push_back(text);
  }
  auto keys = read_list(secrets, "callback_secrets", [](const std::string& text) {
    const auto checked = check_verification_key(text);
    return checked ? std::string{} : checked.error();
  });
  if (!keys.empty())
    made.callback_keys = std::move(keys);
  const auto authorization = secrets.text("authorization");
  if (!core::is_header_value(authorization) || authorization.size() > core::custom_header_bytes_max)
    secrets.fault("authorization", "must be printable ASCII of at most 4096 bytes");
  if (!authorization.empty())
    made.headers.push_back("Authorization: " + authorization);
  secrets.refuse_unknown();
}

void read_root(settings_section& root, webhook_settings& made) {
  made.url = root.required_text("url", "messages are posted there");
  if (const auto parsed = core::parse_outside_url(made.url); !made.url.empty() && !parsed)
    root.fault("url", parsed.error());
  made.id = root.pointer("id", "/id");
  made.honours_webhook_id = root.flag("honours_webhook_id", false);
  made.http2 = root.flag("http2", true);
  read_headers(root.section("headers"), made);
  auto callback = root.section("callback");
  made.callback = read_places(callback);
  callback.refuse_unknown();
  read_status(root.section("status"), made);
  root.refuse_unknown();
}

} // namespace

std::expected<webhook_settings, std::vector<std::string>>
parse_webhook_settings(const core::provider_profile& profile) {
  fault_list faults;
  const auto document = read_settings_document(profile.settings, "settings", faults);
  const auto credentials = read_settings_document(profile.credentials, "credentials", faults);
  webhook_settings made;
  if (faults.empty()) {
    settings_section root{{&document, "settings"}, faults};
    read_root(root, made);
    settings_section secrets{{&credentials, "credentials"}, faults};
    read_credentials(secrets, made);
  }
  if (!faults.empty())
    return std::unexpected{std::move(faults).take()};
  return made;
}

std::optional<std::string> webhook_status_url(std::string url, std::string_view id,
                                              std::string_view attempt_id) {
  const std::array values{id, attempt_id};
  for (std::size_t i = 0; i < status_places.size(); ++i) {
    std::string encoded;
    append_percent_encoded(encoded, values[i]);
    for (auto at = url.find(status_places[i]); at != std::string::npos;
         at = url.find(status_places[i], at + encoded.size())) {
      if (encoded.empty() || encoded == "." || encoded == "..")
        return std::nullopt; // another resource would be asked for
      url.replace(at, status_places[i].size(), encoded);
    }
  }
  return url;
}

} // namespace sluice::providers
