#pragma once

#include <span>
#include <string>
#include <string_view>

namespace sluice::providers {

/// What a person may see of foreign text: at most `bytes_max` bytes of valid UTF-8 without control
/// characters, every occurrence of a secret replaced before anything is cut, an ellipsis where something was.
[[nodiscard]] std::string visible_text(std::string_view text, std::span<const std::string> secrets = {},
                                       std::size_t bytes_max = 200);

/// A word of somebody else's vocabulary, of letters, digits, '.', '-', '_' and blanks; nothing where it is
/// longer or has anything else in it, for that may be an address.
[[nodiscard]] std::string plain_word(std::string_view text, std::size_t bytes_max);

/// A redirect's destination without what may carry credentials: user, password, query and fragment.
[[nodiscard]] std::string shown_location(std::string_view location,
                                         std::span<const std::string> secrets = {});

/// The length of the well-formed UTF-8 sequence at the start of `text`, 0 when there is none.
[[nodiscard]] std::size_t utf8_sequence_length(std::string_view text) noexcept;

/// Whether the sequence is a control character: C0, DEL, C1, or a line or paragraph separator.
[[nodiscard]] bool is_control(std::string_view sequence) noexcept;

} // namespace sluice::providers
