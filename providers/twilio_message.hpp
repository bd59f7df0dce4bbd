#pragma once

#include "core/provider_event.hpp"
#include "core/time.hpp"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace sluice::providers {

/// Twilio's Message resource, as far as it is read here.
struct twilio_message {
  std::string sid;
  std::string status;
  std::string sender; ///< empty while a messaging service has not chosen one
  std::string messaging_service_sid;
  std::string body; ///< empty, too, where the account has it redacted
  std::string direction;
  int error_code = 0;
  std::optional<core::timestamp> created_at;
  std::optional<core::timestamp> updated_at;
};

/// Nothing where the value is no message with an id and a status.
[[nodiscard]] std::optional<twilio_message> read_twilio_message(const nlohmann::json& resource);

/// What a word of "Message status values" means, in whatever case. What is unknown is `other`.
[[nodiscard]] core::provider_event_type twilio_event_type(std::string_view status);

/// The event that a message has this status.
[[nodiscard]] core::provider_event twilio_event(std::string sid, std::string attempt_id,
                                                std::string_view status, int error_code);

} // namespace sluice::providers
