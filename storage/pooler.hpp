#pragma once

#include "storage/session.hpp"

namespace sluice::storage {

/// PostgreSQL: whether a pooler such as PgBouncer stands between. It gives its clients a process number of
/// its own making; behind one a LISTEN may be lost with the transaction.
[[nodiscard]] result<bool> behind_pooler(session& db);

} // namespace sluice::storage
