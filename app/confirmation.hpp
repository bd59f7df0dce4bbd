#pragma once

#include "app/command_context.hpp"

#include <string_view>

namespace sluice::app {

/// Asks a person on the terminal. False, with the reason printed, when they do not agree or nobody can be
/// asked: `otherwise` says what did not happen ("nothing was applied"), `to_do` how to agree beforehand.
[[nodiscard]] bool confirmed(const command_context& context, std::string_view question,
                             std::string_view otherwise, std::string_view to_do);

} // namespace sluice::app
