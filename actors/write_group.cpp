#include "actors/write_group.hpp"

#include <utility>

namespace sluice::actors {

namespace {

constexpr int tries_max = 3;

/// Whether the same transaction may work when it is run again, whole.
bool worth_repeating(storage::error code) {
  return code == storage::error::busy || code == storage::error::unavailable;
}

} // namespace

void write_group::commit_all(storage::session& db, std::size_t rows_max) {
  while (!queue_.empty()) {
    std::deque<write> group;
    std::size_t rows = 0;
    while (!queue_.empty()) {
      const auto more = queue_.front().rows();
      const auto parted = queue_.front().alone || (!group.empty() && group.back().alone);
      if (!group.empty() && (parted || rows + more > rows_max))
        break;
      rows += more;
      group.push_back(std::move(queue_.front()));
      queue_.pop_front();
    }
    if (commit(db, group)) {
      for (auto& done : group)
        done.tell(std::nullopt);
    } else {
      commit_one_by_one(db, group);
    }
  }
}

storage::result<void> write_group::commit(storage::session& db, std::deque<write>& group) const {
  const auto began = time_.steady();
  auto done = transact(db, group);
  metrics_.commit_duration.observe(telemetry::seconds(time_.steady() - began));
  if (!done) {
    metrics_.commit_failures.add();
    return done;
  }
  std::size_t rows = 0;
  for (const auto& each : group)
    rows += each.rows();
  metrics_.group_rows.observe(static_cast<double>(rows));
  return done;
}

storage::result<void> write_group::transact(storage::session& db, std::deque<write>& group) const {
  return storage::transact(db, [&](storage::session& open) -> storage::result<void> {
    if (fence_) {
      if (auto held = storage::check_fence(open, *fence_); !held)
        return held;
    }
    for (auto& each : group) {
      if (auto done = each.perform(open); !done)
        return done;
    }
    return {};
  });
}

void write_group::commit_one_by_one(storage::session& db, std::deque<write>& group) const {
  for (auto& each : group) {
    std::deque<write> alone;
    alone.push_back(std::move(each));
    auto done = commit(db, alone);
    for (int tries = 1; !done && worth_repeating(done.error().code) && tries < tries_max; ++tries) {
      if (done.error().code == storage::error::unavailable && !db.reopen())
        break;
      done = commit(db, alone);
    }
    alone.front().tell(done ? std::nullopt : std::optional{done.error()});
  }
}

} // namespace sluice::actors
