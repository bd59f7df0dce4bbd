#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace sluice::core {

/// The stable words of an enum in the order of its enumerators. Beside each table a static_assert holds its
/// last word to the last enumerator: one that fell behind its enum would shift every word after the gap.
template <std::size_t Count>
using words = std::array<std::string_view, Count>;

template <class Enum, std::size_t Count>
[[nodiscard]] constexpr std::string_view word_of(Enum value, const words<Count>& table) noexcept {
  const auto index = static_cast<std::size_t>(value);
  return index < Count ? table[index] : std::string_view{"unknown"};
}

template <class Enum, std::size_t Count>
[[nodiscard]] constexpr std::optional<Enum> value_of(std::string_view text,
                                                     const words<Count>& table) noexcept {
  for (std::size_t index = 0; index < Count; ++index)
    if (table[index] == text)
      return static_cast<Enum>(index);
  return std::nullopt;
}

} // namespace sluice::core
