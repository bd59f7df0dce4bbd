#include "providers/apns_adapter.hpp"

#include "core/header_field.hpp"
#include "core/payload.hpp"
#include "crypto/encoding.hpp"
#include "providers/apns_answer.hpp"
#include "providers/apns_settings.hpp"
#include "providers/apns_token.hpp"
#include "providers/push_payload.hpp"
#include "providers/send_only_adapter.hpp"

#include <utility>

namespace sluice::providers {

namespace {

// Apple, "Sending notification requests to APNs".
constexpr std::size_t payload_bytes_max = 4096;
constexpr std::size_t collapse_id_bytes_max = 64;
constexpr std::size_t token_digits_max = 512; // Apple gives tokens no fixed length

std::int64_t seconds_of(core::timestamp at) {
  return std::chrono::floor<std::chrono::seconds>(at).time_since_epoch().count();
}

bool is_alert(const core::message_content& content) noexcept {
  return !content.title.empty() || !content.text.empty();
}

/// 10 at once, 5 with regard to the device's power, 1 with regard to nothing else; 10 is an error in the
/// background.
int priority_of(const core::message_content& content) noexcept {
  switch (content.urgency) {
  case core::message_urgency::very_low:
    return 1;
  case core::message_urgency::low:
    return 5;
  case core::message_urgency::normal:
  case core::message_urgency::high:
    break;
  }
  return is_alert(content) ? 10 : 5;
}

/// A device token as Apple's path has it; nothing where the text is none.
std::optional<std::string> device_token(std::string_view text) {
  const auto bytes = text.size() <= token_digits_max ? crypto::from_hex(text) : std::nullopt;
  return bytes && !bytes->empty() ? std::optional{crypto::to_hex(*bytes)} : std::nullopt;
}

bool has_aps_member(std::string_view data) {
  auto reader = core::payload_reader::compile({"/aps"});
  std::vector<core::value> members;
  return reader && reader->read(data, members) && members[0].kind != core::value_kind::absent;
}

class apns_adapter final : public send_only_adapter {
public:
  explicit apns_adapter(apns_settings settings) : settings_(std::move(settings)) {
    traits_.contacts = {core::contact_kind::apns_token};
    traits_.needs_token = true;
  }

  [[nodiscard]] const adapter_traits& traits() const noexcept override { return traits_; }
  [[nodiscard]] std::vector<std::string> faults_of(const core::submission_order& order) const override;
  [[nodiscard]] std::expected<core::http_request, core::submission>
  build(const core::submission_order& order, core::timestamp now, std::string_view token) const override;
  [[nodiscard]] core::submission read(const core::submission_order& order, const core::http_answer& answer,
                                      core::timestamp now) const override {
    return read_apns_answer(order.attempt_id, answer, now);
  }

  [[nodiscard]] std::optional<access_token> local_token(core::timestamp now) const override {
    return sign_apns_token(settings_, now);
  }
  [[nodiscard]] bool refuses_token(const core::http_answer& answer, std::string_view token,
                                   core::timestamp now) const override {
    return apns_reason(answer) == "ExpiredProviderToken" && may_replace_apns_token(token, now);
  }

private:
  [[nodiscard]] std::string payload_of(const core::message_content& content) const;
  [[nodiscard]] core::header_lines headers_of(const core::submission_order& order, core::timestamp now,
                                              std::string_view token) const;

  apns_settings settings_;
  adapter_traits traits_;
};

/// "Generating a remote notification".
std::string apns_adapter::payload_of(const core::message_content& content) const {
  std::string aps = "{";
  if (is_alert(content)) {
    std::string alert = "{";
    append_text_member(alert, "title", content.title);
    append_text_member(alert, "body", content.text);
    aps += R"("alert":)" + alert + '}';
    append_text_member(aps, "sound", settings_.sound);
  } else {
    aps += R"("content-available":1)";
  }
  auto payload = R"({"aps":)" + aps + '}';
  if (const auto members = members_of_object(content.data); !members.empty()) {
    payload += ',';
    payload += members;
  }
  return payload += '}';
}

std::vector<std::string> apns_adapter::faults_of(const core::submission_order& order) const {
  std::vector<std::string> faults;
  const auto& content = order.content;
  if (!is_alert(content) && content.data.empty()) {
    faults.emplace_back(empty_push_fault);
  }
  if (auto fault = fault_of_push_data(content.data)) {
    faults.push_back(std::move(*fault));
  } else if (has_aps_member(content.data)) {
    faults.emplace_back("content.data: must not have the member \"aps\", which is APNs' own");
  }
  if (const auto bytes = payload_of(content).size(); bytes > payload_bytes_max) {
    faults.push_back("content: the message takes " + std::to_string(bytes)
                     + " bytes as JSON; APNs takes at most " + std::to_string(payload_bytes_max));
  }
  if (!device_token(order.contact.text)) {
    faults.push_back("contact: a device token must be an even number of hexadecimal digits, at most "
                     + std::to_string(token_digits_max));
  }
  return faults;
}

core::header_lines apns_adapter::headers_of(const core::submission_order& order, core::timestamp now,
                                            std::string_view token) const {
  const auto& content = order.content;
  const auto until = order.expires_at.value_or(now + settings_.ttl);
  core::header_lines headers{
      "authorization: bearer " + std::string{token},
      "apns-topic: " + settings_.topic,
      std::string{"apns-push-type: "} + (is_alert(content) ? "alert" : "background"),
      "apns-priority: " + std::to_string(priority_of(content)),
      // 0: try once, keep nothing
      "apns-expiration: " + std::to_string(until > now ? seconds_of(until) : 0),
      "apns-id: " + order.attempt_id,
      "content-type: application/json",
      "User-Agent: sluice/0.1",
  };
  const auto& key = content.collapse_key;
  if (!key.empty()) {
    const bool fits = key.size() <= collapse_id_bytes_max && core::is_header_value(key);
    headers.push_back("apns-collapse-id: " + (fits ? key : collapse_digest(key)));
  }
  return headers;
}

std::expected<core::http_request, core::submission>
apns_adapter::build(const core::submission_order& order, core::timestamp now, std::string_view token) const {
  const auto device = device_token(order.contact.text);
  if (!device) {
    return std::unexpected{rejected(core::rejection_cause::recipient, "address_unreadable",
                                    "the contact's address is no device token")};
  }
  auto payload = payload_of(order.content);
  if (payload.size() > payload_bytes_max) {
    return std::unexpected{
        rejected(core::rejection_cause::message, "message_too_large",
                 "the message takes more than " + std::to_string(payload_bytes_max) + " bytes as JSON")};
  }
  core::http_request request;
  request.method = "POST";
  request.url = settings_.base_url + "/3/device/" + *device;
  request.headers = headers_of(order, now, token);
  request.body = std::move(payload);
  request.http2 = true;
  request.wanted_headers = {"apns-id"};
  return request;
}

} // namespace

std::expected<std::shared_ptr<const notification_adapter>, std::vector<std::string>>
make_apns_adapter(const core::provider_profile& profile, const adapter_surroundings&) {
  auto settings = parse_apns_settings(profile);
  if (!settings) {
    return std::unexpected{std::move(settings.error())};
  }
  return std::make_shared<apns_adapter>(std::move(*settings));
}

} // namespace sluice::providers
