#pragma once

#include "core/ids.hpp"
#include "core/outcome.hpp"
#include "core/time.hpp"
#include "messages/breaker.hpp"
#include "messages/throttle.hpp"

#include <cstdint>
#include <vector>

namespace sluice::actors {

/// What the answers to somebody's calls say to the target's throttle (which slots are free again) and to the
/// breaker (how the calls fared). Answers are noted one by one and told of by the group.
class call_account {
public:
  void note(core::operation op, core::outcome_kind kind, core::timestamp ended_at);

  /// Gives the slots back which `caller` took for the calls that were noted.
  template <class Self>
  void tell_throttle(Self* self, const messages::throttle& throttle, core::rule_id caller) {
    if (ended_ > 0)
      self->send(throttle, messages::calls_ended{caller, ended_, ended_at_});
    if (unused_ > 0)
      self->send(throttle, messages::budget_returned{caller, unused_});
    ended_ = unused_ = 0;
  }

  /// Nothing was noted that says whether the target works.
  [[nodiscard]] bool says_nothing() const noexcept { return stretches_.empty(); }
  /// What the breaker should hear; empty where it would change no circuit: nothing but successes after
  /// successes is not worth a message. `trial`: the circuit is half open and waits for it.
  [[nodiscard]] std::vector<messages::judged_stretch> take_news(bool trial);

private:
  void judge(core::outcome_kind kind);

  std::int64_t ended_ = 0;
  core::timestamp ended_at_{};
  std::int64_t unused_ = 0;
  std::vector<messages::judged_stretch> stretches_;
  bool doubtful_ = false; ///< the last news were not all well
};

} // namespace sluice::actors
