#include "providers/answer_group.hpp"

#include <algorithm>
#include <utility>

namespace sluice::providers {

answer_group::answer_group(std::size_t size_max, core::duration age_max, transport::answer_sink sink)
    : size_max_(std::max<std::size_t>(size_max, 1)), age_max_(age_max), sink_(std::move(sink)) {}

void answer_group::add(core::call_answer answer, core::duration now) {
  if (answers_.empty()) {
    answers_.reserve(size_max_);
    oldest_ = now;
  }
  answers_.push_back(std::move(answer));
  if (answers_.size() >= size_max_)
    hand_over();
}

void answer_group::hand_over_if_old(core::duration now) {
  if (!answers_.empty() && time_left(now) == core::duration::zero())
    hand_over();
}

void answer_group::hand_over() {
  if (!answers_.empty())
    sink_(std::exchange(answers_, {}));
}

core::duration answer_group::time_left(core::duration now) const noexcept {
  return std::max(oldest_ + age_max_ - now, core::duration::zero());
}

} // namespace sluice::providers
