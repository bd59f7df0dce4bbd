#pragma once

#include "app/command_tree.hpp"

#include <string>

namespace sluice::app {

/// The script with which a shell completes the program's commands, options and words.
[[nodiscard]] std::string bash_completion(const described_command& program);
[[nodiscard]] std::string zsh_completion(const described_command& program);

} // namespace sluice::app
