#pragma once

#include "core/payload.hpp"

#include <cstddef>
#include <expected>
#include <string>
#include <string_view>

namespace sluice::core {

/// How deep the parser may recurse: within the limits, and never deeper than a thread's stack allows.
[[nodiscard]] std::size_t json_depth_max(const payload_limits& limits) noexcept;

/// What can be refused before any parsing: no bytes, too many, a raw NUL.
[[nodiscard]] std::expected<void, std::string> check_json_bytes(std::string_view text,
                                                                const payload_limits& limits);

/// The sentence for an error of Boost.JSON's parser (its number) that stopped at byte `offset`. Its
/// input_error stands for an escaped NUL.
[[nodiscard]] std::string describe_json_fault(int boost_error, std::string_view text, std::size_t offset,
                                              const payload_limits& limits);

} // namespace sluice::core
