#pragma once

#include "core/notification.hpp"
#include "core/provider_event.hpp"
#include "core/time.hpp"
#include "sim/notification_history.hpp"

#include <cstdint>
#include <string>

/// What providers post, in each one's own form and signed as its documentation says, by hand; of a mail
/// server, what an operator hands on.
namespace sluice::sim {

/// One telling of an event. What is told again is the same but for what a provider makes anew each time.
struct telling {
  told_event what;
  std::string event_id;       ///< empty: the form has no place for one
  bool as_json = false;       ///< Twilio's other form
  core::timestamp happened{}; ///< by the provider's clock
  core::timestamp published{};
  bool forged = false;
};

/// `public_id` is of the profile; `now` the provider's clock.
[[nodiscard]] core::callback_request posted_form(core::provider_kind kind, const telling& of,
                                                 const std::string& public_id, core::timestamp now);

/// "Sat, 31 Jan 2026 08:00:00 +0000".
[[nodiscard]] std::string mail_date(core::timestamp at);

} // namespace sluice::sim
