#include "providers/twilio_settings.hpp"

#include "core/outside_address.hpp"
#include "providers/settings_section.hpp"
#include "providers/url_template.hpp"

#include <algorithm>

namespace sluice::providers {

namespace {

constexpr std::string_view api_address = "https://api.twilio.com";
constexpr std::size_t alphanumeric_sender_max = 11; // Twilio's "Alphanumeric Sender ID"

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool is_sender(std::string_view text) {
  const bool number = text.starts_with('+');
  const auto rest = text.substr(number ? 1 : 0);
  if (!rest.empty() && std::ranges::all_of(rest, is_digit))
    return number ? rest.size() <= 15 : rest.size() >= 3 && rest.size() <= 8;
  constexpr std::string_view others = " +-_&";
  return !text.empty() && text.size() <= alphanumeric_sender_max && std::ranges::any_of(text, is_letter)
         && std::ranges::all_of(text, [&](char c) {
              return is_letter(c) || is_digit(c) || others.find(c) != std::string_view::npos;
            });
}

void read_sender(settings_section& section, twilio_settings& made) {
  made.from = section.text("from");
  made.messaging_service_sid = section.text("messaging_service_sid");
  if (section.has("from") == section.has("messaging_service_sid")) {
    section.faults().add(section.place(),
                         "needs either from (a number such as +15005550006, a short code or an alphanumeric "
                         "sender) or messaging_service_sid (MG and 32 hexadecimal digits)");
  }
  if (!made.from.empty() && !is_sender(made.from)) {
    section.fault("from", "must be \"+\" and at most 15 digits, a short code of 3 to 8 digits, or an "
                          "alphanumeric sender of at most 11 characters with a letter");
  }
  if (!made.messaging_service_sid.empty() && !is_twilio_sid("MG", made.messaging_service_sid))
    section.fault("messaging_service_sid", "must be MG and 32 hexadecimal digits");
}

void read_root(settings_section& section, twilio_settings& made) {
  const auto url = section.text("base_url", api_address);
  if (auto checked = check_base_url(url))
    made.base_url = *std::move(checked);
  else
    section.fault("base_url", checked.error());
  made.account_sid =
      section.required_text("account_sid", "it names the account, AC and 32 hexadecimal digits");
  if (!made.account_sid.empty() && !is_twilio_sid("AC", made.account_sid))
    section.fault("account_sid", "must be AC and 32 hexadecimal digits");
  read_sender(section, made);
  section.refuse_unknown();
}

void read_credentials(settings_section& section, twilio_settings& made) {
  const auto token = section.text("auth_token");
  const auto other_token = section.text("secondary_auth_token");
  const auto key = section.text("api_key");
  const auto secret = section.text("api_key_secret");
  if (section.has("api_key") != section.has("api_key_secret"))
    section.fault(section.has("api_key") ? "api_key_secret" : "api_key", "is missing; a key has both halves");
  if (!key.empty() && !is_twilio_sid("SK", key))
    section.fault("api_key", "must be SK and 32 hexadecimal digits");
  if (!section.has("auth_token") && !section.has("api_key"))
    section.fault("auth_token", "is missing; requests need it, or api_key and api_key_secret");
  else if (!section.has("auth_token") && !made.callback_url.empty())
    section.fault("auth_token", "is missing; callbacks are signed with it, whatever requests are sent with");
  made.username = key.empty() ? made.account_sid : key;
  made.password = key.empty() ? token : secret;
  for (const auto& each : {token, other_token})
    if (!each.empty())
      made.signing_tokens.push_back(each);
  section.refuse_unknown();
}

} // namespace

std::expected<twilio_settings, std::vector<std::string>>
parse_twilio_settings(const core::provider_profile& profile, const adapter_surroundings& around) {
  fault_list faults;
  const auto document = read_settings_document(profile.settings, "settings", faults);
  const auto secrets = read_settings_document(profile.credentials, "credentials", faults);
  twilio_settings made;
  made.callback_url = around.callback_url;
  if (faults.empty()) {
    settings_section root{{&document, "settings"}, faults};
    read_root(root, made);
    settings_section credentials{{&secrets, "credentials"}, faults};
    read_credentials(credentials, made);
    if (const auto url = core::parse_outside_url(made.callback_url); !made.callback_url.empty() && !url)
      faults.add("the address of callbacks", url.error());
  }
  if (!faults.empty())
    return std::unexpected{std::move(faults).take()};
  return made;
}

bool is_twilio_sid(std::string_view prefix, std::string_view text) noexcept {
  constexpr std::size_t digits = 32;
  return text.size() == prefix.size() + digits && text.starts_with(prefix)
         && text.find_first_not_of("0123456789abcdefABCDEF", prefix.size()) == std::string_view::npos;
}

bool is_twilio_message_sid(std::string_view text) noexcept {
  return is_twilio_sid("SM", text) || is_twilio_sid("MM", text);
}

} // namespace sluice::providers
