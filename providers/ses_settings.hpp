#pragma once

#include "core/notification.hpp"
#include "providers/aws_signature.hpp"

#include <expected>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sluice::providers {

using named_texts = std::vector<std::pair<std::string, std::string>>;

/// An account at Amazon SES.
///
/// settings:
///   region              where the account sends, such as "eu-central-1"
///   from                the sender: "news@example.com" or "News <news@example.com>"
///   reply_to            where answers go
///   feedback_to         where SES forwards bounces and complaints by mail
///   configuration_set   what SES publishes events by
///   headers             names and values added to every message
///   tags                names and values that SES puts into its events
///   topics              the ARNs of the SNS topics whose events count; none: every callback is refused
///   signing_authorities PEM of the certificates that may have issued the one SNS signs with; where it is
///                       missing, a certificate counts because it was fetched from SNS itself
///   base_url            default: the region's endpoint
/// credentials:
///   access_key_id, secret_access_key, and session_token of temporary ones
struct ses_settings {
  std::string region;
  std::string from;
  std::string reply_to;
  std::string feedback_to;
  std::string configuration_set;
  named_texts headers;
  named_texts tags;
  std::vector<std::string> topics;
  std::string signing_authorities;
  std::string base_url; ///< without a slash at its end, the host in lower case
  aws_credentials credentials;
};

/// SES API v2, MessageHeader and Message (its Headers), and MessageTag.
inline constexpr std::size_t ses_headers_max = 15;
inline constexpr std::size_t ses_header_name_bytes_max = 126;
inline constexpr std::size_t ses_header_value_bytes_max = 870;
inline constexpr std::size_t ses_tag_bytes_max = 256;

/// What the adapter itself adds, so that an event finds its attempt.
inline constexpr std::string_view ses_attempt_tag = "sluice-attempt";
inline constexpr std::string_view ses_notification_tag = "sluice-notification";
inline constexpr std::string_view ses_attempt_header = "X-Sluice-Attempt";

/// The error lists every fault, each with its place and what is allowed; credentials are never quoted.
[[nodiscard]] std::expected<ses_settings, std::vector<std::string>>
parse_ses_settings(const core::provider_profile& profile);

} // namespace sluice::providers
