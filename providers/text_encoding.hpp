#pragma once

#include <string>
#include <string_view>

namespace sluice::providers {

/// Appends `text` with every byte outside RFC 3986's unreserved set as %XX. Fits a path segment and a query
/// value.
void append_percent_encoded(std::string& out, std::string_view text);

/// Appends `text` as application/x-www-form-urlencoded has it (space as '+').
void append_form_encoded(std::string& out, std::string_view text);

/// The reverse of percent encoding; a '%' without two hex digits stays as it is.
[[nodiscard]] std::string percent_decoded(std::string_view text);

} // namespace sluice::providers
