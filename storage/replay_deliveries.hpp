#pragma once

#include "core/replay_job.hpp"
#include "storage/delivery_outcomes.hpp"

#include <cstdint>

// The deliveries a window replay is about. All of it throws: use inside `guarded`.

namespace sluice::storage {

/// Behind which deliveries are replayed: what a pull cursor has passed is its owner's to read again.
[[nodiscard]] core::event_position replay_floor(core::subscription_mode mode, core::event_position cursor);

struct replay_count {
  std::int64_t deliveries = 0;
  core::event_position first{}; ///< none without deliveries
  core::event_position last{};
};

/// What a replay of these would be for.
[[nodiscard]] replay_count count_deliveries(session& db, core::subscription_id subscription,
                                            core::event_position floor, const core::replay_choice& which);

/// Looks at the next `limit` deliveries of the replay and moves its position behind them; returns how many of
/// them began anew. The subscription is locked.
[[nodiscard]] std::int64_t restart_deliveries(session& db, core::replay_job& job,
                                              const locked_subscription& of, std::int64_t limit,
                                              core::timestamp now);

} // namespace sluice::storage
