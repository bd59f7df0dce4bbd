#pragma once

#include "core/time.hpp"

#include <string>
#include <string_view>

namespace sluice::providers {

/// Whether the text is UTF-8 without a control character: nothing in it could end a header's line.
[[nodiscard]] bool is_one_line(std::string_view text) noexcept;

/// "Name: value" with any UTF-8 text as the value: as it is where it is short printable ASCII, else in
/// encoded words (RFC 2047, "B"), folded by CRLF and a space so that no line is longer than 76 bytes. Control
/// characters must have been refused before; they are encoded, never let through.
[[nodiscard]] std::string text_header(std::string_view name, std::string_view text);

/// "Name: display name <mailbox>" (RFC 5322 section 3.4); the mailbox alone where there is no display name.
[[nodiscard]] std::string mailbox_header(std::string_view name, std::string_view display_name,
                                         std::string_view mailbox);

/// "Date: Mon, 30 Nov 2026 20:55:12 +0000" (RFC 5322 section 3.6.1).
[[nodiscard]] std::string date_header(core::timestamp at);

/// The text with every line end (CR, LF or CRLF) as CRLF, and one at its end: MIME's canonical form of text
/// (RFC 2045 section 6.5).
[[nodiscard]] std::string with_mail_line_ends(std::string_view text);

} // namespace sluice::providers
