#include "sim/provider_kinds.hpp"

#include "crypto/encoding.hpp"
#include "crypto/p256.hpp"
#include "sim/provider_keys.hpp"

#include <nlohmann/json.hpp>

#include <charconv>

namespace sluice::sim {

using core::provider_kind;
using json = nlohmann::json;

namespace {

constexpr std::string_view mark_begin = "zq";
constexpr std::string_view mark_end = "qz";
constexpr std::size_t uuid_size = 36;

std::string digits(std::int64_t number, std::size_t count) {
  auto text = std::to_string(number);
  return std::string(count - std::min(count, text.size()), '0') + text;
}

std::string header_of(const core::header_lines& lines, std::string_view name) {
  for (const auto& line : lines) {
    if (line.starts_with(name) && line.size() > name.size() + 1)
      return line.substr(name.size() + 2);
  }
  return {};
}

std::string after(std::string_view text, std::string_view name, std::size_t count) {
  auto at = text.find(name);
  return at == std::string_view::npos ? std::string{} : std::string{text.substr(at + name.size(), count)};
}

} // namespace

std::string address_of(provider_kind kind) {
  if (kind == provider_kind::smtp)
    return "smtp://smtp.sim.example.com:587/";
  return "https://" + std::string{to_string(kind)} + ".sim.example.com/";
}

std::string settings_of(provider_kind kind, bool takes_once) {
  auto base = address_of(kind).substr(0, address_of(kind).size() - 1);
  switch (kind) {
  case provider_kind::ses:
    return json{
        {"region", "eu-central-1"}, {"from", "news@example.com"}, {"topics", {sns_topic}}, {"base_url", base}}
        .dump();
  case provider_kind::twilio:
    return json{{"account_sid", twilio_account}, {"from", twilio_sender}, {"base_url", base}}.dump();
  case provider_kind::fcm:
    return json{{"project_id", "parcels"}, {"base_url", base}, {"token_url", base + "/token"}}.dump();
  case provider_kind::apns:
    return json{{"topic", "com.example.parcels"},
                {"key_id", "ABC123DEFG"},
                {"team_id", "DEF123GHIJ"},
                {"base_url", base}}
        .dump();
  case provider_kind::web_push:
    return json{{"subject", "mailto:operations@example.com"}}.dump();
  case provider_kind::smtp:
    return json{{"host", "smtp.sim.example.com"}, {"from", std::string{"news@"} + mail_domain}}.dump();
  case provider_kind::webhook:
    return json{{"url", base + "/messages"},
                {"honours_webhook_id", takes_once},
                {"status", {{"url", base + "/status/{attempt_id}"}}}}
        .dump();
  }
  return {};
}

std::string credentials_of(provider_kind kind) {
  switch (kind) {
  case provider_kind::ses:
    return json{{"access_key_id", "AKIDEXAMPLE"}, {"secret_access_key", "s3cret/Key"}}.dump();
  case provider_kind::twilio:
    return json{{"auth_token", twilio_token}}.dump();
  case provider_kind::fcm:
    return json{{"client_email", "push@parcels.example.com"}, {"private_key", rsa_signing_key}}.dump();
  case provider_kind::apns:
  case provider_kind::web_push:
    return json{{"private_key", p256_signing_key}}.dump();
  case provider_kind::smtp:
    return json{{"username", "news"}, {"password", "of the server"}}.dump();
  case provider_kind::webhook:
    return json{{"secrets", {webhook_secret}}}.dump();
  }
  return {};
}

std::string contact_text(core::contact_kind kind, std::int64_t number) {
  switch (kind) {
  case core::contact_kind::email:
    return "person" + std::to_string(number) + "@people.example.com";
  case core::contact_kind::phone:
    return "+4915112345" + digits(number, 3);
  case core::contact_kind::fcm_installation:
  case core::contact_kind::fcm_token:
    return "cIe-8uB_S0ahVmJ0Nl" + digits(number, 4);
  case core::contact_kind::apns_token:
    return std::string(60, 'a') + digits(number, 4);
  case core::contact_kind::web_push: {
    static const auto key = crypto::p256_key::from_pem(p256_signing_key)->public_key();
    return json{
        {"endpoint", address_of(provider_kind::web_push) + marked_text(number)},
        {"keys",
         {{"p256dh", crypto::to_base64url(key)}, {"auth", crypto::to_base64url(std::string(16, 'a'))}}}}
        .dump();
  }
  case core::contact_kind::other:
    break;
  }
  return "somebody-" + std::to_string(number);
}

std::string marked_text(std::int64_t notification) {
  return std::string{mark_begin} + std::to_string(notification) + std::string{mark_end};
}

std::int64_t notification_in(const harness::seen_call& call) {
  for (const auto* text : {&call.body, &call.path, call.mail ? &call.mail->text : &call.path}) {
    for (auto at = text->find(mark_begin); at != std::string::npos; at = text->find(mark_begin, at + 1)) {
      std::int64_t number = 0;
      const auto* end = text->data() + text->size();
      auto [stop, fault] = std::from_chars(text->data() + at + mark_begin.size(), end, number);
      if (fault == std::errc{} && std::string_view{stop, end}.starts_with(mark_end))
        return number;
    }
  }
  return 0;
}

std::string attempt_in(provider_kind kind, const harness::seen_call& call) {
  switch (kind) {
  case provider_kind::ses: {
    auto tag = call.body.find("sluice-attempt");
    return tag == std::string::npos
               ? ""
               : after(std::string_view{call.body}.substr(tag), R"("Value":")", uuid_size);
  }
  case provider_kind::twilio:
    return after(call.body, "%3Fattempt%3D", uuid_size);
  case provider_kind::apns:
    return header_of(call.headers, "apns-id");
  case provider_kind::smtp:
    return call.mail ? header_of(call.mail->headers, "Message-ID").substr(1, uuid_size) : std::string{};
  case provider_kind::webhook:
    return after(call.body, R"({"id":")", uuid_size);
  case provider_kind::fcm:
  case provider_kind::web_push:
    break;
  }
  return {};
}

std::string recipient_in(const harness::seen_call& call) {
  auto number = after(call.body, "To=%2B", std::string::npos);
  return "+" + number.substr(0, number.find('&'));
}

std::string message_id_of(provider_kind kind, const std::string& attempt, std::int64_t number) {
  switch (kind) {
  case provider_kind::ses:
    return "0107" + digits(number, 12) + "-mail";
  case provider_kind::twilio:
    return "SM" + digits(number, 32);
  case provider_kind::fcm:
    return "projects/parcels/messages/" + std::to_string(number);
  case provider_kind::apns:
    return attempt;
  case provider_kind::web_push:
    return address_of(kind) + "message/" + std::to_string(number);
  case provider_kind::smtp:
    return attempt + "@" + mail_domain;
  case provider_kind::webhook:
    break;
  }
  return "w-" + std::to_string(number);
}

} // namespace sluice::sim
