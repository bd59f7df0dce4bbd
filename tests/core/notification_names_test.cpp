#include "core/notification.hpp"
#include "core/notification_progress.hpp"
#include "core/notification_state.hpp"
#include "core/provider_event.hpp"
#include "core/reconciliation.hpp"
#include "core/submission.hpp"
#include "tests/core/check_words.hpp"

#include <catch2/catch.hpp>

using namespace sluice::core;

TEST_CASE(
    "words of notifications, contact points and provider events read back as what they were written for") {
  check_words(contact_kind::other, parse_contact_kind);
  check_words(suppression_reason::person, parse_suppression_reason);
  check_words(rejection_cause::provider, parse_rejection_cause);
  check_words(message_urgency::high, parse_message_urgency);
  check_words(provider_kind::webhook, parse_provider_kind);
  check_words(provider_event_type::other, parse_provider_event_type);
  check_words(callback_refusal_kind::unidentified, parse_callback_refusal_kind);
  check_words(notification_state::cancelled, parse_notification_state);
  check_words(notification_attempt_state::ambiguous, parse_notification_attempt_state);
  check_words(settlement_kind::not_sent, parse_settlement_kind);
  check_words(reconciliation_target::unmatched_event, parse_reconciliation_target);
  check_words(reconciliation_verdict::unsupported, parse_reconciliation_verdict);
}

TEST_CASE("stored words of notifications stay what they are") {
  CHECK(to_string(contact_kind::email) == "email");
  CHECK(to_string(contact_kind::fcm_installation) == "fcm_installation");
  CHECK(to_string(suppression_reason::hard_bounce) == "hard_bounce");
  CHECK(to_string(submission_kind::retryable) == "retryable");
  CHECK(to_string(message_urgency::very_low) == "very_low");
  CHECK(to_string(provider_kind::web_push) == "web_push");
  CHECK(to_string(provider_event_type::soft_bounced) == "soft_bounced");
  CHECK(to_string(callback_refusal_kind::bad_signature) == "bad_signature");
  CHECK(to_string(callback_refusal_kind::unidentified) == "unidentified");
  CHECK(to_string(notification_state::queued) == "queued");
  CHECK(to_string(settlement_kind::not_sent) == "not-sent");
  CHECK(to_string(static_cast<provider_event_type>(200)) == "unknown");
  CHECK(to_string(static_cast<callback_refusal_kind>(200)) == "unknown");
}
