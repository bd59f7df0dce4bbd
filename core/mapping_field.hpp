#pragma once

#include "core/json_pointer.hpp"
#include "core/json_tree.hpp"
#include "core/payload.hpp"
#include "core/text_template.hpp"
#include "core/transform.hpp"

#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace sluice::core {

/// Where one target field's value comes from, compiled; core/mapping.hpp has what may be written.
class mapping_field {
public:
  /// Adds the pointers it needs to `pointers` and a sentence a fault to `faults`; a field with faults is not
  /// to be used.
  [[nodiscard]] static mapping_field compile(const json_node& written, pointer_set& pointers,
                                             std::vector<std::string>& faults);

  /// The field's value, absent when it is to be left out: one of `values`, one of the field's own, or
  /// `scratch`. The error is a sentence without values in it.
  [[nodiscard]] std::expected<const value*, std::string>
  evaluate(const std::vector<value>& values, const record_references& references, value& scratch) const;

  /// The domain whose reference the field takes, empty where a template leaves it to the rule; nothing when
  /// it takes none.
  [[nodiscard]] std::optional<std::string_view> anchor() const noexcept;

private:
  struct from {
    std::size_t slot;
  };
  struct from_anchor {
    std::string domain;
  };

  void compile_pointer(std::string_view pointer, pointer_set& pointers, std::vector<std::string>& faults);
  void compile_source(const json_member& written, pointer_set& pointers, std::vector<std::string>& faults);
  void compile_option(const json_member& written, std::vector<std::string>& faults);
  std::expected<const value*, std::string> source(const std::vector<value>& values,
                                                  const record_references& references, value& scratch) const;

  std::variant<from, from_anchor, value, text_template> source_; ///< the value is a constant
  std::vector<transform> transforms_;
  std::optional<value> default_;
  bool is_required_ = false;
};

} // namespace sluice::core
