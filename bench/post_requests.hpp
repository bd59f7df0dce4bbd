#pragma once

#include "core/time.hpp"

#include <cstdint>
#include <string>
#include <vector>

/// The requests that are posted to a node, whole and signed before the clock starts.
namespace sluice::bench {

/// Numbers count up over all that is posted: what has another number is another event or notification.
struct number_range {
  std::uint64_t first = 0;
  std::uint64_t count = 0;
};

struct callback_plan {
  std::string profile;           ///< the profile's id
  std::string secret;            ///< that signs
  std::string url;               ///< Twilio's alone: the address as it is configured there
  std::uint64_t events_each = 2; ///< so many events a message: "sent", then "delivered"
};

/// The provider's id of the message that so many events tell of: of the form Twilio's ids have.
[[nodiscard]] std::string message_id(std::uint64_t number);

/// Callbacks of a profile of kind webhook, by Standard Webhooks. Nothing where the secret cannot sign.
[[nodiscard]] std::vector<std::string> webhook_callbacks(const callback_plan& plan, number_range range,
                                                         core::timestamp now);

/// Status callbacks of Twilio's.
[[nodiscard]] std::vector<std::string> twilio_callbacks(const callback_plan& plan, number_range range);

struct notification_plan {
  std::string tenant;
  std::string route;
  std::string token;
  std::vector<std::string> contacts; ///< ids, one after the other
};

/// Notifications of about 300 bytes of text, each with a key.
[[nodiscard]] std::vector<std::string> notifications(const notification_plan& plan, number_range range);

} // namespace sluice::bench
