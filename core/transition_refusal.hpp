#pragma once

#include <cstdint>
#include <string>

namespace sluice::core {

/// Why a delivery or a notification stays as it is.
enum class refusal_kind : std::uint8_t {
  no_such_step,       ///< the state it is in is not the one the transition leaves
  filtered_out,       ///< the delivery was skipped by the filter, which is final
  wrong_cause,        ///< somebody else causes this
  guard_unmet,        ///< what the transition requires does not hold
  attempt_superseded, ///< the attempt is no longer the current one: only its own row is written
};

struct transition_refusal {
  refusal_kind kind = refusal_kind::no_such_step;
  std::string sentence;
};

} // namespace sluice::core
