#pragma once

#include <string_view>

namespace sluice::core {

/// Whether the text can be a header's name (RFC 9110 section 5.6.2).
[[nodiscard]] bool is_header_name(std::string_view text) noexcept;

/// Whether the text can stand in a header as it is: printable ASCII.
[[nodiscard]] bool is_header_value(std::string_view text) noexcept;

/// Headers that frame the message or name the peer belong to the transport, in whatever case.
[[nodiscard]] bool is_transport_header(std::string_view name) noexcept;

/// ASCII letters in whatever case.
[[nodiscard]] bool equal_header_names(std::string_view left, std::string_view right) noexcept;

} // namespace sluice::core
