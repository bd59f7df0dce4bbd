#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sluice::providers {

/// Whether the text has the form of a region's name: "eu-central-1", "us-gov-west-1".
[[nodiscard]] bool is_region(std::string_view text) noexcept;

/// Whether the text has the form of an SNS topic's ARN.
[[nodiscard]] bool is_topic_arn(std::string_view text) noexcept;

/// Whether a certificate at this address is SNS's own: https, the host sns.<region>.amazonaws.com, or
/// .amazonaws.com.cn in China, and the path /SimpleNotificationService-<hexadecimal>.pem. Whatever else a URL
/// can have (user, port, query, fragment, escapes, capitals) is none of it.
[[nodiscard]] bool is_certificate_address(std::string_view url) noexcept;

/// Whether fetching the address confirms the subscription to this topic with this token, at SNS and nowhere
/// else.
[[nodiscard]] bool is_confirmation_address(std::string_view url, std::string_view topic,
                                           std::string_view token);

/// The names SNS's signing certificates have, for one fetched from an address that
/// is_certificate_address: as AWS's own SDKs expect them, they differ by region.
[[nodiscard]] std::vector<std::string> certificate_names(std::string_view url);

} // namespace sluice::providers
