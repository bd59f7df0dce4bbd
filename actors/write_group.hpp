#pragma once

#include "core/time.hpp"
#include "storage/lease.hpp"
#include "storage/session.hpp"
#include "telemetry/metrics.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <utility>

namespace sluice::actors {

/// Writes that wait for a transaction, and the rule by which they share one.
///
/// Everything queued commits together. When one write of a group fails, the group is rolled back and each
/// write gets a transaction of its own, so that one bad write, or one lost shard, does not cost the others
/// theirs (D6). What is busy or was disconnected is tried again, whole.
class write_group {
public:
  using transaction_part = std::move_only_function<storage::result<void>(storage::session&)>;
  /// Told once, after the commit (nothing) or with what stood in the way.
  using completion = std::move_only_function<void(const std::optional<storage::failure>&)>;

  /// Without a fence every write is taken (tests, and stores nobody shares).
  write_group(std::optional<storage::fence> fence, const core::time_source& time, telemetry::metrics& metrics)
      : fence_(std::move(fence)), time_(time), metrics_(metrics) {}

  /// How much of a group's limit the write takes by then: it may grow while it waits.
  using row_count = std::move_only_function<std::size_t() const>;

  struct write {
    row_count rows;
    transaction_part perform;
    completion tell;
    bool alone = false; ///< it shares its transaction with no other
  };

  void add(write one) { queue_.push_back(std::move(one)); }

  [[nodiscard]] bool empty() const noexcept { return queue_.empty(); }

  /// Commits what is queued, in groups of at most `rows_max` rows (a single larger write goes alone).
  void commit_all(storage::session& db, std::size_t rows_max);

private:
  /// One transaction, and what it took.
  storage::result<void> commit(storage::session& db, std::deque<write>& group) const;
  storage::result<void> transact(storage::session& db, std::deque<write>& group) const;
  void commit_one_by_one(storage::session& db, std::deque<write>& group) const;

  std::optional<storage::fence> fence_;
  const core::time_source& time_;
  telemetry::metrics& metrics_;
  std::deque<write> queue_;
};

} // namespace sluice::actors
