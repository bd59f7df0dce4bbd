#pragma once

#include "storage/session.hpp"

namespace sluice::storage {

/// In the rest of this transaction PostgreSQL finds rows by indexes, whatever it believes of a table when it
/// makes a plan: a table that was empty then, and grows while the plan stands, would be read whole by every
/// batch.
void find_by_index(session& db);

} // namespace sluice::storage
