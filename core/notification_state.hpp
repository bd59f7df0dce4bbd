#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace sluice::core {

/// Where the submission of one notification is. core/notification_progress.hpp says how it gets there;
/// nothing else writes it. What became of an accepted message is not here: core/provider_event_rank.hpp.
enum class notification_state : std::uint8_t {
  queued,      ///< waits to be given to the profile whose turn it is
  dispatching, ///< an attempt is on its way
  accepted,    ///< a provider took it
  rejected,    ///< the recipient or the message was refused, or the route's last profile refused it
  ambiguous,   ///< an attempt left, and nobody knows whether it was taken: nothing goes on by itself
  failed,      ///< the route is exhausted, or the contact point is suppressed
  expired,     ///< nobody wanted it any more before it was sent
  cancelled,   ///< a person withdrew it before it was sent
};
inline constexpr std::size_t notification_states = 8;

[[nodiscard]] std::string_view to_string(notification_state state) noexcept;
[[nodiscard]] std::optional<notification_state> parse_notification_state(std::string_view text) noexcept;

/// Where one numbered attempt is: on its way, or what the submission came to.
enum class notification_attempt_state : std::uint8_t {
  dispatching,
  accepted,
  rejected,
  retryable,
  ambiguous
};
inline constexpr std::size_t notification_attempt_states = 5;

[[nodiscard]] std::string_view to_string(notification_attempt_state state) noexcept;
[[nodiscard]] std::optional<notification_attempt_state>
parse_notification_attempt_state(std::string_view text) noexcept;

} // namespace sluice::core
