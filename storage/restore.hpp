#pragma once

#include "storage/session.hpp"

#include <optional>

namespace sluice::storage {

/// The database is an older backup, so its ledger is behind what the targets hold: from here on creates are
/// looked up before they are made (core::delivery_cursor::looks_first). Noting it again keeps the first time.
[[nodiscard]] result<void> note_restore(session& db, core::timestamp now);

/// All is settled: creates are made without looking. False: there was nothing to end.
[[nodiscard]] result<bool> end_restore(session& db);

[[nodiscard]] result<std::optional<core::timestamp>> restored_at(session& db);

} // namespace sluice::storage
