#pragma once

#include "core/contact_point.hpp"
#include "core/http.hpp"
#include "core/notification.hpp"
#include "harness/scripted_target.hpp"
#include "sim/notification_history.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// The seven kinds of providers as they are from outside: where they stand, how an account at them is
/// configured, where a message carries what, and how they say it.
namespace sluice::sim {

inline constexpr const char* callbacks_at = "https://sluice.example.com/callbacks/";
inline constexpr const char* sns_address = "https://sns.eu-central-1.amazonaws.com/";
inline constexpr const char* sns_topic = "arn:aws:sns:eu-central-1:123456789012:mail-events";
inline constexpr const char* twilio_account = "AC00000000000000000000000000000001";
inline constexpr const char* twilio_sender = "+15005550006";
inline constexpr const char* twilio_token = "a-token-of-the-account";
inline constexpr const char* webhook_secret = "whsec_c2ltdWxhdGVkLXJlY2VpdmVycy1zZWNyZXQtMDE=";
inline constexpr const char* mail_domain = "news.example.com";

/// What the URLs of its messages begin with.
[[nodiscard]] std::string address_of(core::provider_kind kind);
[[nodiscard]] std::string settings_of(core::provider_kind kind, bool takes_once);
[[nodiscard]] std::string credentials_of(core::provider_kind kind);

/// The `number`th address of this kind; of a browser's the notification's number, which is nowhere else.
[[nodiscard]] std::string contact_text(core::contact_kind kind, std::int64_t number);

/// The number of a notification goes along in its text.
[[nodiscard]] std::string marked_text(std::int64_t notification);
[[nodiscard]] std::int64_t notification_in(const harness::seen_call& call);
/// The attempt's id, where the channel has a place for it.
[[nodiscard]] std::string attempt_in(core::provider_kind kind, const harness::seen_call& call);
/// The address the message is for, of Twilio's alone.
[[nodiscard]] std::string recipient_in(const harness::seen_call& call);
/// What is told of a message has to name it: the id a provider gives it.
[[nodiscard]] std::string message_id_of(core::provider_kind kind, const std::string& attempt,
                                        std::int64_t number);

/// How a provider says it; nothing where this one has no word for it.
[[nodiscard]] std::optional<core::http_answer> said(core::provider_kind kind, provider_word word,
                                                    const std::string& message_id, core::timestamp now);
/// A success that cannot be read, of those whose answers matter.
[[nodiscard]] std::optional<core::http_answer> said_garbled(core::provider_kind kind);

} // namespace sluice::sim
