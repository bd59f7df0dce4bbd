#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::providers {

/// What a template may ask for when it is filled in. {domain} is fixed when the template is compiled.
enum class placeholder : std::uint8_t { source_id, remote_id, anchor_id };

/// A stretch of literal text, or a place to fill.
struct template_piece {
  std::string literal;
  std::optional<placeholder> value;
};

struct template_values {
  std::string_view source_id;
  std::string_view remote_id;
  std::string_view anchor_id; ///< the parent's id in the target, of a dependent domain's record

  [[nodiscard]] std::string_view of(placeholder which) const noexcept {
    switch (which) {
    case placeholder::source_id:
      return source_id;
    case placeholder::remote_id:
      return remote_id;
    case placeholder::anchor_id:
      return anchor_id;
    }
    return {};
  }
};

/// Splits "a{source_id}b" at its placeholders; "{{" and "}}" are braces. `domain` stands for {domain}. The
/// error names the placeholder that is none and those allowed.
[[nodiscard]] std::expected<std::vector<template_piece>, std::string> split_template(std::string_view text,
                                                                                     std::string_view domain);

[[nodiscard]] bool uses(const std::vector<template_piece>& pieces, placeholder which) noexcept;

/// The filled-in text, without any encoding.
[[nodiscard]] std::string fill_in(const std::vector<template_piece>& pieces, const template_values& values);

} // namespace sluice::providers
