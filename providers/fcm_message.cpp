#include "providers/fcm_message.hpp"

#include "core/json_places.hpp"
#include "core/payload.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>

namespace sluice::providers {

namespace {

using json = nlohmann::ordered_json;

constexpr std::size_t payload_bytes_max = 4096;                          // "ErrorCode", INVALID_ARGUMENT
constexpr core::duration lifetime_max = std::chrono::seconds{2'419'200}; // "ErrorCode", Invalid TTL
constexpr std::size_t collapse_id_bytes_max = 64; // APNs, "Sending notification requests", apns-collapse-id
constexpr std::size_t topic_bytes_max = 32;       // RFC 8030 section 5.4

std::string decoded(std::string_view quoted) {
  const auto text = json::parse(quoted, nullptr, false);
  return text.is_string() ? text.get<std::string>() : std::string{};
}

/// FCM takes strings alone: every other value travels as its JSON text, digit for digit, and null not at all.
/// Nothing where the text is no JSON object.
std::optional<json> data_of(std::string_view text) {
  auto made = json::object();
  if (text.empty())
    return made;
  if (!core::check_payload(text) || core::kind_of(core::trimmed_json(text)) != core::value_kind::object)
    return std::nullopt;
  core::json_members members{text};
  core::json_members::member each;
  while (members.next(each)) {
    const auto kind = core::kind_of(each.value);
    if (kind == core::value_kind::null)
      continue;
    made[decoded(std::string{"\""}.append(each.name).append("\""))] =
        kind == core::value_kind::string ? decoded(each.value) : std::string{each.value};
  }
  return made;
}

/// "projects.messages", data: words FCM keeps for itself.
bool is_reserved(std::string_view key) {
  return key == "from" || key == "message_type" || key.starts_with("google.")
         || key.starts_with("gcm.notification.");
}

bool is_topic(std::string_view text) {
  return !text.empty() && text.size() <= topic_bytes_max && std::ranges::all_of(text, [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '_';
  });
}

std::string_view urgency_word(core::message_urgency urgency) {
  switch (urgency) {
  case core::message_urgency::very_low:
    return "very-low";
  case core::message_urgency::low:
    return "low";
  case core::message_urgency::normal:
    return "normal";
  case core::message_urgency::high:
    break;
  }
  return "high";
}

/// Whole seconds from `now`, which FCM counts from the message's arrival.
std::optional<std::string> lifetime_of(const core::submission_order& order, core::timestamp now) {
  if (!order.expires_at)
    return std::nullopt;
  const auto left = std::clamp<core::duration>(*order.expires_at - now, core::duration::zero(), lifetime_max);
  return std::to_string(std::chrono::floor<std::chrono::seconds>(left).count());
}

json android_part(const core::submission_order& order, const std::optional<std::string>& lifetime) {
  json made{{"priority", order.content.urgency == core::message_urgency::high ? "HIGH" : "NORMAL"}};
  if (!order.content.collapse_key.empty())
    made["collapse_key"] = order.content.collapse_key;
  if (lifetime)
    made["ttl"] = *lifetime + "s";
  return made;
}

json apns_headers(const core::submission_order& order) {
  auto made = json::object();
  if (order.content.urgency != core::message_urgency::normal)
    made["apns-priority"] = order.content.urgency == core::message_urgency::high ? "10" : "5";
  if (order.expires_at)
    made["apns-expiration"] = std::to_string(
        std::chrono::floor<std::chrono::seconds>(*order.expires_at).time_since_epoch().count());
  const auto& key = order.content.collapse_key;
  if (!key.empty() && key.size() <= collapse_id_bytes_max)
    made["apns-collapse-id"] = key;
  return made;
}

json web_push_headers(const core::submission_order& order, const std::optional<std::string>& lifetime) {
  json made{{"Urgency", urgency_word(order.content.urgency)}};
  if (lifetime)
    made["TTL"] = *lifetime;
  if (is_topic(order.content.collapse_key))
    made["Topic"] = order.content.collapse_key;
  return made;
}

} // namespace

std::vector<std::string> faults_of_fcm_message(const core::submission_order& order) {
  const auto& content = order.content;
  std::vector<std::string> faults;
  if (order.contact.kind != core::contact_kind::fcm_installation
      && order.contact.kind != core::contact_kind::fcm_token)
    faults.emplace_back("contact: must be a Firebase installation id or a registration token");
  const auto data = data_of(content.data);
  if (!data) {
    faults.emplace_back("content.data: must be a JSON object");
    return faults;
  }
  auto bytes = content.title.size() + content.text.size();
  for (const auto& [key, value] : data->items()) {
    bytes += key.size() + value.get_ref<const std::string&>().size();
    if (is_reserved(key) || key.empty())
      faults.emplace_back("content.data: has a key FCM keeps for itself; not allowed are an empty key, "
                          "\"from\", \"message_type\" and what begins with \"google.\" or "
                          "\"gcm.notification.\"");
  }
  if (bytes == 0)
    faults.emplace_back("content: needs a title, a text or data");
  if (bytes > payload_bytes_max)
    faults.push_back("content: title, text and data are " + std::to_string(bytes)
                     + " bytes together; allowed are 4,096");
  return faults;
}

std::string fcm_message(const core::submission_order& order, core::timestamp now) {
  const auto lifetime = lifetime_of(order, now);
  const bool by_installation = order.contact.kind == core::contact_kind::fcm_installation;
  json message{{by_installation ? "fid" : "token", order.contact.text}};
  if (!order.content.title.empty())
    message["notification"]["title"] = order.content.title;
  if (!order.content.text.empty())
    message["notification"]["body"] = order.content.text;
  if (const auto data = data_of(order.content.data); data && !data->empty())
    message["data"] = *data;
  message["android"] = android_part(order, lifetime);
  if (auto headers = apns_headers(order); !headers.empty())
    message["apns"]["headers"] = std::move(headers);
  message["webpush"]["headers"] = web_push_headers(order, lifetime);
  return json{{"message", std::move(message)}}.dump(-1, ' ', false, json::error_handler_t::replace);
}

} // namespace sluice::providers
