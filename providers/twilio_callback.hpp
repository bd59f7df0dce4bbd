#pragma once

#include "core/provider_event.hpp"
#include "core/time.hpp"
#include "providers/notification_adapter.hpp"
#include "providers/twilio_settings.hpp"

#include <string>
#include <string_view>

namespace sluice::providers {

/// The name of the parameter that carries our attempt's id in the callback's address.
inline constexpr std::string_view twilio_attempt_parameter = "attempt";

/// The address of an attempt's callbacks; empty where the profile gets none.
[[nodiscard]] std::string twilio_callback_url(const twilio_settings& settings, std::string_view attempt_id);

/// A status callback ("Twilio's request to the StatusCallback URL": a form), or a message's events of Event
/// Streams (CloudEvents in JSON, where the form of the address is the person's who made the sink).
[[nodiscard]] callback_verdict verify_twilio_callback(const twilio_settings& settings,
                                                      const core::callback_request& callback);

} // namespace sluice::providers
