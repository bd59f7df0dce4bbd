#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace sluice::core {

/// Where one delivery of one change event to one subscription is. core/delivery_progress.hpp says how it gets
/// there; nothing else writes it.
enum class delivery_state : std::uint8_t {
  pending,        ///< waits to be pushed or to be covered by a pull cursor
  delivered,      ///< the subscriber acknowledged it, or its cursor covered it
  retrying,       ///< the last attempt failed in a way that may pass; another one is due
  failed,         ///< the subscription, the account or the access was gone; an operator may restart it
  dead,           ///< the last allowed attempt failed, or one failed for good
  skipped_filter, ///< the event did not pass the subscription's filter
};
inline constexpr std::size_t delivery_states = 6;

[[nodiscard]] std::string_view to_string(delivery_state state) noexcept;
[[nodiscard]] std::optional<delivery_state> parse_delivery_state(std::string_view text) noexcept;

/// How one numbered attempt ended.
enum class attempt_ending : std::uint8_t {
  acknowledged,
  transient,   ///< failed in a way that may pass
  permanent,   ///< failed for good
  gone,        ///< the subscriber wants no more: for good, and for the whole subscription
  interrupted, ///< its lease lapsed without an answer; counted as a failure that may pass
};

[[nodiscard]] std::string_view to_string(attempt_ending ending) noexcept;
[[nodiscard]] std::optional<attempt_ending> parse_attempt_ending(std::string_view text) noexcept;

} // namespace sluice::core
