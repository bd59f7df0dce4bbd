#pragma once

#include "config/settings.hpp"

#include <expected>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace sluice::config {

/// Environment variables by name.
using environment = std::map<std::string, std::string>;

[[nodiscard]] environment process_environment();

/// Default < file < environment. Every fault at once: unknown keys, wrong types, values out of range,
/// impossible combinations, each a sentence with file, line, key and the allowed values, or with the
/// variable's name.
///
/// A secret key NAME may be given as NAME_file (or SLUICE_SECTION_NAME_FILE): the file's content, without the
/// line end. The keys of `keys.keys_file` are read too and stand behind those of `keys.keys`, and likewise
/// those of `keys.fingerprint_keys_file`. Texts of secrets are never part of a fault.
[[nodiscard]] std::expected<settings, std::vector<std::string>> load(const std::optional<std::string>& file,
                                                                     const environment& variables);

} // namespace sluice::config
