#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

namespace sluice::storage {

/// What went wrong at the database, as far as a caller can act on it.
enum class error : std::uint8_t {
  unavailable, ///< no connection, or it was lost: try again later on a new session
  busy, ///< locked past the busy timeout, a serialization failure or a deadlock: repeat the whole transaction
  full, ///< no space left
  duplicate,  ///< a unique key exists already
  constraint, ///< another constraint refused the row
  fenced,     ///< the owner's lease epoch is not the current one: this process may not write any more
  schema,     ///< migrations are missing, or the database is newer than this program
  corrupt,    ///< a value in the database is not one of those allowed
  sealed,     ///< credentials cannot be opened: the key is missing or wrong
  not_found,  ///< what was named does not exist
  refused,    ///< the change is not allowed; `detail` says why and what is
};

[[nodiscard]] std::string_view to_string(error code) noexcept;

/// `detail` is a sentence of our own with the engine's code (SQLSTATE or SQLite result code); never the
/// engine's text, which may hold bound values.
struct failure {
  error code = error::unavailable;
  std::string detail;
};

template <class T>
using result = std::expected<T, failure>;

} // namespace sluice::storage
