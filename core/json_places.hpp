#pragma once

#include "core/payload.hpp"

#include <string_view>

/// Where values lie in a JSON text, so that they can be kept as they came. Only for text that check_payload
/// or a payload_reader has accepted: nothing is checked again.
namespace sluice::core {

/// What a value's text is.
[[nodiscard]] value_kind kind_of(std::string_view text) noexcept;

/// The text without what stands around the value.
[[nodiscard]] std::string_view trimmed_json(std::string_view text) noexcept;

/// The members of an object, in their order.
class json_members {
public:
  explicit json_members(std::string_view object) noexcept : rest_(trimmed_json(object).substr(1)) {}

  struct member {
    std::string_view name; ///< as it is written, escapes included
    std::string_view value;
  };
  /// False: there is none left.
  [[nodiscard]] bool next(member& found) noexcept;

private:
  std::string_view rest_;
};

/// The items of an array.
class json_items {
public:
  explicit json_items(std::string_view array) noexcept : rest_(trimmed_json(array).substr(1)) {}

  [[nodiscard]] bool next(std::string_view& item) noexcept;

private:
  std::string_view rest_;
};

} // namespace sluice::core
