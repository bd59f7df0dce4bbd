#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace sluice::bench {

/// What ends the head of a request or an answer.
inline constexpr std::string_view head_end = "\r\n\r\n";

/// The body's length as the head states it; 0 without the header, nothing for a chunked or malformed one. The
/// head begins with its first line and ends with a line's end.
[[nodiscard]] std::optional<std::size_t> body_length(std::string_view head);

} // namespace sluice::bench
