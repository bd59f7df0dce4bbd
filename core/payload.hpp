#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::core {

/// What is refused in a payload, with limits of their own.
struct payload_limits {
  std::size_t depth_max = 64;
  std::size_t bytes_max = std::size_t{1} << 20;
};

/// Checks that `text` is one JSON value of valid UTF-8 (RFC 8259) within the limits and without NUL (neither
/// a raw byte nor \u0000: PostgreSQL's text cannot hold one). The error is a sentence with the byte offset.
[[nodiscard]] std::expected<void, std::string> check_payload(std::string_view text,
                                                             const payload_limits& limits = {});

enum class value_kind : std::uint8_t { absent, null, boolean, number, string, array, object };

[[nodiscard]] std::string_view to_string(value_kind kind) noexcept;

/// One value out of a payload. `text` is the decoded content of a string, and the JSON text of anything else,
/// with a number's digits exactly as they came.
struct value {
  value_kind kind = value_kind::absent;
  std::string text;

  void reset() {
    kind = value_kind::absent;
    text.clear();
  }
};

/// Appends `v` as JSON text. An absent value appends null.
void append_json(std::string& out, const value& v);

/// Appends `text` as a JSON string with its quotes.
void append_json_string(std::string& out, std::string_view text);

/// Reads a set of JSON pointers (RFC 6901) out of payloads in one pass, without building a tree.
/// Compiled once a rule; `read` reuses its buffers and is not for two threads at once.
class payload_reader {
public:
  /// The error names the pointer that is not one.
  [[nodiscard]] static std::expected<payload_reader, std::string> compile(std::vector<std::string> pointers,
                                                                          payload_limits limits = {});
  payload_reader(payload_reader&&) noexcept;
  payload_reader& operator=(payload_reader&&) noexcept;
  ~payload_reader();

  /// Fills one value a pointer, in their order; `values` is resized. A key that occurs twice counts with its
  /// last value. The error is check_payload's.
  [[nodiscard]] std::expected<void, std::string> read(std::string_view text, std::vector<value>& values);

  [[nodiscard]] const std::vector<std::string>& pointers() const noexcept;

private:
  struct implementation;
  explicit payload_reader(std::unique_ptr<implementation> implementation);
  std::unique_ptr<implementation> implementation_;
};

} // namespace sluice::core
