#pragma once

#include "core/time.hpp"

#include <cstdint>

namespace sluice::core {

/// A count that was taken and may be told again. One that is cheap is taken anew for whoever asks; one that
/// reads a million rows is told as it was, while it is taken anew behind that.
struct kept_count {
  duration age{};  ///< since it was begun
  duration took{}; ///< to take it
};

enum class count_use : std::uint8_t {
  tell,           ///< as it is
  tell_and_renew, ///< as it is, and a new one is due
  await,          ///< nothing is told but a new one
};

/// What people take for at once.
inline constexpr duration cheap_count = std::chrono::milliseconds{20};
/// A count takes at most one part in so many of the time.
inline constexpr int count_share = 10;
/// Nothing older is told, however long a new one takes.
inline constexpr duration kept_count_max = std::chrono::seconds{30};

[[nodiscard]] count_use use_of(const kept_count& kept) noexcept;

} // namespace sluice::core
