#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::config {

enum class document_kind : std::uint8_t { null, boolean, integer, decimal, text, list, table };

[[nodiscard]] std::string_view to_string(document_kind kind) noexcept;

struct document_member;

/// One value of a TOML or JSON file, with the line it stands at.
///
/// Numbers keep their digits as the file has them (TOML's underscores and plus signs are left out, its other
/// bases become decimal). A TOML date or time is a text.
struct document_value {
  document_kind kind = document_kind::null;
  std::string text; ///< a text's content, a number's digits, "true" or "false"
  std::size_t line = 0;
  std::vector<document_value> items;
  std::vector<document_member> members; ///< in the order of the file, each name once

  [[nodiscard]] const document_value* find(std::string_view name) const noexcept;
};

struct document_member {
  std::string name;
  document_value value;
};

/// What is wrong with a file, and where; line 0 means the whole file.
struct document_fault {
  std::size_t line = 0;
  std::string what;
};

inline constexpr std::size_t document_depth_max = 64;

/// The root is always a table.
[[nodiscard]] std::expected<document_value, document_fault> parse_toml(std::string_view text);

/// The root may be any value. Refuses a name that occurs twice in one object.
[[nodiscard]] std::expected<document_value, document_fault> parse_json(std::string_view text);

/// The value as JSON text; numbers keep their digits.
[[nodiscard]] std::string to_json(const document_value& value);
void append_json(std::string& out, const document_value& value);

} // namespace sluice::config
