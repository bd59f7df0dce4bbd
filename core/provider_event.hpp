#pragma once

#include "core/contact_point.hpp"
#include "core/time.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sluice::core {

/// What a provider tells of a message it took, in the order of meaning each channel gives them
/// (core/provider_event_rank.hpp), whatever order they arrive in.
enum class provider_event_type : std::uint8_t {
  queued,
  sent,
  delayed,
  delivered,
  soft_bounced, ///< not now; the address may exist
  bounced,      ///< not ever
  complained,
  undelivered, ///< an SMS that did not arrive; its "failed" too
  rejected,    ///< the provider took it and then would not send it
  other,       ///< opened, clicked, …: kept, projected to nothing
};

[[nodiscard]] std::string_view to_string(provider_event_type type) noexcept;
[[nodiscard]] std::optional<provider_event_type> parse_provider_event_type(std::string_view text) noexcept;

/// One event of one recipient of one message, normalised. A callback may carry several.
struct provider_event {
  std::string event_id;            ///< the provider's, empty where it gives none
  std::string provider_message_id; ///< finds the attempt; empty only where `attempt_id` is set
  std::string attempt_id;          ///< ours, where it travelled along
  provider_event_type type = provider_event_type::other;
  std::string provider_type; ///< its own word: "Bounce", "undelivered", …
  std::optional<timestamp> occurred_at;
  std::optional<suppression_reason> suppresses; ///< the contact point, by the provider's own word
  std::string detail;                           ///< a sentence or code for people; no address, no content
};

/// What was posted to a profile's callback address, as it came.
struct callback_request {
  std::string method;
  std::string path_and_query;                               ///< raw bytes of the request's target
  std::vector<std::pair<std::string, std::string>> headers; ///< names in lower case
  std::string body;

  /// The first value of the header, empty where there is none.
  [[nodiscard]] std::string_view header(std::string_view lower_case_name) const noexcept {
    for (const auto& [name, value] : headers)
      if (name == lower_case_name)
        return value;
    return {};
  }
};

/// Why a callback is not the provider's, or is not understood.
enum class callback_refusal_kind : std::uint8_t {
  content_type,      ///< not what this provider sends
  malformed,         ///< cannot be read so far that its signature could be checked
  bad_signature,     ///< none, a wrong one, or by a key that is not to be trusted
  stale,             ///< for another time than now, as far as it can be told
  unexpected_sender, ///< for somebody else's topic or account
  unidentified,      ///< genuine, but a field that is needed to find the attempt is missing
};

[[nodiscard]] std::string_view to_string(callback_refusal_kind kind) noexcept;
[[nodiscard]] std::optional<callback_refusal_kind>
parse_callback_refusal_kind(std::string_view text) noexcept;

struct callback_refusal {
  callback_refusal_kind kind = callback_refusal_kind::bad_signature;
  std::string reason; ///< a sentence, quoting nothing that was sent
};

} // namespace sluice::core
