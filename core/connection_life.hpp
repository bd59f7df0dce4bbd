#pragma once

#include "core/rule.hpp"
#include "core/time.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace sluice::core {

/// A connection, whose it is and how far it is from its end.
struct connection_life {
  core::connection connection; ///< without credentials
  timestamp updated_at{};      ///< its last change, that of its status too
  std::optional<timestamp> disconnected_at;
  std::optional<timestamp> purging_since;
  std::string tenant_public_id; ///< UUIDv7
};

/// Host and port of the settings' base_url; empty where they have none, as a mirror's.
[[nodiscard]] std::string host_of(std::string_view settings);

template <class Inspector>
auto inspect(Inspector& f, connection_life& x) {
  return f(x.connection, x.updated_at, x.disconnected_at, x.purging_since, x.tenant_public_id);
}

} // namespace sluice::core
