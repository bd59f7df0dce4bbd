#pragma once

#include "core/json_pointer.hpp"
#include "core/payload.hpp"

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::core {

/// What a mapping takes from beside the payload.
struct record_references {
  std::string_view source_id; ///< the record's own
  std::string_view anchor;    ///< its parent's id in the target; empty while the target holds no parent
};

inline constexpr std::string_view anchor_is_unknown = "the record's parent has no id in the target yet";

/// Text with values in it: "{/first} {/last}", "{{" and "}}" for braces, "{source_id}" for the record's id,
/// "{anchor}" for its parent's id in the target.
class text_template {
public:
  /// Adds the pointers it needs to `pointers`. The error is a sentence.
  [[nodiscard]] static std::expected<text_template, std::string> compile(std::string_view written,
                                                                         pointer_set& pointers);

  /// Writes a text into `out`, or an absent value when the template names values and all of them are absent,
  /// null or empty. An array or object among them is an error, and so is an anchor that is not known.
  [[nodiscard]] std::expected<void, std::string> fill(const std::vector<value>& values,
                                                      const record_references& references, value& out) const;

  [[nodiscard]] bool uses_anchor() const noexcept;

private:
  enum class insertion : std::uint8_t { nothing, pointer, source_id, anchor };
  struct part {
    std::string literal;
    insertion what = insertion::nothing; ///< follows the literal
    std::size_t slot = 0;
  };

  std::expected<void, std::string> add_insertion(std::string literal, std::string_view name,
                                                 pointer_set& pointers);

  std::vector<part> parts_;
};

} // namespace sluice::core
