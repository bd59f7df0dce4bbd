#include "providers/ses_settings.hpp"

#include "core/header_field.hpp"
#include "core/letter_case.hpp"
#include "crypto/certificate.hpp"
#include "providers/settings_section.hpp"
#include "providers/sns_address.hpp"
#include "providers/url_template.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <string_view>

namespace sluice::providers {

namespace {

using json = nlohmann::ordered_json;

constexpr std::size_t topics_max = 20;
constexpr std::size_t address_bytes_max = 320;

bool is_tag_text(std::string_view text) {
  return !text.empty() && text.size() <= ses_tag_bytes_max && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
}

/// SES takes addresses in ASCII alone (Destination, SES API v2); a line end would start another header.
std::string read_mailbox(settings_section& section, std::string_view key, bool required) {
  auto text = required ? section.required_text(key, "it is who the messages are from") : section.text(key);
  const bool readable =
      core::is_header_value(text) && text.size() <= address_bytes_max && text.find('@') != std::string::npos;
  if (!text.empty() && !readable) {
    section.fault(key, "must be an address in printable ASCII of at most 320 bytes, such as "
                       "news@example.com or News <news@example.com>");
  }
  return text;
}

/// The members of an object, each a text.
named_texts read_texts(settings_section section) {
  named_texts made;
  for (const auto& name : section.keys()) {
    made.emplace_back(name, section.text(name));
  }
  return made;
}

void read_headers(settings_section section, ses_settings& made) {
  made.headers = read_texts(section);
  if (made.headers.size() + 1 > ses_headers_max) {
    section.faults().add(section.place(), "holds too many headers; allowed are 14, for one is sent besides");
  }
  for (const auto& [name, value] : made.headers) {
    if (name.size() > ses_header_name_bytes_max || !core::is_header_name(name)
        || core::equal_header_names(name, ses_attempt_header)) {
      section.fault(name,
                    "cannot be a header here; allowed are the names of RFC 9110 with at most 126 bytes, "
                    "and not X-Sluice-Attempt");
    }
    if (value.size() > ses_header_value_bytes_max || !core::is_header_value(value)) {
      section.fault(name, "must be printable ASCII of at most 870 bytes");
    }
  }
}

void read_tags(settings_section section, ses_settings& made) {
  made.tags = read_texts(section);
  for (const auto& [name, value] : made.tags) {
    if (!is_tag_text(name) || !is_tag_text(value) || name == ses_attempt_tag
        || name == ses_notification_tag) {
      section.fault(name, "a tag's name and value are 1 to 256 letters, digits, '_' or '-', and not "
                          "sluice-attempt or sluice-notification");
    }
  }
}

void read_topics(settings_section& root, ses_settings& made) {
  const auto found = root.find("topics");
  if (!found) {
    return;
  }
  const auto is_topic = [](const json& each) {
    return each.is_string() && is_topic_arn(each.get_ref<const std::string&>());
  };
  if (!found->value->is_array() || found->value->size() > topics_max
      || !std::ranges::all_of(*found->value, is_topic)) {
    root.fault("topics", "must be a list of at most 20 ARNs of SNS topics, such as "
                         "arn:aws:sns:eu-central-1:123456789012:mail-events");
    return;
  }
  for (const auto& each : *found->value) {
    made.topics.push_back(each.get<std::string>());
  }
}

void read_authorities(settings_section& root, ses_settings& made) {
  made.signing_authorities = root.text("signing_authorities");
  if (!made.signing_authorities.empty() && crypto::count_certificates(made.signing_authorities) == 0) {
    root.fault("signing_authorities", "must be 1 to 8 certificates as PEM");
  }
}

void read_base_url(settings_section& root, ses_settings& made) {
  const std::string_view suffix = made.region.starts_with("cn-") ? ".amazonaws.com.cn" : ".amazonaws.com";
  const auto usual = "https://email." + made.region + std::string{suffix};
  auto checked = check_base_url(root.text("base_url", usual));
  if (!checked) {
    root.fault("base_url", checked.error());
    return;
  }
  const auto origin = std::min(checked->find('/', checked->find("//") + 2), checked->size());
  auto host = checked->substr(0, origin);
  core::make_lower(host); // what is signed is what goes out in Host
  made.base_url = host + checked->substr(origin);
}

/// A text that can stand in a header and in a scope; never quoted.
std::string read_secret(settings_section& secrets, std::string_view key, bool required) {
  auto text = required ? secrets.required_text(key, "SES takes no request without it") : secrets.text(key);
  const bool clean = std::ranges::all_of(text, [](char c) { return c > ' ' && c <= '~'; });
  if (!clean) {
    secrets.fault(key, "must be printable ASCII without spaces");
  }
  return text;
}

void read_root(settings_section& root, ses_settings& made) {
  made.region = root.required_text("region", "it is where the account sends, such as eu-central-1");
  if (!made.region.empty() && !is_region(made.region)) {
    root.fault("region", "must be a region of AWS, such as eu-central-1");
    made.region = "us-east-1"; // so that only what is wrong is reported
  }
  made.from = read_mailbox(root, "from", true);
  made.reply_to = read_mailbox(root, "reply_to", false);
  made.feedback_to = read_mailbox(root, "feedback_to", false);
  made.configuration_set = root.text("configuration_set");
  if (!made.configuration_set.empty() && !is_tag_text(made.configuration_set)) {
    root.fault("configuration_set", "must be letters, digits, '_' or '-'");
  }
  read_headers(root.section("headers"), made);
  read_tags(root.section("tags"), made);
  read_topics(root, made);
  read_authorities(root, made);
  read_base_url(root, made);
  root.refuse_unknown();
}

} // namespace

std::expected<ses_settings, std::vector<std::string>>
parse_ses_settings(const core::provider_profile& profile) {
  fault_list faults;
  const auto document = read_settings_document(profile.settings, "settings", faults);
  const auto secrets = read_settings_document(profile.credentials, "credentials", faults);
  ses_settings made;
  if (faults.empty()) {
    settings_section root{{&document, "settings"}, faults};
    read_root(root, made);
    settings_section section{{&secrets, "credentials"}, faults};
    made.credentials = {read_secret(section, "access_key_id", true),
                        read_secret(section, "secret_access_key", true),
                        read_secret(section, "session_token", false)};
    section.refuse_unknown();
  }
  if (!faults.empty()) {
    return std::unexpected{std::move(faults).take()};
  }
  return made;
}

} // namespace sluice::providers
