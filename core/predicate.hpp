#pragma once

#include "core/json_pointer.hpp"
#include "core/json_tree.hpp"
#include "core/payload.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::core {

/// A filter's test on the values of its pointers, compiled; core/filter.hpp has what may be written.
class predicate {
public:
  /// Adds the pointers it needs to `pointers` and, for each fault, a sentence with its place (a JSON pointer
  /// into the filter that begins with `place`) to `faults`; a predicate with faults is not to be used.
  [[nodiscard]] static predicate compile(const json_node& written, const std::string& place,
                                         pointer_set& pointers, std::vector<std::string>& faults);

  [[nodiscard]] bool holds(const std::vector<value>& values) const;

private:
  enum class operation : std::uint8_t {
    all,
    any,
    none, ///< "not"
    equals,
    in,
    exists,
    absent, ///< "exists": false
    prefix,
    less,
    at_most,
    more,
    at_least,
  };
  struct operation_name {
    std::string_view name;
    operation what;
  };
  struct compiler;
  static const std::vector<operation_name>& tests();

  [[nodiscard]] bool holds_for(const value& v) const;
  [[nodiscard]] bool is_in_order(const value& v) const;

  operation operation_ = operation::all;
  std::size_t slot_ = 0;
  std::vector<value> operands_;
  std::vector<predicate> parts_; ///< of all, any and none
};

} // namespace sluice::core
