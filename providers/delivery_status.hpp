#pragma once

#include "core/provider_event.hpp"
#include "core/time.hpp"
#include "providers/enhanced_status.hpp"

#include <cstddef>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Delivery status notifications (RFC 3464, in a multipart/report of RFC 6522): what mail servers send to an
/// envelope's sender. Anybody can write one; what tells a real one is that it knows an attempt's id.
namespace sluice::providers {

inline constexpr std::size_t delivery_status_bytes_max = std::size_t{256} << 10U;
inline constexpr std::size_t delivery_status_recipients_max = 64;

/// What happened to one recipient. The address itself is not kept.
struct delivery_status_recipient {
  std::string action; ///< lower case: failed, delayed, delivered, relayed, expanded, or another word
  std::optional<enhanced_status> status;
  int reply_code = 0;                ///< of an SMTP server that is quoted in Diagnostic-Code; 0: none
  std::optional<core::timestamp> at; ///< Last-Attempt-Date
};

struct delivery_status {
  std::string envelope_id; ///< Original-Envelope-Id
  std::string message_id;  ///< of the message that was returned, without its brackets; empty: not returned
  std::optional<core::timestamp> reported_at; ///< the notification's own Date
  std::vector<delivery_status_recipient> recipients;
};

/// Reads a whole mail as it lies in a mailbox (a line "From …" of an mbox before it is passed over). Of a
/// mail that is larger than delivery_status_bytes_max only so much is read: what is sought stands before the
/// message that is returned. Refused, with a sentence: what has no message/delivery-status part, or one
/// without a recipient and an action.
[[nodiscard]] std::expected<delivery_status, std::string> read_delivery_status(std::string_view mail);

/// The events of a bounce report, one a recipient, for the attempt whose id stands in the returned Message-ID
/// ("<attempt id>@<message_id_domain>"), or in Original-Envelope-Id in the same form.
///
///   failed, status 5.y.z but 5.2.z   bounced; a status that says so (means_no_mailbox) suppresses the
///   address failed, any other status         soft_bounced: given up, and the address may well exist delayed
///   delayed delivered                        delivered relayed, expanded                sent: gone on to
///   where no report comes from any other action                 other
[[nodiscard]] std::expected<std::vector<core::provider_event>, core::callback_refusal>
read_bounce_report(std::string_view mail, std::string_view message_id_domain);

} // namespace sluice::providers
