#pragma once

#include "core/audit.hpp"
#include "storage/session.hpp"

#include <cstdint>
#include <vector>

namespace sluice::storage {

/// In the transaction of what it tells of; `id` is given here. `not_found`: there is no such tenant.
[[nodiscard]] result<void> add_audit(session& db, const core::audit_entry& entry);

[[nodiscard]] result<std::vector<core::audit_entry>> list_audit(session& db, const core::audit_page& page);

/// Entries from before `until`, oldest first, at most `limit`; returns how many.
[[nodiscard]] result<std::int64_t> prune_audit(session& db, core::timestamp until, std::int64_t limit);

} // namespace sluice::storage
