#pragma once

#include "core/resealing.hpp"
#include "crypto/key_ring.hpp"
#include "storage/soci_session.hpp"

#include <span>
#include <string>
#include <string_view>

// The columns whose values are sealed and say themselves by which key. All of it throws: use inside
// `guarded`.

namespace sluice::storage {

struct sealed_column {
  core::keyed_thing thing;
  std::string_view table;
  std::string_view column;
  std::string_view key_column; ///< says the key's name once more; empty: none does
  /// A place's two parts of row `x`, and what has to be joined for them.
  std::string_view first;
  std::string_view second;
  std::string_view joined;
  std::string (*place)(std::string_view first, std::string_view second);
};

/// Contact points are not among them: their fingerprints go with their addresses.
[[nodiscard]] std::span<const sealed_column> sealed_columns();

/// How many values each key is needed for, in the order of their names. It reads every row.
void count_keys(session& db, const sealed_column& of, std::vector<core::key_use>& to);

/// A step over so many rows under the old key, and over so many times more under others. One value at a
/// time is in memory.
[[nodiscard]] core::resealing_step reseal_column(session& db, const sealed_column& of,
                                                 const core::resealing_order& order,
                                                 const crypto::key_ring& keys);

} // namespace sluice::storage
