#pragma once

#include "core/callback_outcome.hpp"
#include "core/provider_event.hpp"
#include "core/provider_report.hpp"
#include "messages/alarm.hpp"
#include "messages/courier.hpp"
#include "messages/inspection.hpp"
#include "messages/projector.hpp"

#include <caf/replies_to.hpp>
#include <caf/typed_actor.hpp>

#include <optional>
#include <string>

/// The conversation with the callback intake, which takes what providers post.
namespace sluice::messages {

/// API: something was posted to a callback address. Anybody may have, so nothing of it is printed; or, where
/// it is vouched for, to the profile itself.
struct take_callback {
  std::string profile; ///< the address's last part
  core::callback_request request;
  std::string source; ///< the address it came from
  std::string digest; ///< SHA-256 of its body, in hex
  /// Somebody with an operator's token posted it, as a report that the profile's adapter reads: that stands
  /// for the signature, which such a report has none of.
  bool vouched_for = false;
};

/// Always within callbacks.answer_timeout.
struct callback_taken {
  core::callback_outcome outcome = core::callback_outcome::recorded;
  std::optional<core::callback_refusal_kind> refusal{}; ///< exactly with refused
};

/// Besides what posts bring: whoever appends by other ways tells of it here, and people have projections
/// rebuilt here, for the projector is its child.
// clang-format off
using callback_intake = caf::typed_actor<
  caf::replies_to<take_callback>::with<callback_taken>,
  caf::reacts_to<events_appended>,
  caf::replies_to<rebuild_projections>::with<core::projections_rebuilt>,
  caf::reacts_to<calls_answered>,
  caf::reacts_to<alarm_rang>>;
// clang-format on

template <class Inspector>
auto inspect(Inspector& f, take_callback& x) {
  auto bytes = x.request.body.size();
  return f(bytes, x.digest, x.vouched_for);
}

template <class Inspector>
auto inspect(Inspector& f, callback_taken& x) {
  return f(x.outcome, x.refusal);
}

} // namespace sluice::messages
