#pragma once

#include "core/http.hpp"
#include "core/submission.hpp"
#include "core/time.hpp"

#include <optional>
#include <string_view>

namespace sluice::providers {

/// Headers of SES's answers that are read.
inline constexpr std::string_view ses_error_header = "x-amzn-errortype";
inline constexpr std::string_view ses_date_header = "date";

/// What SES's answer to SendEmail means. By the errors of SendEmail (SES API v2), the common errors of AWS,
/// and "Errors related to the sending quotas" (SES Developer Guide):
///
///   2xx with a MessageId                                 accepted
///   2xx without, InternalFailure, any other 5xx          ambiguous: nothing says that it was not taken
///   TooManyRequests, Throttling, a used-up quota,
///   ServiceUnavailable, a signature too old or too new   retryable
///   BadRequest, MessageRejected, Validation…, too large  rejected, the message's fault
///   every other error, and redirects                     rejected, the provider's: the account, its
///                                                        credentials, its identities
///
/// SES never says here that an address is bad; that comes as a bounce.
[[nodiscard]] core::submission read_ses_answer(const core::http_answer& answer, core::timestamp now);

/// The server's time, where it refused the signature for its time and ours differs by more than a minute.
[[nodiscard]] std::optional<core::timestamp> ses_corrected_time(const core::http_answer& answer);

} // namespace sluice::providers
