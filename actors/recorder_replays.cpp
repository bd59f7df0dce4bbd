#include "actors/recorder_replays.hpp"

#include "storage/replay_jobs.hpp"

#include <algorithm>

namespace sluice::actors {

namespace m = messages;

std::size_t rows_of(const m::record_replay_step& ask) {
  return static_cast<std::size_t>(std::max<std::int64_t>(ask.limit, 1));
}

result<core::replay_job> perform(storage::session& db, const write_context& with,
                                 const m::record_replay_start& ask) {
  return storage::start_replay(db, ask.start, with.now);
}

result<core::replay_step> perform(storage::session& db, const write_context& with,
                                  const m::record_replay_step& ask) {
  return storage::continue_replay(db, ask.after_id, ask.limit, with.now);
}

result<core::replay_job> perform(storage::session& db, const write_context& with,
                                 const m::record_replay_cancel& ask) {
  return storage::cancel_replay(db, ask.subscription, ask.public_id, ask.by, with.now);
}

} // namespace sluice::actors
