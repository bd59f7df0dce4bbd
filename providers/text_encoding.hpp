#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sluice::providers {

/// Appends `text` with every byte outside RFC 3986's unreserved set as %XX. Fits a path segment and a query
/// value.
void append_percent_encoded(std::string& out, std::string_view text);

/// Appends `text` as application/x-www-form-urlencoded has it (space as '+').
void append_form_encoded(std::string& out, std::string_view text);

/// Appends "name=value" to a form or a query, form-encoded, behind an "&" where something is there.
void append_form_field(std::string& form, std::string_view name, std::string_view value);

/// The fields of an application/x-www-form-urlencoded text in their order, decoded; one without "=" has an
/// empty value, and nothing between two "&" is no field.
using form_fields = std::vector<std::pair<std::string, std::string>>;
[[nodiscard]] form_fields parse_form(std::string_view text);

/// The reverse of percent encoding; a '%' without two hex digits stays as it is.
[[nodiscard]] std::string percent_decoded(std::string_view text);

} // namespace sluice::providers
