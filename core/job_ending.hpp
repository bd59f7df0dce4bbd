#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace sluice::core {

/// How an act on many rows ended.
enum class job_ending : std::uint8_t {
  completed, ///< it came to its last row
  cancelled, ///< it was ended before; what it had done stays done
};

[[nodiscard]] std::string_view to_string(job_ending ending) noexcept;
[[nodiscard]] std::optional<job_ending> parse_job_ending(std::string_view text) noexcept;

} // namespace sluice::core
