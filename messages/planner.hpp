#pragma once

#include "core/ids.hpp"
#include "core/plan.hpp"
#include "messages/inspection.hpp"

#include <caf/replies_to.hpp>
#include <caf/typed_actor.hpp>

/// The conversation with the planner, which counts what delivering a rule now would do.
namespace sluice::messages {

/// operator API: count. Where a plan of this rule is being counted, it goes on; where another rule's is, the
/// answer is `refused`. Answered at once, with how far it has come.
struct start_plan {
  core::rule_id rule{};
};

/// operator API: how far it has come. A plan nobody asks about for a minute is cancelled. `not_found`: none
/// of this rule was counted, or another rule's since.
struct read_plan {
  core::rule_id rule{};
};

/// operator API: no need to go on.
struct cancel_plan {
  core::rule_id rule{};
};

/// Internal: the next batch.
struct count_on {};

// clang-format off
using planner = caf::typed_actor<
  caf::replies_to<start_plan>::with<core::delivery_plan>,
  caf::replies_to<read_plan>::with<core::delivery_plan>,
  caf::replies_to<cancel_plan>::with<core::delivery_plan>,
  caf::reacts_to<count_on>>;
// clang-format on

template <class Inspector>
auto inspect(Inspector& f, start_plan& x) {
  return f(x.rule);
}

template <class Inspector>
auto inspect(Inspector& f, read_plan& x) {
  return f(x.rule);
}

template <class Inspector>
auto inspect(Inspector& f, cancel_plan& x) {
  return f(x.rule);
}

template <class Inspector>
auto inspect(Inspector& f, count_on&) {
  return f();
}

} // namespace sluice::messages
