#pragma once

#include "core/provider_event.hpp"
#include "core/time.hpp"

#include <expected>
#include <string_view>
#include <vector>

namespace sluice::providers {

/// Reads what SES publishes to SNS about a message ("Contents of event data that Amazon SES publishes to
/// Amazon SNS", and the older "Amazon SNS notification contents"): one event a recipient concerned.
///
///   Send                                 sent
///   DeliveryDelay                        delayed
///   Delivery                             delivered
///   Bounce Permanent                     bounced, suppresses: hard_bounce
///   Bounce Transient, Undetermined       soft_bounced
///   Complaint                            complained, suppresses: complaint, save one that says "not-spam"
///   Reject, Rendering Failure            rejected
///   Subscription                         other, suppresses where it unsubscribes from everything
///   Open, Click, anything later          other
///
/// `sns_id` is the id of the message that carried it; a second recipient's event has it with "/2" behind.
/// What SES says when a topic is connected (no event of any message) gives none. The error is `unidentified`:
/// neither SES's id of the message nor ours is in it, or it is not from SES.
[[nodiscard]] std::expected<std::vector<core::provider_event>, core::callback_refusal>
read_ses_events(std::string_view message, std::string_view sns_id, core::timestamp published_at);

} // namespace sluice::providers
