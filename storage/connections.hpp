#pragma once

#include "core/rule.hpp"
#include "crypto/key_ring.hpp"
#include "storage/session.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::storage {

/// A connection as its row holds it: `connection.credentials` is the sealed text, empty when there are none.
struct stored_connection {
  core::connection connection;
  core::timestamp updated_at{};                 ///< its last change, that of its status too
  std::optional<core::timestamp> deleted_at;    ///< disconnected then
  std::optional<core::timestamp> purging_since; ///< its rows are being removed: there is no way back
  std::string tenant_public_id;                 ///< UUIDv7

  [[nodiscard]] bool deleted() const noexcept { return deleted_at.has_value(); }
};

/// In the order of their names, deleted ones included.
[[nodiscard]] result<std::vector<stored_connection>> read_connections(session& db);
[[nodiscard]] result<std::optional<stored_connection>> read_connection(session& db, std::string_view name);
[[nodiscard]] result<std::optional<stored_connection>> read_connection(session& db, core::connection_id id);

/// `not_found` where it is disconnected. What a scan reads next to this, in one snapshot, are its records as
/// they were delivered from, never the tombstones a disconnect makes of them: those say nothing, and a cursor
/// or a retry that passed one would lose the record that comes back.
[[nodiscard]] result<void> require_connected(session& db, core::connection_id id);

/// Credentials are bound to the connection's public id: a sealed text moved to another row does not open.
[[nodiscard]] result<std::string> seal_credentials(const core::connection& connection,
                                                   const crypto::key_ring& keys);
/// Replaces the sealed text by the credentials.
[[nodiscard]] result<void> open_credentials(core::connection& connection, const crypto::key_ring& keys);

/// Running nodes watch the version.
[[nodiscard]] result<void> raise_configuration_version(session& db);

} // namespace sluice::storage
