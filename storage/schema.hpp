#pragma once

#include "storage/session.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace sluice::storage {

/// Brings the database to this program's schema, each migration in a transaction of its own, and names those
/// applied. Refuses a database that is newer (`schema`). Idempotent; two at once are serialised by the
/// database.
[[nodiscard]] result<std::vector<std::string>> migrate(session& db, core::timestamp now);

/// Whether the database has exactly this program's schema; `schema` says what to do.
[[nodiscard]] result<void> check_schema(session& db);

} // namespace sluice::storage
