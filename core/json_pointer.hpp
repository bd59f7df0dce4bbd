#pragma once

#include <cstddef>
#include <expected>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::core {

/// The reference tokens of a JSON pointer (RFC 6901), unescaped; none for "", the whole document.
/// The error is a sentence.
[[nodiscard]] std::expected<std::vector<std::string>, std::string> parse_pointer(std::string_view pointer);

/// Appends one more token to a pointer, escaped.
void append_pointer_token(std::string& pointer, std::string_view token);

inline constexpr std::size_t not_an_index = std::numeric_limits<std::size_t>::max();

/// The array index a token names ("0", "17"; no leading zero), or not_an_index.
[[nodiscard]] std::size_t array_index(std::string_view token) noexcept;

/// A set of pointers in the order of their first mention, for payload_reader::compile.
class pointer_set {
public:
  /// The place of the pointer among the set's, added when it is new.
  std::size_t add(std::string_view pointer);
  [[nodiscard]] std::vector<std::string> take() && noexcept { return std::move(pointers_); }

private:
  std::vector<std::string> pointers_;
};

} // namespace sluice::core
