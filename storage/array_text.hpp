#pragma once

#include "core/time.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sluice::storage {

/// Builds the text of a PostgreSQL array, one a column, for `unnest(CAST(:ids AS bigint[]))`: a batch travels
/// as one statement with plain text parameters.
class array_text {
public:
  void add(std::int64_t value);
  void add(std::string_view value); ///< quoted, whatever it holds
  void add(core::timestamp value) { add(core::to_us(value)); }
  void add(std::optional<core::timestamp> value);
  void add(std::optional<std::string_view> value);

  /// The finished text; this is empty again.
  [[nodiscard]] std::string take();

private:
  void separate();
  std::string text_;
};

} // namespace sluice::storage
