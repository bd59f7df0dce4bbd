#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>

namespace sluice::core {

// Decimal numbers as text, with every digit: what a payload's numbers are compared and rounded with.

/// Orders two JSON numbers by value: 1 equals 1.0 and 10e-1, -0 equals 0. Both must be JSON numbers.
[[nodiscard]] std::strong_ordering compare_numbers(std::string_view a, std::string_view b) noexcept;

/// Whether the text is a number in JSON's grammar.
[[nodiscard]] bool is_json_number(std::string_view text) noexcept;

/// A number as people write it ("007", "+1.50") in JSON's grammar; only leading zeros and the plus sign go.
/// Nothing when it is not a number.
[[nodiscard]] std::optional<std::string> to_json_number(std::string_view text);

/// The JSON number with exactly `decimals` digits after the point, rounded half away from zero.
/// Nothing when that would have more than 1,000 digits.
[[nodiscard]] std::optional<std::string> to_fixed(std::string_view number, unsigned decimals);

} // namespace sluice::core
