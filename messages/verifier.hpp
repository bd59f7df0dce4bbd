#pragma once

#include "core/ids.hpp"
#include "core/verification.hpp"
#include "messages/alarm.hpp"
#include "messages/courier.hpp"
#include "messages/inspection.hpp"

#include <caf/replies_to.hpp>
#include <caf/typed_actor.hpp>

#include <cstdint>
#include <optional>

/// The conversation with the verifier, which looks up at the target what the ledger says it holds.
namespace sluice::messages {

/// operator API: look. `sample` records of the rule, drawn by chance; absent: every one. Where the rule is
/// being verified already, that goes on; where another rule is, the answer is `refused`. Answered at once,
/// with how far it has come.
struct start_verify {
  core::rule_id rule{};
  std::optional<std::int64_t> sample;
};

/// operator API: how far it has come. A verification nobody asks about for a minute is cancelled.
/// `not_found`: this rule was not verified, or another one since.
struct read_verify {
  core::rule_id rule{};
};

/// operator API: no need to go on.
struct cancel_verify {
  core::rule_id rule{};
};

// clang-format off
using verifier = caf::typed_actor<
  caf::replies_to<start_verify>::with<core::verification>,
  caf::replies_to<read_verify>::with<core::verification>,
  caf::replies_to<cancel_verify>::with<core::verification>,
  caf::reacts_to<calls_answered>,
  caf::reacts_to<alarm_rang>>;
// clang-format on

template <class Inspector>
auto inspect(Inspector& f, start_verify& x) {
  return f(x.rule, x.sample);
}

template <class Inspector>
auto inspect(Inspector& f, read_verify& x) {
  return f(x.rule);
}

template <class Inspector>
auto inspect(Inspector& f, cancel_verify& x) {
  return f(x.rule);
}

} // namespace sluice::messages
