#pragma once

#include "core/rule.hpp"
#include "core/time.hpp"

#include <optional>

namespace sluice::core {

/// A connection and how far it is from its end.
struct connection_life {
  core::connection connection; ///< without credentials
  timestamp updated_at{};      ///< its last change, that of its status too
  std::optional<timestamp> disconnected_at;
  std::optional<timestamp> purging_since;
};

template <class Inspector>
auto inspect(Inspector& f, connection_life& x) {
  return f(x.connection, x.updated_at, x.disconnected_at, x.purging_since);
}

} // namespace sluice::core
