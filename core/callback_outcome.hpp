#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace sluice::core {

/// What became of a callback, as its sender and the figures are told.
enum class callback_outcome : std::uint8_t {
  recorded,   ///< it is in the ledger, as new or as a duplicate
  refused,    ///< it is not the provider's, or is not understood; it is in the audit
  unknown,    ///< its address names no profile that gets callbacks; it is in the audit
  crowded,    ///< more are in hand than allowed
  late,       ///< not recorded in time; it may be all the same
  unrecorded, ///< something that is needed for it failed: the database, a certificate, the profile
};
inline constexpr std::size_t callback_outcomes = 6;

[[nodiscard]] std::string_view to_string(callback_outcome outcome) noexcept;

} // namespace sluice::core
