#pragma once

#include <cstddef>
#include <string_view>

namespace sluice::core {

/// Whether the text, read as JSON, opens more than `most` arrays and objects within one another. Needs no
/// memory and takes any text: what is to be refused before a parser sees it.
[[nodiscard]] bool nests_deeper(std::string_view text, std::size_t most) noexcept;

} // namespace sluice::core
