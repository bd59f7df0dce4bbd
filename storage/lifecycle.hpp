#pragma once

#include "core/connection_life.hpp"
#include "storage/session.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// A connection's end and way back:
//
//   connected --disconnect--> disconnected --reconnect, within the grace period--> connected
//                                  | purge, after it or at once
//                                  v
//                              being purged --> gone
//
// A disconnect and a reconnect touch neither a cursor, nor the ledger, nor any record's change signal.

namespace sluice::storage {

/// Records one transaction of a disconnect or reconnect looks at.
inline constexpr std::int64_t lifecycle_batch = 5000;

using core::connection_life;

/// Disconnected ones included, in the order of their names.
[[nodiscard]] result<std::vector<connection_life>> list_connection_lives(session& db);

struct lifecycle_report {
  core::timestamp disconnected_at{}; ///< when the disconnect was, also of the one a reconnect undid
  std::int64_t rules = 0;            ///< of this call
  std::int64_t records = 0;
};

/// Soft-deletes the connection and its rules in one transaction, then turns its live mirror records into
/// tombstones of reason disconnect, in transactions of `batch` records. One that is disconnected already is
/// gone through again: what an interrupted call left is done. Not within a transaction. `not_found`: there is
/// no such connection.
[[nodiscard]] result<lifecycle_report> disconnect_connection(session& db, std::string_view name,
                                                             core::timestamp now,
                                                             std::int64_t batch = lifecycle_batch);

/// Brings back exactly what the disconnect took: first the records, then connection and rules in one
/// transaction. A rule whose other connection is disconnected waits for that one. A call that was interrupted
/// is made again. Not within a transaction. `refused`: it is not disconnected, its grace period is over, or
/// its purge has begun.
[[nodiscard]] result<lifecycle_report> reconnect_connection(session& db, std::string_view name,
                                                            core::duration grace_period, core::timestamp now,
                                                            std::int64_t batch = lifecycle_batch);

/// One step of the purge of a disconnected connection, in the caller's transaction: removes up to `limit`
/// rows in the order of the foreign keys, the ledger included. Returns how many; zero: nothing is left. From
/// the first step on there is no way back. `refused`: it is not disconnected. `busy`: a node's run of one of
/// its rules is still open.
[[nodiscard]] result<std::int64_t> purge_connection(session& db, std::string_view name, std::int64_t limit,
                                                    core::timestamp now);

/// The same for any connection that was disconnected at or before `disconnected_until` or whose purge has
/// begun; one that a run holds open comes last. Zero: there is none.
[[nodiscard]] result<std::int64_t> purge_expired(session& db, core::timestamp disconnected_until,
                                                 std::int64_t limit, core::timestamp now);

/// Disconnects it if it is not yet and purges it to its end, in transactions of `batch` rows. Returns how
/// many rows went. Errors as those of its parts: after `busy` it is disconnected, and the call is made again.
[[nodiscard]] result<std::int64_t> uninstall_connection(session& db, std::string_view name,
                                                        core::timestamp now,
                                                        std::int64_t batch = 2 * lifecycle_batch);

/// A connection whose credentials were refused is active again, so that they are tried anew. `not_found`;
/// `refused`: it is not in error.
[[nodiscard]] result<void> clear_connection_error(session& db, std::string_view name, core::timestamp now);

} // namespace sluice::storage
