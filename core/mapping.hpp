#pragma once

#include "core/payload.hpp"
#include "core/record.hpp"

#include <expected>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::core {

/// Why a record cannot be projected: the target field and what is wrong, for the ledger's `error`.
struct projection_error {
  std::string field;
  std::string what;
};

/// A rule's mapping, compiled once: target field to source expression.
///
/// The mapping is a JSON object. A member's name is the target field ("email"), or a JSON pointer that places
/// it deeper ("/properties/email"). Its value is one of
///   "/pointer"                    the value at the pointer, as it is
///   {"from": "/pointer", …}       the same, with options
///   {"value": any JSON}           a constant
///   {"template": "{/a} {/b}", …}  text with values in it; "{{" and "}}" are braces, "{source_id}" is the
///                                 record's id and "{anchor}" its parent's in the target; absent when it
///                                 names values and has none of them
///   {"anchor": "domain", …}       the id the target knows the record's parent by; the domain is the one
///                                 the rule is anchored on
/// and the options are
///   "transform"       one of, or a list of, in the order they apply:
///     "trim", "lower", "upper"    of texts; letters as core/letter_case.hpp says
///     {"date": "%Y-%m-%d"}        strftime fields in UTC; from a text in RFC 3339 or
///                                 "YYYY-MM-DD[ HH:MM:SS[.fff]]"
///     {"number": decimals}        fixed decimals, rounded half away from zero, exact on the digits
///     "text", "as_number"         number or boolean to text, text of digits to number
///   "default": JSON   used when the value is absent, null or, after the transforms, an empty text
///   "required": true  a value that is still absent, null or empty makes the record undeliverable
/// A source value that is absent and has no default leaves the field out, and an object of which every field
/// is left out goes with it.
class mapping {
public:
  /// Every fault of the text, each a sentence with the field it stands at.
  [[nodiscard]] static std::expected<mapping, std::vector<std::string>> compile(std::string_view json);

  mapping(mapping&&) noexcept;
  mapping& operator=(mapping&&) noexcept;
  ~mapping();

  /// A field that takes the parent's id in the target.
  struct anchor_use {
    std::string field;
    std::string domain; ///< empty in a template, which takes the rule's own anchor
  };
  [[nodiscard]] const std::vector<anchor_use>& anchors() const noexcept;

  /// Writes the target object as JSON text into `out` (replaced). `anchor_remote_id` is the parent's id in
  /// the target; while it is empty, fields that take it are an error. Reuses buffers: not for two threads at
  /// once.
  [[nodiscard]] std::expected<void, projection_error> project(const mirror_record& record, std::string& out,
                                                              std::string_view anchor_remote_id = {});

private:
  struct implementation;
  explicit mapping(std::unique_ptr<implementation> implementation);
  std::unique_ptr<implementation> implementation_;
};

} // namespace sluice::core
