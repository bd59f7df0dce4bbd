#pragma once

#include <cstddef>
#include <string>

namespace sluice::core {

/// Fit for a text column of every database: what is not UTF-8, and NUL, becomes '?'; at most `bytes_max`
/// bytes, cut between two characters.
[[nodiscard]] std::string error_text(std::string text, std::size_t bytes_max);

} // namespace sluice::core
