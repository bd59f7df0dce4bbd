#pragma once

#include "core/contact_point.hpp"
#include "core/ids.hpp"
#include "core/time.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sluice::core {

/// RFC 8030 section 5.3; each provider has its own word for it, or none.
enum class message_urgency : std::uint8_t { very_low, low, normal, high };

[[nodiscard]] std::string_view to_string(message_urgency urgency) noexcept;
[[nodiscard]] std::optional<message_urgency> parse_message_urgency(std::string_view text) noexcept;

/// What is to be told; each provider takes what its channel has a place for and refuses, when the
/// notification is made, what it cannot do without.
struct message_content {
  std::string subject;      ///< of an e-mail
  std::string title;        ///< of a push message
  std::string text;         ///< plain text: the e-mail's, the SMS, the push message's body
  std::string html;         ///< of an e-mail, beside or instead of the text
  std::string data;         ///< JSON object for an app, or the generic body's "data"; empty: none
  std::string collapse_key; ///< a later message with the same key replaces an earlier one not yet shown
  message_urgency urgency = message_urgency::normal;
};

/// One attempt as an adapter gets it: opened, so never printed.
struct submission_order {
  std::string attempt_id;      ///< UUIDv7; goes along wherever the provider has a place for an id of ours
  std::string notification_id; ///< UUIDv7; the same for every attempt of one notification
  contact_address contact;
  message_content content;
  std::optional<timestamp> expires_at; ///< nobody wants it after that
};

enum class provider_kind : std::uint8_t { ses, twilio, fcm, apns, web_push, smtp, webhook };
inline constexpr std::size_t provider_kinds = 7;

[[nodiscard]] std::string_view to_string(provider_kind kind) noexcept;
[[nodiscard]] std::optional<provider_kind> parse_provider_kind(std::string_view text) noexcept;

/// One account at one provider.
struct provider_profile {
  provider_profile_id id{};
  std::string public_id; ///< UUIDv7; part of its callback's address
  std::string tenant;
  std::string name; ///< unique within the tenant
  provider_kind provider = provider_kind::webhook;
  std::string settings;    ///< JSON object the adapter understands
  std::string credentials; ///< JSON object, unsealed; never logged, never shown
};

/// Leaves out the credentials: a printed message never shows them.
template <class Inspector>
auto inspect(Inspector& f, provider_profile& x) {
  return f(x.id, x.public_id, x.tenant, x.name, x.provider, x.settings);
}

} // namespace sluice::core
