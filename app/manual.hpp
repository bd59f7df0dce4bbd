#pragma once

#include "app/command_tree.hpp"

#include <string>

namespace sluice::app {

/// The manual page sluice(1) in man(7)'s macros.
[[nodiscard]] std::string manual(const described_command& program);

} // namespace sluice::app
