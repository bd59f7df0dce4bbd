#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sluice::core {

/// Fit for a text column of every database: what is not UTF-8, and NUL, becomes '?'; at most `bytes_max`
/// bytes, cut between two characters.
[[nodiscard]] std::string error_text(std::string text, std::size_t bytes_max);

/// Whether the text is UTF-8 without NUL: fit as it is.
[[nodiscard]] bool is_storable_text(std::string_view text);

} // namespace sluice::core
