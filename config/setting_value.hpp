#pragma once

#include "config/document.hpp"
#include "config/setting_keys.hpp"

#include <expected>
#include <string>
#include <string_view>

namespace sluice::config {

/// Writes a file's value into a setting. The error says what the value is and what is allowed; a secret's
/// content is not part of it.
[[nodiscard]] std::expected<void, std::string> set_setting(settings& into, const setting_key& key,
                                                           const document_value& value);

/// The same from plain text, as the environment has it; lists are separated by spaces or commas.
[[nodiscard]] std::expected<void, std::string> set_setting(settings& into, const setting_key& key,
                                                           std::string_view text);

} // namespace sluice::config
