#pragma once

#include "config/load.hpp"
#include "core/configuration.hpp"
#include "core/outside_address.hpp"

#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::config {

enum class apply_format : std::uint8_t { toml, json };

/// Reads the text of an apply file: lists `tenants` (name), `connections` (tenant, name, driver, settings,
/// credentials), `rules` (name, source, target, domain, direction, active, update_mode, delete_policy,
/// mapping, filter, and anchor with domain and source_id where it depends on another domain) and
/// `subscriptions` (tenant, name, mode, url, event_types, filter, ordered_by, headers with name, value and
/// secret, access_accepted, paused, signing), as TOML or JSON of one shape. Every fault at once, each with
/// file, line, key and what is allowed; mappings and filters are compiled and URLs looked at, so that their
/// faults are among them. `outside` says which addresses a URL may name.
///
/// A text in `credentials`, or the value of a subscription's header, that begins with "env:" or "file:" names
/// the variable or the file that holds the secret; "plain:" in front keeps any other text as it is. Faults
/// never show a credential or a header's value.
///
/// Numbers keep their digits: decimals are taken as they are written, and so are whole numbers, but TOML's
/// have 64 bits: a longer one is refused with the advice to write a text or use JSON.
[[nodiscard]] std::expected<core::configuration, std::vector<std::string>>
parse_apply_file(std::string_view text, apply_format format, const std::string& file,
                 const environment& variables, const core::outside_addresses& outside = {});

/// The same from what somebody sent as JSON: secrets are in the text itself, for a sender has no business
/// with this machine's variables and files. Faults call the text "body".
[[nodiscard]] std::expected<core::configuration, std::vector<std::string>>
parse_apply_body(std::string_view text, const core::outside_addresses& outside = {});

/// The same from a file; ".json" is JSON, ".toml" is TOML, any other name is JSON when it begins with a
/// brace.
[[nodiscard]] std::expected<core::configuration, std::vector<std::string>>
read_apply_file(const std::string& path, const environment& variables,
                const core::outside_addresses& outside = {});

} // namespace sluice::config
