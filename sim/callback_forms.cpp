#include "sim/callback_forms.hpp"

#include "crypto/digest.hpp"
#include "crypto/encoding.hpp"
#include "crypto/rsa_private_key.hpp"
#include "sim/provider_keys.hpp"
#include "sim/provider_kinds.hpp"

#include <nlohmann/json.hpp>

#include <chrono>
#include <cstdio>
#include <map>

namespace sluice::sim {

using core::provider_kind;
using json = nlohmann::json;

namespace {

/// What stands behind the last space: "sms delivered" is "delivered".
std::string last_word(const std::string& words) {
  return words.substr(words.rfind(' ') + 1);
}

std::string first_word(const std::string& words) {
  return words.substr(0, words.find(' '));
}

// SES tells through SNS ("Contents of event data that Amazon SES publishes to Amazon SNS").

json ses_part(const telling& of) {
  json part{{"timestamp", core::to_rfc3339(of.happened)}};
  if (of.what.word.starts_with("Bounce"))
    part.update({{"bounceType", last_word(of.what.word)}, {"bouncedRecipients", {{{"status", "5.1.1"}}}}});
  return part;
}

std::string ses_message(const telling& of) {
  static const std::map<std::string, std::string> parts{{"Send", "send"},
                                                        {"DeliveryDelay", "deliveryDelay"},
                                                        {"Delivery", "delivery"},
                                                        {"Bounce", "bounce"},
                                                        {"Complaint", "complaint"}};
  auto word = first_word(of.what.word);
  json mail{{"messageId", of.what.message_id}, {"destination", {"somebody"}}};
  if (of.what.names_attempt)
    mail["tags"]["sluice-attempt"] = {of.what.attempt};
  return json{{"eventType", word}, {"mail", mail}, {parts.at(word), ses_part(of)}}.dump();
}

core::callback_request sns_form(const telling& of) {
  json made{{"Type", "Notification"},
            {"MessageId", of.event_id},
            {"TopicArn", sns_topic},
            {"Message", ses_message(of)},
            {"SignatureVersion", "2"},
            {"Timestamp", core::to_rfc3339(of.published)},
            {"SigningCertURL", std::string{sns_address} + "SimpleNotificationService-0a1b2c.pem"}};
  std::string text;
  for (const auto* name : {"Message", "MessageId", "Timestamp", "TopicArn", "Type"})
    text.append(name).append("\n").append(made[name].get<std::string>()).append("\n");
  static const auto key = crypto::rsa_private_key::from_pem(rsa_signing_key);
  made["Signature"] = crypto::to_base64(key->sign_sha256(of.forged ? text + "not this" : text).value());
  core::callback_request request;
  request.headers = {{"content-type", "text/plain; charset=UTF-8"}};
  request.body = made.dump();
  return request;
}

// Twilio: "Secure webhooks", "Status callbacks" and "Event streams".

std::string twilio_signed(const telling& of, const std::string& text) {
  const auto digest = crypto::hmac_sha1(of.forged ? "another token" : twilio_token, text);
  return crypto::to_base64(crypto::as_bytes(digest));
}

core::callback_request twilio_form(const telling& of, const std::string& url) {
  const std::map<std::string, std::string> fields{{"AccountSid", twilio_account},
                                                  {"MessageSid", of.what.message_id},
                                                  {"MessageStatus", last_word(of.what.word)}};
  core::callback_request request;
  auto query = "?attempt=" + of.what.attempt;
  auto text = url + query;
  for (const auto& [name, value] : fields) {
    request.body.append(request.body.empty() ? "" : "&").append(name).append("=").append(value);
    text += name + value;
  }
  request.path_and_query = query;
  request.headers = {{"content-type", "application/x-www-form-urlencoded"},
                     {"x-twilio-signature", twilio_signed(of, text)}};
  return request;
}

core::callback_request twilio_json(const telling& of, const std::string& url) {
  core::callback_request request;
  request.body = json::array({{{"id", of.event_id},
                               {"type", "com.twilio.messaging.message.status"},
                               {"data",
                                {{"accountSid", twilio_account},
                                 {"messageSid", of.what.message_id},
                                 {"messageStatus", last_word(of.what.word)},
                                 {"timestamp", core::to_rfc3339(of.happened)}}}}})
                     .dump();
  const auto digest = crypto::sha256(request.body);
  request.path_and_query = "?bodySHA256=" + crypto::to_hex(crypto::as_bytes(digest));
  request.headers = {{"content-type", "application/json"},
                     {"x-twilio-signature", twilio_signed(of, url + request.path_and_query)}};
  return request;
}

// Standard Webhooks.

core::callback_request webhook_form(const telling& of, core::timestamp now) {
  core::callback_request request;
  json body{{"id", of.what.message_id},
            {"state", last_word(of.what.word)},
            {"time", core::to_rfc3339(of.happened)}};
  if (of.what.names_attempt)
    body["attempt_id"] = of.what.attempt;
  request.body = body.dump();
  auto seconds = std::to_string(std::chrono::floor<std::chrono::seconds>(now).time_since_epoch().count());
  auto key = crypto::from_base64(std::string_view{webhook_secret}.substr(6)).value();
  const auto digest =
      crypto::hmac_sha256(of.forged ? "another key" : key, of.event_id + "." + seconds + "." + request.body);
  request.headers = {{"content-type", "application/json"},
                     {"webhook-id", of.event_id},
                     {"webhook-timestamp", seconds},
                     {"webhook-signature", "v1," + crypto::to_base64(crypto::as_bytes(digest))}};
  return request;
}

// A mail server's bounce report (RFC 3464), with the message's headers behind it (RFC 3462).

core::callback_request mail_form(const telling& of) {
  core::callback_request request;
  auto delayed = of.what.word == "dsn delayed";
  auto date = mail_date(of.happened);
  request.body = "From: MAILER-DAEMON@mx.example.com\r\nTo: news@" + std::string{mail_domain}
                 + "\r\nDate: " + date
                 + "\r\nMIME-Version: 1.0\r\n"
                   "Content-Type: multipart/report; report-type=delivery-status; boundary=\"b1\"\r\n\r\n"
                   "--b1\r\nContent-Type: text/plain\r\n\r\nIt could not be delivered.\r\n--b1\r\n"
                   "Content-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.example.com\r\n\r\n"
                   "Final-Recipient: rfc822; somebody@people.example.com\r\nAction: "
                 + (delayed ? "delayed\r\nStatus: 4.4.1" : "failed\r\nStatus: " + last_word(of.what.word))
                 + "\r\nLast-Attempt-Date: " + date
                 + "\r\n\r\n--b1\r\nContent-Type: text/rfc822-headers\r\n\r\nMessage-ID: <"
                 + of.what.message_id + ">\r\nSubject: Told\r\n\r\n--b1--\r\n";
  request.headers = {{"content-type", "message/rfc822"}};
  return request;
}

} // namespace

core::callback_request posted_form(provider_kind kind, const telling& of, const std::string& public_id,
                                   core::timestamp now) {
  auto url = callbacks_at + public_id;
  auto made = kind == provider_kind::ses      ? sns_form(of)
              : kind == provider_kind::twilio ? (of.as_json ? twilio_json(of, url) : twilio_form(of, url))
              : kind == provider_kind::smtp   ? mail_form(of)
                                              : webhook_form(of, now);
  made.method = "POST";
  made.path_and_query = (kind == provider_kind::smtp ? "/v1/profiles/" + public_id + "/reports"
                                                     : "/callbacks/" + public_id + made.path_and_query);
  return made;
}

std::string mail_date(core::timestamp at) {
  const auto day = std::chrono::floor<std::chrono::days>(at);
  const std::chrono::year_month_day date{day};
  const std::chrono::hh_mm_ss time{std::chrono::floor<std::chrono::seconds>(at - day)};
  constexpr std::array months{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                              "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%02u %s %d %02d:%02d:%02d +0000",
                static_cast<unsigned>(date.day()), months.at(static_cast<unsigned>(date.month()) - 1),
                static_cast<int>(date.year()), static_cast<int>(time.hours().count()),
                static_cast<int>(time.minutes().count()), static_cast<int>(time.seconds().count()));
  return text.data();
}

} // namespace sluice::sim
