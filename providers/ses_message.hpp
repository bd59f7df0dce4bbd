#pragma once

#include "core/notification.hpp"
#include "providers/ses_settings.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace sluice::providers {

/// "Service quotas in Amazon SES", message quotas of the API's version 2: 40 MB after base64. One message
/// here has one recipient, of the 50 that SES allows.
inline constexpr std::size_t ses_message_bytes_max = 40'000'000;
/// RFC 5322 section 2.1.1: no line of a header is longer, however a server on the way folds it.
inline constexpr std::size_t ses_subject_bytes_max = 998;

/// Why SES could not take the address; empty: it can. Quotes nothing.
[[nodiscard]] std::string fault_of_mailbox(std::string_view address);

/// Why SES could not take the content, each a sentence with the field and what is allowed.
[[nodiscard]] std::vector<std::string> faults_of_mail(const core::message_content& content);

/// The body of SendEmail (SES API v2), with content of the kind "Simple".
[[nodiscard]] std::string ses_message_body(const ses_settings& settings, const core::submission_order& order);

} // namespace sluice::providers
