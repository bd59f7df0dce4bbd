#pragma once

#include "core/backfill.hpp"
#include "core/ids.hpp"
#include "core/time.hpp"
#include "storage/error.hpp"

#include <functional>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace sluice::actors {

/// How far backfills have come. A count reads the mirror twice, and many rules begin one at the same moment:
/// each is counted once a minute at the most, and one answer counts for no more than a moment. What it does
/// not come to it tells as it was, or not at all, and the next answer goes on there.
class backfill_counts {
public:
  using counter = std::function<storage::result<std::optional<core::backfill_progress>>(core::rule_id)>;
  using counts = std::vector<std::pair<core::rule_id, core::backfill_progress>>;

  /// `asked`: rules with the bounds of their backfills. A backfill of another bound is counted afresh; one
  /// that has ended meanwhile is left out.
  [[nodiscard]] storage::result<counts>
  answer(std::span<const std::pair<core::rule_id, core::timestamp>> asked, const core::time_source& time,
         const counter& count);

private:
  struct kept {
    core::backfill_progress progress;
    core::duration counted_at{};
  };

  void forget_old(core::duration now);

  std::unordered_map<core::rule_id, kept> kept_;
};

} // namespace sluice::actors
