#include "core/contact_point.hpp"
#include "core/notification.hpp"
#include "core/notification_progress.hpp"
#include "core/provider_event.hpp"
#include "core/submission.hpp"
#include "core/words.hpp"

// The stable words of the enums of notifications, as core/names.cpp has those of sync rules.
namespace sluice::core {

namespace {

constexpr words<contact_kinds> contact_kind_words{
    "email", "phone", "fcm_installation", "fcm_token", "apns_token", "web_push", "other"};
constexpr words<5> suppression_words{"hard_bounce", "complaint", "retired_token", "unsubscribed", "person"};
constexpr words<4> submission_words{"accepted", "rejected", "retryable", "ambiguous"};
constexpr words<3> rejection_words{"recipient", "message", "provider"};
constexpr words<4> urgency_words{"very_low", "low", "normal", "high"};
constexpr words<provider_kinds> provider_words{"ses", "twilio", "fcm", "apns", "web_push", "smtp", "webhook"};
constexpr words<10> event_words{"queued",  "sent",       "delayed",     "delivered", "soft_bounced",
                                "bounced", "complained", "undelivered", "rejected",  "other"};
constexpr words<6> refusal_words{"content_type", "malformed",         "bad_signature",
                                 "stale",        "unexpected_sender", "unidentified"};
constexpr words<notification_causes> cause_words{"notifier", "reconciler", "person", "provider's event"};
constexpr words<2> settlement_words{"accepted", "not-sent"};

static_assert(word_of(contact_kind::other, contact_kind_words) == "other");
static_assert(word_of(suppression_reason::person, suppression_words) == "person");
static_assert(word_of(submission_kind::ambiguous, submission_words) == "ambiguous");
static_assert(word_of(rejection_cause::provider, rejection_words) == "provider");
static_assert(word_of(message_urgency::high, urgency_words) == "high");
static_assert(word_of(provider_kind::webhook, provider_words) == "webhook");
static_assert(word_of(provider_event_type::other, event_words) == "other");
static_assert(word_of(callback_refusal_kind::unidentified, refusal_words) == "unidentified");
static_assert(word_of(notification_cause::provider_event, cause_words) == "provider's event");
static_assert(word_of(settlement_kind::not_sent, settlement_words) == "not-sent");

} // namespace

std::string_view to_string(contact_kind kind) noexcept {
  return word_of(kind, contact_kind_words);
}

std::optional<contact_kind> parse_contact_kind(std::string_view text) noexcept {
  return value_of<contact_kind>(text, contact_kind_words);
}

std::string_view to_string(suppression_reason reason) noexcept {
  return word_of(reason, suppression_words);
}

std::optional<suppression_reason> parse_suppression_reason(std::string_view text) noexcept {
  return value_of<suppression_reason>(text, suppression_words);
}

std::string_view to_string(submission_kind kind) noexcept {
  return word_of(kind, submission_words);
}

std::string_view to_string(rejection_cause cause) noexcept {
  return word_of(cause, rejection_words);
}

std::optional<rejection_cause> parse_rejection_cause(std::string_view text) noexcept {
  return value_of<rejection_cause>(text, rejection_words);
}

std::string_view to_string(message_urgency urgency) noexcept {
  return word_of(urgency, urgency_words);
}

std::optional<message_urgency> parse_message_urgency(std::string_view text) noexcept {
  return value_of<message_urgency>(text, urgency_words);
}

std::string_view to_string(provider_kind kind) noexcept {
  return word_of(kind, provider_words);
}

std::optional<provider_kind> parse_provider_kind(std::string_view text) noexcept {
  return value_of<provider_kind>(text, provider_words);
}

std::string_view to_string(provider_event_type type) noexcept {
  return word_of(type, event_words);
}

std::optional<provider_event_type> parse_provider_event_type(std::string_view text) noexcept {
  return value_of<provider_event_type>(text, event_words);
}

std::string_view to_string(callback_refusal_kind kind) noexcept {
  return word_of(kind, refusal_words);
}

std::optional<callback_refusal_kind> parse_callback_refusal_kind(std::string_view text) noexcept {
  return value_of<callback_refusal_kind>(text, refusal_words);
}

std::string_view to_string(notification_cause cause) noexcept {
  return word_of(cause, cause_words);
}

std::string_view to_string(settlement_kind kind) noexcept {
  return word_of(kind, settlement_words);
}

std::optional<settlement_kind> parse_settlement_kind(std::string_view text) noexcept {
  return value_of<settlement_kind>(text, settlement_words);
}

} // namespace sluice::core
