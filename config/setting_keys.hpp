#pragma once

#include "config/settings.hpp"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace sluice::config {

/// Where one setting's value lives.
using setting_slot = std::variant<std::string*, std::int32_t*, std::int64_t*, std::size_t*, double*,
                                  duration*, std::vector<std::string>*, std::vector<duration>*>;

/// Everything there is to know of one setting. Loading, the environment, validation, the default file and
/// `config check` all read the one table of these.
struct setting_key {
  std::string_view section;
  std::string_view name;
  setting_slot (*slot)(settings&);
  std::string_view unit;    ///< what a value of it is: "duration", "rows", …
  std::string_view meaning; ///< a sentence
  std::int64_t least = 0;   ///< of numbers as they are, of durations in microseconds, of each item of a list
  std::int64_t most = std::numeric_limits<std::int64_t>::max();
  std::string_view words{}; ///< the allowed words of a text, separated by '|'; empty: any text
  bool secret = false;      ///< never printed; NAME_file may name a file that holds it
  bool live = false;        ///< a running node takes a new value over when it reads its settings again
};

[[nodiscard]] std::span<const setting_key> setting_keys() noexcept;

[[nodiscard]] const setting_key* find_setting(std::string_view section, std::string_view name) noexcept;
[[nodiscard]] bool is_section(std::string_view section) noexcept;

[[nodiscard]] std::string full_name(const setting_key& key);        ///< "delivery.stale_after"
[[nodiscard]] std::string environment_name(const setting_key& key); ///< "SLUICE_DELIVERY_STALE_AFTER"
[[nodiscard]] std::string allowed_values(const setting_key& key);   ///< "1 to 16", "one of text, json", …

/// The value as the settings file would have it: 200, "90s", ["1m", "5m"].
[[nodiscard]] std::string value_text(const setting_key& key, const settings& from);

/// A sentence for each way in which the value lies outside of what the key allows.
[[nodiscard]] std::vector<std::string> range_faults(const setting_key& key, const settings& from);

/// The keys whose values differ, in the order of the settings file.
[[nodiscard]] std::vector<const setting_key*> differing_settings(const settings& a, const settings& b);

/// The commented settings file with every default; config/sluice.toml is exactly this text.
[[nodiscard]] std::string default_file();

} // namespace sluice::config
