#pragma once

#include "core/payload.hpp"

#include <expected>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::core {

/// A rule's optional predicate on the payload, compiled once.
///
/// JSON: {"all": [p, …]} | {"any": [p, …]} | {"not": p} | {"field": "/pointer", TEST} where TEST is one of
///   "equals": scalar | "in": [scalars] | "exists": true/false | "prefix": "text" |
///   "less" | "at_most" | "more" | "at_least": number or text
/// Numbers compare by value whatever their digits (1 equals 1.0, a 40-digit number loses none); a comparison
/// between a number and a text is false, texts order by bytes; "exists" is false for an absent value and true
/// for null. An absent value equals nothing, not even null.
class filter {
public:
  /// Every fault of the text, each a sentence with its place.
  [[nodiscard]] static std::expected<filter, std::vector<std::string>> compile(std::string_view json);

  filter(filter&&) noexcept;
  filter& operator=(filter&&) noexcept;
  ~filter();

  /// Whether the payload passes. A payload that cannot be read is an error (check_payload's sentence).
  [[nodiscard]] std::expected<bool, std::string> passes(std::string_view payload);

private:
  struct implementation;
  explicit filter(std::unique_ptr<implementation> implementation);
  std::unique_ptr<implementation> implementation_;
};

} // namespace sluice::core
