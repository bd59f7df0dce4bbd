#pragma once

#include "storage/session.hpp"

#include <cstdint>
#include <span>
#include <string_view>

namespace sluice::storage {

/// One step from a schema to the next. Never changed once released: a mistake is mended by a further one.
struct migration {
  std::int64_t version = 0; ///< from 1, without gaps
  std::string_view name;
  std::string_view common;     ///< for both engines, with the markers of dialect::schema_text
  std::string_view sqlite;     ///< then this …
  std::string_view postgresql; ///< … or this
};

[[nodiscard]] std::span<const migration> migrations();

} // namespace sluice::storage
