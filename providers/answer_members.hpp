#pragma once

#include "core/payload.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace sluice::providers {

/// The values at the JSON pointers, in their order; all absent where the body is no JSON that can be read.
[[nodiscard]] std::vector<core::value> members_of(std::string_view body, std::vector<std::string> pointers);

} // namespace sluice::providers
