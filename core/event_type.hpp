#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What kind of change an event tells of: words of letters, digits, "_" and "-" between dots,
/// "customers.updated". Which kinds a subscription wants is a list of patterns, each a type as it is,
/// "customers.*" for every type beneath a word, or "*" for all.
namespace sluice::core {

inline constexpr std::size_t event_type_bytes_max = 128;
inline constexpr std::size_t event_patterns_max = 100;

/// Why the text cannot be an event's type, as a sentence; nothing when it can.
[[nodiscard]] std::optional<std::string> event_type_fault(std::string_view type);

/// Every fault of a subscription's list, each a sentence that quotes the pattern.
[[nodiscard]] std::vector<std::string> event_pattern_faults(const std::vector<std::string>& patterns);

/// Letters count with their case.
[[nodiscard]] bool matches_event_type(std::string_view pattern, std::string_view type) noexcept;
[[nodiscard]] bool matches_event_type(const std::vector<std::string>& patterns,
                                      std::string_view type) noexcept;

} // namespace sluice::core
