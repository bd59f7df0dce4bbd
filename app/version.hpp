#pragma once

#include "app/output.hpp"

#include <string_view>

namespace sluice::app {

inline constexpr std::string_view version_text = "0.1.0";

/// `sluice version`
[[nodiscard]] int version(const output_style& style);

} // namespace sluice::app
