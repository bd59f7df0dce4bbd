#pragma once

#include "core/payload.hpp"

#include <cstddef>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::core {

inline constexpr std::size_t ordering_key_bytes_max = 256;

/// What a subscription is `ordered_by`: events of one key are delivered one after the other. Compiled once.
class ordering_key {
public:
  /// `pointer` names a value of the event's body. The error is a sentence.
  [[nodiscard]] static std::expected<ordering_key, std::string> compile(std::string_view pointer);

  /// The event's key: a text as it is, any other value as its JSON text, cut to `ordering_key_bytes_max`
  /// (long keys that begin alike wait for each other). Nothing where the value is absent or null: the event
  /// waits for no other. A body that cannot be read is an error (check_payload's sentence).
  [[nodiscard]] std::expected<std::optional<std::string>, std::string> of(std::string_view body);

private:
  explicit ordering_key(payload_reader reader) : reader_(std::move(reader)) {}

  payload_reader reader_;
  std::vector<value> values_;
};

} // namespace sluice::core
