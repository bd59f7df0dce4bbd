#pragma once

#include "core/replay_job.hpp"
#include "storage/session.hpp"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

/// Window replays of subscriptions. Every state is decided by core::restart_of and core::apply; each write
/// stands in one transaction.
namespace sluice::storage {

/// How many deliveries a replay that began now would be for. `not_found`: there is no such subscription;
/// `refused`: core::why_not and core::why_too_many say why, or its access is not accepted. Of a pull
/// subscription those behind its cursor are its owner's to read again, and are not among them.
[[nodiscard]] result<std::int64_t> count_replay(session& db, core::subscription_id subscription,
                                                const core::replay_choice& which,
                                                const core::replay_limits& limits);

/// Counts its deliveries and begins it, with its audit row. Refused as above, and where the subscription has
/// a live one, which the sentence names.
[[nodiscard]] result<core::replay_job> start_replay(session& db, const core::replay_start& start,
                                                    core::timestamp now);

/// Goes on with the live replay behind this id, or the first one: looks at its next `limit` deliveries, and
/// moves its position behind them. At its end an audit row says what it came to. It is cancelled where its
/// subscription is gone, or may not have its tenant's events any more.
[[nodiscard]] result<core::replay_step> continue_replay(session& db, std::int64_t after_id,
                                                        std::int64_t limit, core::timestamp now);

/// `not_found`: the subscription has no such replay; `refused`: it has ended.
[[nodiscard]] result<core::replay_job> cancel_replay(session& db, core::subscription_id subscription,
                                                     std::string_view public_id, std::string_view by,
                                                     core::timestamp now);

[[nodiscard]] result<std::vector<core::replay_job>> list_replays(session& db, const core::replay_page& page);
[[nodiscard]] result<std::optional<core::replay_job>>
find_replay(session& db, core::subscription_id subscription, std::string_view public_id);

} // namespace sluice::storage
