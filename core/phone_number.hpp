#pragma once

#include <expected>
#include <string>
#include <string_view>

namespace sluice::core {

/// E.164, "+" and digits, of a number that is written internationally: "+44 (0)20 7946-0958" becomes
/// "+442079460958". Spaces, dots, hyphens, slashes and parentheses may stand in it, and nothing else: a
/// national number belongs to no country by itself. Its country code must be assigned and its length possible
/// there; whether somebody has it, only its provider knows. The error is a sentence that quotes nothing.
[[nodiscard]] std::expected<std::string, std::string> normalise_phone_number(std::string_view text);

} // namespace sluice::core
