#pragma once

#include "core/ids.hpp"
#include "storage/session.hpp"

#include <cstdint>

namespace sluice::storage {

/// For a purge: the events of a source with their deliveries and attempts; about `limit` rows a call, 0 where
/// none is left. Throws: use inside `guarded`.
[[nodiscard]] std::int64_t remove_events_of(session& db, core::connection_id source, std::int64_t limit,
                                            core::timestamp now);

} // namespace sluice::storage
