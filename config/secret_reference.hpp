#pragma once

#include "config/load.hpp"

#include <expected>
#include <string>

namespace sluice::config {

/// What a text that may name a secret stands for: "env:" and "file:" in front name the variable or the file
/// that holds it, "plain:" keeps any other text as it is. `variables` null: the text was sent by somebody who
/// has no business with this machine's variables and files, and may name none. The error is a sentence to
/// follow the key's name, and shows no secret.
[[nodiscard]] std::expected<std::string, std::string> named_secret(const std::string& text,
                                                                   const environment* variables);

/// Whether the text names a secret rather than being one.
[[nodiscard]] bool names_secret(const std::string& text) noexcept;

} // namespace sluice::config
