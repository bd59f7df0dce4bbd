#pragma once

#include "storage/session.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sluice::storage {

/// Brings the database to this program's schema, each migration in a transaction of its own, and names those
/// applied. Refuses a database that is newer (`schema`). Idempotent; two at once are serialised by the
/// database. `up_to`: stops at this version, as an earlier program would have.
[[nodiscard]] result<std::vector<std::string>> migrate(session& db, core::timestamp now,
                                                       std::optional<std::int64_t> up_to = std::nullopt);

struct schema_versions {
  std::int64_t applied = 0; ///< the database's; 0: it has none yet
  std::int64_t known = 0;   ///< this program's
};
[[nodiscard]] result<schema_versions> read_schema_versions(session& db);

/// Whether the database has exactly this program's schema; `schema` says what to do.
[[nodiscard]] result<void> check_schema(session& db);

} // namespace sluice::storage
