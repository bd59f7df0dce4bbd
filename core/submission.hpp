#pragma once

#include "core/contact_point.hpp"
#include "core/time.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sluice::core {

/// What a provider's answer to a submission means. Acceptance is not delivery: there is no word here for what
/// became of the message afterwards, which provider events alone can tell.
enum class submission_kind : std::uint8_t {
  accepted,  ///< the provider took the message
  rejected,  ///< it did not, and will not when asked again
  retryable, ///< it did not, and the same request may work after a wait
  ambiguous, ///< the request left, and nobody knows whether it was taken
};

[[nodiscard]] std::string_view to_string(submission_kind kind) noexcept;

/// Whose fault a rejection is: another provider may still take what one's own account or content rules
/// refused.
enum class rejection_cause : std::uint8_t {
  recipient, ///< the address itself: no other provider will reach it
  message,   ///< its content or size
  provider,  ///< the account, its credentials, its limits, its rules
};

[[nodiscard]] std::string_view to_string(rejection_cause cause) noexcept;
[[nodiscard]] std::optional<rejection_cause> parse_rejection_cause(std::string_view text) noexcept;

/// Whether a message that was not accepted may be with the provider all the same. Only one that takes a
/// message once however often it comes is asked again in doubt; no other provider ever is.
enum class submission_doubt : std::uint8_t {
  none,
  earlier,  ///< none of this attempt, but what came before it at this provider was sent again in doubt
  this_one, ///< the request left, and nobody knows whether it was taken
};

/// Invariants: `provider_message_id` only with accepted (it may be empty there); `cause` exactly with
/// rejected; `retires` only with a rejection of the recipient; error texts are empty exactly with accepted.
struct submission {
  submission_kind kind = submission_kind::ambiguous;
  std::string provider_message_id{};
  std::optional<rejection_cause> cause{};
  submission_doubt doubt = submission_doubt::none; ///< with rejected and retryable
  std::optional<suppression_reason> retires{};     ///< the contact point is not to be used again
  std::optional<timestamp> retired_at{}; ///< when the provider learned so, where it says; a newer token lives
  std::optional<duration> wait{};        ///< what the provider asks to be waited before the next request
  std::string error_class{};             ///< stable word: "http_503", "timed_out", "UNREGISTERED", …
  std::string error{};                   ///< a sentence for people, without address, secret or content
};

inline constexpr std::size_t submission_error_bytes_max = 500;

template <class Inspector>
auto inspect(Inspector& f, submission& x) {
  return f(x.kind, x.provider_message_id, x.cause, x.doubt, x.retires, x.retired_at, x.wait, x.error_class,
           x.error);
}

} // namespace sluice::core
