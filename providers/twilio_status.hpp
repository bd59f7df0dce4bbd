#pragma once

#include "core/http.hpp"
#include "providers/notification_adapter.hpp"
#include "providers/twilio_settings.hpp"

/// What Twilio knows of an attempt: its Message resource by id, or the list of messages by recipient and day.
namespace sluice::providers {

/// The address to ask at, and what the answer means.
[[nodiscard]] std::string twilio_status_url(const twilio_settings& settings, const status_question& question);
[[nodiscard]] status_answer read_twilio_status(const twilio_settings& settings,
                                               const status_question& question,
                                               const core::http_answer& answer);

} // namespace sluice::providers
