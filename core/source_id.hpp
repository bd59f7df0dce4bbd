#pragma once

#include "core/payload.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace sluice::core {

inline constexpr std::size_t source_id_bytes_max = 512;

/// Why the text cannot be a source id, as a sentence; nothing when it can.
[[nodiscard]] std::optional<std::string> source_id_fault(std::string_view id);

/// The same of what stands in a record at `place`: a text, or a number by its digits.
[[nodiscard]] std::optional<std::string> source_id_fault(const value& id, std::string_view place);

} // namespace sluice::core
