#include "providers/sns_message.hpp"

#include "core/letter_case.hpp"
#include "core/payload.hpp"
#include "crypto/certificate.hpp"
#include "crypto/encoding.hpp"
#include "providers/sns_address.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace sluice::providers {

namespace {

using core::callback_refusal;
using core::callback_refusal_kind;

enum field : std::size_t {
  type,
  message_id,
  topic,
  message,
  subject,
  timestamp,
  token,
  subscribe_url,
  signature_version,
  signature,
  certificate_url,
  fields
};

constexpr std::array<std::string_view, fields> pointers{
    "/Type",  "/MessageId",    "/TopicArn",         "/Message",   "/Subject",       "/Timestamp",
    "/Token", "/SubscribeURL", "/SignatureVersion", "/Signature", "/SigningCertURL"};

std::unexpected<callback_refusal> refused(callback_refusal_kind kind, std::string reason) {
  return std::unexpected{callback_refusal{kind, std::move(reason)}};
}

/// SNS posts JSON as text/plain, unless the subscription's delivery policy says application/json.
bool is_expected_content(std::string_view header) {
  std::string kind{header.substr(0, header.find(';'))};
  core::make_lower(kind);
  core::trim(kind);
  return kind == "text/plain" || kind == "application/json";
}

std::optional<sns_message_type> parse_type(std::string_view text) noexcept {
  if (text == "Notification") {
    return sns_message_type::notification;
  }
  if (text == "SubscriptionConfirmation") {
    return sns_message_type::subscription_confirmation;
  }
  return text == "UnsubscribeConfirmation" ? std::optional{sns_message_type::unsubscribe_confirmation}
                                           : std::nullopt;
}

/// The first field that is needed and is not a text; nothing where all are.
std::optional<std::string_view> first_missing(const std::vector<core::value>& values, sns_message_type type) {
  const bool confirms = type != sns_message_type::notification;
  for (std::size_t index = 0; index < fields; ++index) {
    const bool needed = index != subject && (confirms || (index != token && index != subscribe_url));
    const auto& value = values[index];
    const bool empty = value.kind == core::value_kind::string && value.text.empty() && index != message;
    if (needed && (value.kind != core::value_kind::string || empty)) {
      return pointers.at(index).substr(1);
    }
  }
  return std::nullopt;
}

/// Line ends stand in the message alone ("Publish", SNS API): so the text that was signed has one reading,
/// and nobody can move words from one field into another.
bool is_unambiguous(const std::vector<core::value>& values) {
  for (std::size_t index = 0; index < fields; ++index) {
    if (index != message && values[index].text.find_first_of("\r\n") != std::string::npos) {
      return false;
    }
  }
  return true;
}

/// Why the message is not one that counts here now, whoever signed it.
std::optional<callback_refusal> misfit_of(const sns_message& read, const sns_demands& demands,
                                          core::timestamp now) {
  if (std::ranges::find(demands.topics, read.topic) == demands.topics.end()) {
    return callback_refusal{callback_refusal_kind::unexpected_sender,
                            "the message is of a topic that the settings do not name"};
  }
  const auto sent = core::parse_rfc3339(read.timestamp);
  if (!sent) {
    return callback_refusal{callback_refusal_kind::malformed, "Timestamp is no time of RFC 3339"};
  }
  if (std::chrono::abs(now - *sent) > sns_message_age_max) {
    return callback_refusal{callback_refusal_kind::stale,
                            "the message is more than an hour older or newer than this node's clock"};
  }
  return std::nullopt;
}

std::optional<callback_refusal> fault_of_signature(const sns_message& read, std::string_view pem,
                                                   const sns_demands& demands, core::timestamp now) {
  const auto key = crypto::signing_key_of(
      pem, {.names = certificate_names(read.certificate_url), .authorities = demands.authorities, .at = now});
  if (!key) {
    return callback_refusal{callback_refusal_kind::bad_signature,
                            std::string{crypto::to_string(key.error())}};
  }
  const auto bytes = crypto::from_base64(read.signature);
  const auto digest =
      read.signature_version == "1" ? crypto::signature_digest::sha1 : crypto::signature_digest::sha256;
  if (!bytes || !key->verify(digest, sns_string_to_sign(read), *bytes)) {
    return callback_refusal{callback_refusal_kind::bad_signature, "the signature does not fit the message"};
  }
  return std::nullopt;
}

sns_message taken(std::vector<core::value>& values, sns_message_type kind) {
  sns_message made{.type = kind,
                   .message_id = std::move(values[message_id].text),
                   .topic = std::move(values[topic].text),
                   .message = std::move(values[message].text),
                   .subject = std::nullopt,
                   .timestamp = std::move(values[timestamp].text),
                   .token = std::move(values[token].text),
                   .subscribe_url = std::move(values[subscribe_url].text),
                   .signature_version = std::move(values[signature_version].text),
                   .signature = std::move(values[signature].text),
                   .certificate_url = std::move(values[certificate_url].text)};
  if (values[subject].kind == core::value_kind::string) {
    made.subject = std::move(values[subject].text);
  }
  return made;
}

void append(std::string& text, std::string_view name, std::string_view value) {
  text.append(name).append("\n").append(value).append("\n");
}

std::string_view to_string(sns_message_type kind) noexcept {
  switch (kind) {
  case sns_message_type::notification:
    return "Notification";
  case sns_message_type::subscription_confirmation:
    return "SubscriptionConfirmation";
  case sns_message_type::unsubscribe_confirmation:
    return "UnsubscribeConfirmation";
  }
  return "";
}

} // namespace

