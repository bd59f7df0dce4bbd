#include "providers/ses_event.hpp"

#include "core/payload.hpp"
#include "providers/ses_settings.hpp"
#include "providers/visible_text.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <string>

namespace sluice::providers {

namespace {

using core::provider_event_type;
using json = nlohmann::json;

constexpr std::size_t recipients_max = 50; // of one message, SES's own limit
constexpr std::size_t id_bytes_max = 256;
constexpr std::size_t word_bytes_max = 64;

/// Where an event of this kind has its own part.
struct event_kind {
  std::string_view word;
  std::string_view part;
  std::string_view recipients; ///< empty: those of the mail
  provider_event_type type;
};

constexpr std::array kinds{
    event_kind{"Send", "send", "", provider_event_type::sent},
    event_kind{"Delivery", "delivery", "recipients", provider_event_type::delivered},
    event_kind{"DeliveryDelay", "deliveryDelay", "delayedRecipients", provider_event_type::delayed},
    event_kind{"Bounce", "bounce", "bouncedRecipients", provider_event_type::soft_bounced},
    event_kind{"Complaint", "complaint", "complainedRecipients", provider_event_type::complained},
    event_kind{"Reject", "reject", "", provider_event_type::rejected},
    event_kind{"Rendering Failure", "failure", "", provider_event_type::rejected},
    event_kind{"Subscription", "subscription", "", provider_event_type::other},
    event_kind{"Open", "open", "", provider_event_type::other},
    event_kind{"Click", "click", "", provider_event_type::other},
};

const json& member(const json& object, std::string_view name) {
  static const json nothing;
  if (!object.is_object()) {
    return nothing;
  }
  const auto found = object.find(std::string{name});
  return found == object.end() ? nothing : *found;
}

std::string text_of(const json& value) {
  return value.is_string() ? value.get<std::string>() : std::string{};
}

std::string word_of(const json& value) {
  return plain_word(text_of(value), word_bytes_max);
}

std::string id_of(const json& value) {
  auto text = text_of(value);
  const bool is_id =
      text.size() <= id_bytes_max && std::ranges::all_of(text, [](char c) { return c > ' ' && c <= '~'; });
  return is_id ? text : std::string{};
}

/// Our id out of the tags that travelled along, else out of the headers, where SES was told to repeat them.
std::string attempt_of(const json& mail) {
  const auto& values = member(member(mail, "tags"), ses_attempt_tag);
  if (values.is_array() && !values.empty()) {
    if (auto id = id_of(values.front()); !id.empty()) {
      return id;
    }
  }
  const auto& headers = member(mail, "headers");
  for (const auto& header : headers.is_array() ? headers : json::array()) {
    if (text_of(member(header, "name")) == ses_attempt_header) {
      return id_of(member(header, "value"));
    }
  }
  return {};
}

core::timestamp time_of(const json& part, const json& mail, core::timestamp published_at) {
  for (const auto* object : {&part, &mail}) {
    if (const auto read = core::parse_rfc3339(text_of(member(*object, "timestamp")))) {
      return *read;
    }
  }
  return published_at;
}

void add_detail(core::provider_event& event, std::string_view before, const std::string& word) {
  if (!word.empty()) {
    event.detail.append(event.detail.empty() ? "" : ", ").append(before).append(word);
  }
}

void read_bounce(core::provider_event& event, const json& part, const json& recipient) {
  const auto type = text_of(member(part, "bounceType"));
  if (type == "Permanent") {
    event.type = provider_event_type::bounced;
    event.suppresses = core::suppression_reason::hard_bounce;
  }
  add_detail(event, "", word_of(member(part, "bounceType")));
  add_detail(event, "", word_of(member(part, "bounceSubType")));
  add_detail(event, "status ", word_of(member(recipient, "status")));
}

void read_complaint(core::provider_event& event, const json& part) {
  const auto feedback = word_of(member(part, "complaintFeedbackType"));
  add_detail(event, "", feedback);
  add_detail(event, "", word_of(member(part, "complaintSubType")));
  if (feedback == "not-spam") { // the person took the message out of the spam folder
    event.type = provider_event_type::other;
    return;
  }
  event.suppresses = core::suppression_reason::complaint;
}

void read_subscription(core::provider_event& event, const json& part) {
  const auto& all = member(member(part, "newTopicPreferences"), "unsubscribeAll");
  if (all.is_boolean() && all.get<bool>()) {
    event.suppresses = core::suppression_reason::unsubscribed;
    event.detail = "unsubscribed from everything";
  }
}

void read_part(core::provider_event& event, const json& part, const json& recipient) {
  if (event.provider_type == "Bounce") {
    read_bounce(event, part, recipient);
  } else if (event.provider_type == "Complaint") {
    read_complaint(event, part);
  } else if (event.provider_type == "Subscription") {
    read_subscription(event, part);
  } else if (event.provider_type == "DeliveryDelay") {
    add_detail(event, "", word_of(member(part, "delayType")));
    add_detail(event, "status ", word_of(member(recipient, "status")));
  } else if (event.provider_type == "Reject") {
    add_detail(event, "", word_of(member(part, "reason")));
  }
}

/// What SES posts when a topic is connected to an identity, or to a configuration set.
bool is_greeting(std::string_view message, const json& document) {
  return message.starts_with("Successfully validated SNS topic")
         || text_of(member(document, "notificationType")) == "AmazonSnsSubscriptionSucceeded";
}

std::unexpected<core::callback_refusal> unidentified(std::string reason) {
  return std::unexpected{
      core::callback_refusal{core::callback_refusal_kind::unidentified, std::move(reason)}};
}

std::vector<core::provider_event> one_a_recipient(const core::provider_event& common, const json& part,
                                                  const json& recipients) {
  std::vector<core::provider_event> events;
  const auto count =
      recipients.is_array() ? std::clamp<std::size_t>(recipients.size(), 1, recipients_max) : 1;
  for (std::size_t index = 0; index < count; ++index) {
    auto& event = events.emplace_back(common);
    if (index > 0) {
      event.event_id += "/" + std::to_string(index + 1);
    }
    read_part(event, part, recipients.is_array() && !recipients.empty() ? recipients[index] : json{});
  }
  return events;
}

} // namespace

std::expected<std::vector<core::provider_event>, core::callback_refusal>
read_ses_events(std::string_view message, std::string_view sns_id, core::timestamp published_at) {
  const bool readable = core::check_payload(message).has_value();
  const auto document = readable ? json::parse(message, nullptr, false) : json{};
  if (is_greeting(message, document)) {
    return std::vector<core::provider_event>{};
  }
  auto word = word_of(member(document, "eventType"));
  if (word.empty()) {
    word = word_of(member(document, "notificationType"));
  }
  if (word.empty()) {
    return unidentified("the message has neither an eventType nor a notificationType of SES");
  }
  const auto* const known = std::ranges::find(kinds, word, &event_kind::word);
  const event_kind kind =
      known == kinds.end() ? event_kind{word, "", "", provider_event_type::other} : *known;
  const auto& mail = member(document, "mail");
  const auto& part = member(document, kind.part);
  core::provider_event common;
  common.event_id = sns_id;
  common.provider_message_id = id_of(member(mail, "messageId"));
  common.attempt_id = attempt_of(mail);
  common.type = kind.type;
  common.provider_type = word;
  common.occurred_at = time_of(part, mail, published_at);
  if (common.provider_message_id.empty() && common.attempt_id.empty()) {
    return unidentified("mail.messageId is missing, and no tag says which attempt it is");
  }
  const auto& recipients =
      kind.recipients.empty() ? member(mail, "destination") : member(part, kind.recipients);
  return one_a_recipient(common, part, recipients);
}

} // namespace sluice::providers
