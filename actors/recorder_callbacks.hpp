#pragma once

#include "actors/recorder_writes.hpp"
#include "messages/callback_records.hpp"

/// The recorder's writes about what providers tell; see recorder_writes.hpp.
namespace sluice::actors {

[[nodiscard]] std::size_t rows_of(const messages::record_reports& ask);
[[nodiscard]] std::size_t rows_of(const messages::record_refusals& ask);
[[nodiscard]] std::size_t rows_of(const messages::project_events& ask);
[[nodiscard]] std::size_t rows_of(const messages::rebuild_batch& ask);
[[nodiscard]] std::size_t rows_of(const messages::prune_reports& ask);

/// The first may wait for other nodes' attempts, the second is long: neither holds what others wait for.
template <>
inline constexpr bool goes_alone<messages::project_events> = true;
template <>
inline constexpr bool goes_alone<messages::rebuild_batch> = true;

result<core::reports_appended> perform(storage::session& db, const write_context& with,
                                       const messages::record_reports& ask);
result<caf::unit_t> perform(storage::session& db, const write_context& with,
                            const messages::record_refusals& ask);
result<core::events_projected> perform(storage::session& db, const write_context& with,
                                       const messages::project_events& ask);
result<core::projections_rebuilt> perform(storage::session& db, const write_context& with,
                                          const messages::rebuild_batch& ask);
result<messages::rows_removed> perform(storage::session& db, const write_context& with,
                                       const messages::prune_reports& ask);

} // namespace sluice::actors
