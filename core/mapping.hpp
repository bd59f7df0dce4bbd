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
///   "/pointer"                       the value at the pointer, as it is
///   {"from": "/pointer", …}          the same, with options
///   {"value": any JSON}              a constant
///   {"template": "{/a} {/b}", …}     text with values in it; "{{" and "}}" are braces; "{source_id}" is the
///   record's id
/// and the options are
///   "transform": one of, or a list of, "trim", "lower", "upper",
///                {"date": "%Y-%m-%d"} (from RFC 3339 or "YYYY-MM-DD[ HH:MM:SS[.fff]]" text, strftime
///                fields),
///                {"number": decimals} (fixed decimals, digits rounded half away from zero, exact on text),
///                "text" (number or boolean to string), "as_number" (string of digits to number)
///   "default": any JSON              used when the value is absent, null or (after transforms) an empty
///   string "required": true                 an absent, null or empty value makes the record undeliverable
/// A source value that is absent and has no default leaves the field out.
class mapping {
public:
  /// Every fault of the text, each a sentence with the field it stands at.
  [[nodiscard]] static std::expected<mapping, std::vector<std::string>> compile(std::string_view json);

  mapping(mapping&&) noexcept;
  mapping& operator=(mapping&&) noexcept;
  ~mapping();

  /// Writes the target object as JSON text into `out` (replaced). Reuses buffers: not for two threads at
  /// once.
  [[nodiscard]] std::expected<void, projection_error> project(const mirror_record& record, std::string& out);

private:
  struct implementation;
  explicit mapping(std::unique_ptr<implementation> implementation);
  std::unique_ptr<implementation> implementation_;
};

} // namespace sluice::core