std::expected<sns_message, callback_refusal> parse_sns_message(const core::callback_request& callback) {
  if (callback.method != "POST" || !is_expected_content(callback.header("content-type"))) {
    return refused(callback_refusal_kind::content_type,
                   "SNS posts text/plain, or application/json where its delivery policy says so");
  }
  if (callback.header("x-amz-sns-rawdelivery") == "true") {
    return refused(callback_refusal_kind::malformed,
                   "a raw delivery carries no signature; raw message delivery must be off");
  }
  std::vector<core::value> values;
  auto reader = core::payload_reader::compile({pointers.begin(), pointers.end()});
  if (!reader || !reader->read(callback.body, values)) {
    return refused(callback_refusal_kind::malformed, "the body is no JSON that can be read");
  }
  const auto kind = parse_type(values[type].kind == core::value_kind::string ? values[type].text : "");
  if (!kind) {
    return refused(callback_refusal_kind::malformed, "Type is none of SNS's three");
  }
  if (const auto missing = first_missing(values, *kind)) {
    return refused(callback_refusal_kind::malformed, std::string{*missing} + " is missing, or is no text");
  }
  const auto& given = values[subject].kind;
  if (given != core::value_kind::string && given != core::value_kind::null
      && given != core::value_kind::absent) {
    return refused(callback_refusal_kind::malformed, "Subject is no text");
  }
  if (!is_unambiguous(values)) {
    return refused(callback_refusal_kind::malformed, "a field other than Message holds a line end");
  }
  return taken(values, *kind);
}

std::string sns_string_to_sign(const sns_message& read) {
  std::string text;
  append(text, "Message", read.message);
  append(text, "MessageId", read.message_id);
  if (read.type != sns_message_type::notification) {
    append(text, "SubscribeURL", read.subscribe_url);
  } else if (read.subject) {
    append(text, "Subject", *read.subject);
  }
  append(text, "Timestamp", read.timestamp);
  if (read.type != sns_message_type::notification) {
    append(text, "Token", read.token);
  }
  append(text, "TopicArn", read.topic);
  append(text, "Type", to_string(read.type));
  return text;
}

sns_verdict verify_sns_message(const core::callback_request& callback, const sns_demands& demands,
                               const known_certificates& certificates, core::timestamp now) {
  auto read = parse_sns_message(callback);
  if (!read) {
    return read.error();
  }
  if (read->signature_version != "1" && read->signature_version != "2") {
    return callback_refusal{callback_refusal_kind::bad_signature,
                            "SignatureVersion is neither 1 nor 2, and no other is known"};
  }
  if (!is_certificate_address(read->certificate_url)) {
    return callback_refusal{callback_refusal_kind::bad_signature,
                            "SigningCertURL is not the address of a certificate of SNS"};
  }
  const auto misfit = misfit_of(*read, demands, now);
  const auto pem = certificates(read->certificate_url);
  if (!pem) {
    return misfit ? sns_verdict{*misfit} : certificate_wanted{read->certificate_url};
  }
  if (auto fault = fault_of_signature(*read, *pem, demands, now)) {
    return *fault;
  }
  if (misfit) {
    return *misfit;
  }
  return *std::move(read);
}

} // namespace sluice::providers
