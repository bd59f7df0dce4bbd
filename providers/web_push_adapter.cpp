#include "providers/web_push_adapter.hpp"

#include "core/header_field.hpp"
#include "core/outside_address.hpp"
#include "core/payload.hpp"
#include "crypto/encoding.hpp"
#include "crypto/p256.hpp"
#include "providers/push_payload.hpp"
#include "providers/send_only_adapter.hpp"
#include "providers/settings_section.hpp"
#include "providers/status_submission.hpp"
#include "providers/web_push_encryption.hpp"
#include "providers/web_push_subscription.hpp"
#include "providers/web_push_vapid.hpp"

#include <algorithm>
#include <utility>

namespace sluice::providers {

namespace {

constexpr core::duration ttl_max = std::chrono::days{28}; // more is refused by services in wide use
constexpr std::size_t location_bytes_max = 1024;
constexpr std::string_view service = "the push service";

struct web_push_settings {
  crypto::p256_key key;
  std::string subject;
  core::duration ttl = ttl_max;
  std::size_t padded_size = 0;
};

/// RFC 8030 section 5.3.
std::string_view urgency_word(core::message_urgency urgency) noexcept {
  switch (urgency) {
  case core::message_urgency::very_low:
    return "very-low";
  case core::message_urgency::low:
    return "low";
  case core::message_urgency::normal:
    return "normal";
  case core::message_urgency::high:
    return "high";
  }
  return "normal";
}

std::string payload_of(const core::submission_order& order) {
  std::string payload = "{";
  append_text_member(payload, "id", order.notification_id);
  append_text_member(payload, "title", order.content.title);
  append_text_member(payload, "body", order.content.text);
  append_text_member(payload, "tag", order.content.collapse_key);
  if (!order.content.data.empty()) {
    payload += payload.ends_with('{') ? R"("data":)" : R"(,"data":)";
    payload += order.content.data;
  }
  return payload += '}';
}

std::string too_large(std::size_t bytes) {
  return "content: the message takes " + std::to_string(bytes) + " bytes as JSON; at most "
         + std::to_string(web_push_plain_bytes_max) + " fit into a push message";
}

core::submission unreadable_address(std::string why) {
  return rejected(core::rejection_cause::recipient, "address_unreadable", std::move(why));
}

class web_push_adapter final : public send_only_adapter {
public:
  explicit web_push_adapter(web_push_settings settings)
      : identity_(std::move(settings.key), std::move(settings.subject)), ttl_(settings.ttl),
        padded_size_(settings.padded_size) {
    traits_.contacts = {core::contact_kind::web_push};
    traits_.many_services = true;
  }

  [[nodiscard]] const adapter_traits& traits() const noexcept override { return traits_; }
  [[nodiscard]] std::vector<std::string> faults_of(const core::submission_order& order) const override;
  [[nodiscard]] std::expected<core::http_request, core::submission>
  build(const core::submission_order& order, core::timestamp now, std::string_view) const override;
  [[nodiscard]] core::submission read(const core::submission_order& order, const core::http_answer& answer,
                                      core::timestamp now) const override;

private:
  [[nodiscard]] core::header_lines headers_of(const core::submission_order& order, core::timestamp now,
                                              std::string authorization) const;

