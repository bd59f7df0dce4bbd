#include "actors/call_account.hpp"

#include <algorithm>
#include <utility>

namespace sluice::actors {

using core::outcome_kind;

void call_account::note(core::operation op, outcome_kind kind, core::timestamp ended_at) {
  if (kind == outcome_kind::unattempted) {
    ++unused_;
    return;
  }
  ++ended_;
  ended_at_ = std::max(ended_at_, ended_at);
  // A lookup that finds nothing was answered well: only a write that meets nothing speaks against the target.
  const auto found_nothing = op == core::operation::lookup && kind == outcome_kind::gone;
  judge(found_nothing ? outcome_kind::accepted : kind);
}

void call_account::judge(outcome_kind kind) {
  auto signal = core::circuit_signal::success;
  switch (kind) {
  case outcome_kind::transient:
  case outcome_kind::ambiguous:
    signal = core::circuit_signal::transient;
    break;
  case outcome_kind::gone:
    signal = core::circuit_signal::gone;
    break;
  case outcome_kind::rejected:
    signal = core::circuit_signal::rejected;
    break;
  case outcome_kind::rate_limited:
  case outcome_kind::unauthorized:
    return; // says nothing about whether the target works
  default:
    break;
  }
  if (stretches_.empty() || stretches_.back().signal != signal)
    stretches_.push_back({signal, 0});
  ++stretches_.back().count;
}

std::vector<messages::judged_stretch> call_account::take_news(bool trial) {
  auto stretches = std::exchange(stretches_, {});
  const auto all_well = stretches.size() == 1 && stretches.front().signal == core::circuit_signal::success;
  if (stretches.empty() || (all_well && !doubtful_ && !trial))
    return {};
  doubtful_ = !all_well;
  return stretches;
}

} // namespace sluice::actors
