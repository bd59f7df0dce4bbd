#pragma once

#include "core/date_format.hpp"
#include "core/json_tree.hpp"
#include "core/payload.hpp"

#include <expected>
#include <string>
#include <variant>
#include <vector>

namespace sluice::core {

/// One step between a source value and its target field; see core/mapping.hpp for what may be written.
/// Absent and null values, and empty texts, pass every transform as they are: a default comes after.
class transform {
public:
  /// The error is a sentence.
  [[nodiscard]] static std::expected<transform, std::string> compile(const json_node& written);

  /// Changes the value. The error is a sentence without the value in it: it may end up in a log.
  [[nodiscard]] std::expected<void, std::string> apply(value& v) const;

private:
  enum class plain : std::uint8_t { trim, lower, upper, text, as_number };
  struct fixed {
    unsigned decimals;
  };
  using step = std::variant<plain, fixed, date_format>;

  explicit transform(step made) : step_{std::move(made)} {}
  static std::expected<transform, std::string> compile_named(std::string_view name);
  static std::expected<transform, std::string> compile_with_argument(const json_member& written);
  static std::expected<void, std::string> apply_plain(plain which, value& v);

  step step_;
};

/// Reads one transform or a list of them; adds a sentence to `faults` for each that is none.
[[nodiscard]] std::vector<transform> compile_transforms(const json_node& written,
                                                        std::vector<std::string>& faults);

} // namespace sluice::core