  vapid_identity identity_;
  core::duration ttl_;
  std::size_t padded_size_;
  adapter_traits traits_;
};

std::vector<std::string> web_push_adapter::faults_of(const core::submission_order& order) const {
  std::vector<std::string> faults;
  const auto& content = order.content;
  if (content.title.empty() && content.text.empty() && content.data.empty()) {
    faults.emplace_back(empty_push_fault);
  }
  if (auto fault = fault_of_push_data(content.data)) {
    faults.push_back(std::move(*fault));
  }
  if (const auto bytes = payload_of(order).size(); bytes > web_push_plain_bytes_max) {
    faults.push_back(too_large(bytes));
  }
  const auto subscription = parse_web_push_subscription(order.contact.text);
  if (!subscription) {
    faults.push_back("contact: " + subscription.error());
  } else if (!crypto::is_p256_public_key(subscription->public_key)) {
    faults.emplace_back("contact: the subscription's keys.p256dh is no point of the curve P-256");
  }
  return faults;
}

core::header_lines web_push_adapter::headers_of(const core::submission_order& order, core::timestamp now,
                                                std::string authorization) const {
  const auto keep =
      std::clamp(order.expires_at ? *order.expires_at - now : ttl_, core::duration::zero(), ttl_max);
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(keep).count();
  core::header_lines headers{"TTL: " + std::to_string(seconds),
                             "Urgency: " + std::string{urgency_word(order.content.urgency)},
                             "Content-Encoding: aes128gcm",
                             "Content-Type: application/octet-stream",
                             "Authorization: " + std::move(authorization),
                             "User-Agent: sluice/0.1"};
  if (!order.content.collapse_key
           .empty()) { // RFC 8030 section 5.4; the key itself is not the service's business
    headers.push_back("Topic: " + collapse_digest(order.content.collapse_key));
  }
  return headers;
}

std::expected<core::http_request, core::submission>
web_push_adapter::build(const core::submission_order& order, core::timestamp now, std::string_view) const {
  const auto subscription = parse_web_push_subscription(order.contact.text);
  if (!subscription) {
    return std::unexpected{unreadable_address(subscription.error())};
  }
  const auto payload = payload_of(order);
  if (payload.size() > web_push_plain_bytes_max) {
    return std::unexpected{
        rejected(core::rejection_cause::message, "message_too_large", too_large(payload.size()))};
  }
  const auto once = draw_web_push_once();
  auto authorization = identity_.authorization(subscription->origin, now);
  if (!once || !authorization) {
    return std::unexpected{retryable("library_failure", "OpenSSL refused to make or use a key")};
  }
  auto body = encrypt_web_push(*subscription, payload, padded_size_, *once);
  if (!body) {
    return std::unexpected{
        unreadable_address("the subscription's keys.p256dh is no point of the curve P-256")};
  }
  core::http_request request;
  request.method = "POST";
  request.url = subscription->endpoint;
  request.headers = headers_of(order, now, std::move(*authorization));
  request.body = std::move(*body);
  request.http2 = true;
  return request;
}

core::submission web_push_adapter::read(const core::submission_order&, const core::http_answer& answer,
                                        core::timestamp now) const {
  using enum core::rejection_cause;
  if (answer.error == core::call_error::address_refused) { // the endpoint is the recipient's own word
    return rejected(recipient, std::string{core::to_string(answer.error)},
                    "the subscription's endpoint is not an address that may be called");
  }
  if (!has_status(answer)) {
    return submission_without_answer(answer);
  }
  const auto status = answer.status;
  if (is_success(answer)) { // RFC 8030 section 5: 201, or 202 where a receipt is asked for
    const bool readable = !answer.location.empty() && answer.location.size() <= location_bytes_max
                          && core::is_header_value(answer.location);
    if (answer.error != core::call_error::none && !readable) {
      return ambiguous(status_class(status), "the push service's answer was cut, and it names no message");
    }
    return accepted(readable ? answer.location : std::string{});
  }
  switch (status) {
  case 404:   // RFC 8030 section 7.3: the subscription expired,
  case 410: { // or was removed
    auto made =
        rejected(recipient, status_class(status), "the push service knows no such subscription any more");
    made.retires = core::suppression_reason::retired_token;
    return made;
  }
  case 400:
    return rejected(message, status_class(status),
                    "the push service answered 400: it cannot read the request");
  case 401:
  case 403: // RFC 8292 section 4.2
    return rejected(
        provider, status_class(status),
        "the push service answered " + std::to_string(status)
            + ": it does not take our identification; the subscription may have been made for another "
              "key");
  default:
    return submission_of_status(service, answer, now);
  }
}

std::optional<crypto::p256_key> read_private_key(settings_section& credentials) {
  const auto text =
      credentials.required_text("private_key", "it is the key browsers subscribe to, 32 bytes in "
                                               "base64url or PEM");
  if (text.empty()) {
    return std::nullopt;
  }
  const auto scalar = crypto::from_base64url(text);
  auto key = scalar ? crypto::p256_key::from_bytes(*scalar) : crypto::p256_key::from_pem(text);
  if (!key) {
    credentials.fault("private_key",
                      "must be a private key on the curve P-256: 32 bytes in base64url without "
                      "padding, or unencrypted PEM");
  }
  return key;
}

void check_public_key(settings_section& root, const std::optional<crypto::p256_key>& key) {
  const auto text = root.text("public_key");
  if (!text.empty() && key && text != crypto::to_base64url(key->public_key())) {
    root.fault("public_key", "is not the public key of credentials.private_key, as 65 bytes in base64url "
                             "without padding");
  }
}

std::string read_subject(settings_section& root) {
  auto subject =
      root.required_text("subject", "push services turn to it, such as mailto:operations@example.com");
  const bool mail = subject.starts_with("mailto:") && subject.find('@') != std::string::npos;
  const bool page = subject.starts_with("https://") && core::parse_outside_url(subject).has_value();
  if (!subject.empty() && ((!mail && !page) || !core::is_header_value(subject))) {
    root.fault("subject", "must be an address that begins with mailto: or https:// (RFC 8292 section 2.1)");
  }
  return subject;
}

} // namespace

std::expected<std::shared_ptr<const notification_adapter>, std::vector<std::string>>
make_web_push_adapter(const core::provider_profile& profile, const adapter_surroundings&) {
  fault_list faults;
  const auto document = read_settings_document(profile.settings, "settings", faults);
  const auto secrets = read_settings_document(profile.credentials, "credentials", faults);
  settings_section root{{&document, "settings"}, faults};
  settings_section credentials{{&secrets, "credentials"}, faults};
  auto key = read_private_key(credentials);
  check_public_key(root, key);
  auto subject = read_subject(root);
  const auto ttl = root.duration("ttl", ttl_max);
  if (ttl > ttl_max) {
    root.fault("ttl", "must be at most " + core::to_text(ttl_max));
  }
  const auto padded_size = root.number("padded_size", 0, std::int64_t{web_push_plain_bytes_max}, 0);
  root.refuse_unknown();
  credentials.refuse_unknown();
  if (!faults.empty()) {
    return std::unexpected{std::move(faults).take()};
  }
  return std::make_shared<web_push_adapter>(
      web_push_settings{std::move(*key), std::move(subject), ttl, static_cast<std::size_t>(padded_size)});
}

} // namespace sluice::providers
