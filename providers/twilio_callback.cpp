#include "providers/twilio_callback.hpp"

#include "core/letter_case.hpp"
#include "core/payload.hpp"
#include "providers/twilio_errors.hpp"
#include "providers/twilio_message.hpp"
#include "providers/twilio_signature.hpp"
#include "providers/visible_text.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <optional>

namespace sluice::providers {

namespace {

using json = nlohmann::json;

constexpr std::string_view form_type = "application/x-www-form-urlencoded";
constexpr std::string_view json_type = "application/json";
constexpr std::size_t event_id_bytes_max = 100;

core::callback_refusal refusal(core::callback_refusal_kind kind, std::string reason) {
  return {kind, std::move(reason)};
}

core::callback_refusal another_account() {
  return refusal(core::callback_refusal_kind::unexpected_sender, "the callback is for another account");
}

core::callback_refusal no_message() {
  return refusal(core::callback_refusal_kind::unidentified,
                 "the callback names neither a message nor an attempt");
}

/// The type without its parameters, in lower case.
std::string media_type(std::string_view header) {
  std::string type{header.substr(0, header.find(';'))};
  core::make_lower(type);
  core::trim(type);
  return type;
}

std::string_view raw_query(const core::callback_request& callback) {
  const std::string_view target = callback.path_and_query;
  const auto mark = target.find('?');
  return mark == std::string_view::npos ? std::string_view{} : target.substr(mark + 1);
}

/// The first of the fields' values by its bytes, so that their order, which is not signed, says nothing.
std::string value_of(const form_fields& fields, std::initializer_list<std::string_view> names) {
  for (const auto name : names) {
    std::optional<std::string> least;
    for (const auto& [field, value] : fields)
      if (field == name && !value.empty() && (!least || value < *least))
        least = value;
    if (least)
      return *least;
  }
  return {};
}

/// 8-4-4-4-12 hexadecimal digits.
bool is_uuid(std::string_view text) {
  constexpr std::size_t size = 36;
  if (text.size() != size)
    return false;
  for (std::size_t at = 0; at < size; ++at) {
    const bool dash = at == 8 || at == 13 || at == 18 || at == 23;
    if (dash ? text[at] != '-'
             : std::string_view{"0123456789abcdefABCDEF"}.find(text[at]) == std::string_view::npos)
      return false;
  }
  return true;
}

std::string attempt_in(std::string_view query) {
  auto named = value_of(parse_form(query), {twilio_attempt_parameter});
  return is_uuid(named) ? named : std::string{};
}

callback_verdict read_form(const twilio_settings& settings, const form_fields& fields, std::string attempt) {
  const auto account = value_of(fields, {"AccountSid"});
  if (!account.empty() && account != settings.account_sid)
    return another_account();
  auto sid = value_of(fields, {"MessageSid", "SmsSid", "SmsMessageSid"});
  if (!is_twilio_message_sid(sid))
    sid.clear();
  if (sid.empty() && attempt.empty())
    return no_message();
  const auto status = value_of(fields, {"MessageStatus", "SmsStatus"});
  const auto code = parse_twilio_error(value_of(fields, {"ErrorCode"}));
  return verified_callback{{twilio_event(std::move(sid), std::move(attempt), status, code)}, {}};
}

std::string text_of(const json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string{};
}

/// One CloudEvent; nothing where it is not about a message.
std::optional<core::provider_event> read_cloud_event(const json& event) {
  if (!event.is_object() || !event.contains("data") || !event["data"].is_object())
    return std::nullopt;
  const auto& data = event["data"];
  auto sid = text_of(data, "messageSid");
  if (!is_twilio_message_sid(sid))
    return std::nullopt;
  int code = 0;
  if (const auto found = data.find("errorCode"); found != data.end())
    code = parse_twilio_error(found->is_string() ? found->get<std::string>() : found->dump());
  auto made = twilio_event(std::move(sid), {}, text_of(data, "messageStatus"), code);
  made.event_id = visible_text(text_of(event, "id"), {}, event_id_bytes_max);
  if (const auto at = core::parse_rfc3339(text_of(data, "timestamp")))
    made.occurred_at = *at;
  return made;
}

callback_verdict read_json(const twilio_settings& settings, std::string_view body) {
  if (!core::check_payload(body))
    return refusal(core::callback_refusal_kind::malformed, "the body is not readable JSON");
  auto document = json::parse(body, nullptr, false);
  if (!document.is_array())
    document = json::array({std::move(document)});
  verified_callback made;
  for (const auto& event : document) {
    if (event.is_object() && event.contains("data") && event["data"].is_object()) {
      const auto account = text_of(event["data"], "accountSid");
      if (!account.empty() && account != settings.account_sid)
        return another_account();
    }
    if (auto read = read_cloud_event(event))
      made.events.push_back(*std::move(read));
  }
  if (made.events.empty())
    return no_message();
  return made;
}

} // namespace

std::string twilio_callback_url(const twilio_settings& settings, std::string_view attempt_id) {
  if (settings.callback_url.empty())
    return {};
  auto url = settings.callback_url;
  url += url.find('?') == std::string::npos ? '?' : '&';
  url.append(twilio_attempt_parameter).append(1, '=');
  append_percent_encoded(url, attempt_id);
  return url;
}

callback_verdict verify_twilio_callback(const twilio_settings& settings,
                                        const core::callback_request& callback) {
  using enum core::callback_refusal_kind;
  const auto type = media_type(callback.header("content-type"));
  if (type != form_type && type != json_type)
    return refusal(content_type, "a callback is a form or JSON: application/x-www-form-urlencoded or "
                                 "application/json");
  if (settings.callback_url.empty())
    return refusal(bad_signature, "this profile gets no callbacks: no public address is configured");
  const auto signature = callback.header("x-twilio-signature");
  if (signature.empty())
    return refusal(bad_signature, "X-Twilio-Signature is missing");
  const auto query = raw_query(callback);
  const bool is_form = type == form_type;
  const auto fields = is_form ? parse_form(callback.body) : form_fields{};
  if (!verify_twilio_signature(settings.signing_tokens, twilio_signed_urls(settings.callback_url, query),
                               fields, signature))
    return refusal(bad_signature, "X-Twilio-Signature is not by this account's token over this address");
  if (is_form)
    return read_form(settings, fields, attempt_in(query));
  if (!is_twilio_body(query, callback.body))
    return refusal(bad_signature, "bodySHA256 is not the body's digest");
  return read_json(settings, callback.body);
}

} // namespace sluice::providers
