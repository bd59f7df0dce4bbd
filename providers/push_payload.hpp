#pragma once

#include <optional>
#include <string>
#include <string_view>

/// What the adapters of push services make of a message's content.
namespace sluice::providers {

/// The sentence of content with nothing to show and nothing for the app.
inline constexpr std::string_view empty_push_fault = "content: a push message needs a title, a text or data";

/// Why `data` cannot travel; nothing where it is empty or a JSON object.
[[nodiscard]] std::optional<std::string> fault_of_push_data(std::string_view data);

/// Appends `"name":"text"`, behind a comma unless it is the object's first; nothing where the text is empty.
void append_text_member(std::string& object, std::string_view name, std::string_view text);

/// What stands between the braces of a JSON object, byte for byte.
[[nodiscard]] std::string_view members_of_object(std::string_view object) noexcept;

/// A collapse key in a form any header can carry: 32 characters of base64url, the same for the same key.
[[nodiscard]] std::string collapse_digest(std::string_view collapse_key);

} // namespace sluice::providers
