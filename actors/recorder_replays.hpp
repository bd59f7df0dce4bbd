#pragma once

#include "actors/recorder_writes.hpp"
#include "messages/replay_records.hpp"

/// The recorder's writes about window replays; see recorder_writes.hpp.
namespace sluice::actors {

[[nodiscard]] std::size_t rows_of(const messages::record_replay_step& ask);

result<core::replay_job> perform(storage::session& db, const write_context& with,
                                 const messages::record_replay_start& ask);
result<core::replay_step> perform(storage::session& db, const write_context& with,
                                  const messages::record_replay_step& ask);
result<core::replay_job> perform(storage::session& db, const write_context& with,
                                 const messages::record_replay_cancel& ask);

} // namespace sluice::actors
