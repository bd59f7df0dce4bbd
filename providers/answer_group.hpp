#pragma once

#include "core/call.hpp"
#include "core/time.hpp"
#include "providers/transport.hpp"

#include <cstddef>
#include <vector>

namespace sluice::providers {

/// Collects answers so that they are handed back in groups: when `size_max` are together, when the oldest has
/// waited `age_max`, or when the owner says that nothing is left to wait for. Times are monotonic.
class answer_group {
public:
  answer_group(std::size_t size_max, core::duration age_max, transport::answer_sink sink);

  /// Hands over at once when this completes a group.
  void add(core::call_answer answer, core::duration now);

  void hand_over_if_old(core::duration now);
  void hand_over();

  [[nodiscard]] bool empty() const noexcept { return answers_.empty(); }

  /// How long from `now` until the oldest answer must leave; only while not empty.
  [[nodiscard]] core::duration time_left(core::duration now) const noexcept;

private:
  std::size_t size_max_;
  core::duration age_max_;
  transport::answer_sink sink_;
  std::vector<core::call_answer> answers_;
  core::duration oldest_{};
};

} // namespace sluice::providers
