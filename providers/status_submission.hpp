#pragma once

#include "core/http.hpp"
#include "core/submission.hpp"
#include "core/time.hpp"

#include <string>
#include <string_view>

namespace sluice::providers {

/// What a status other than 2xx says where the provider says nothing more of it (RFC 9110 section 15): 408,
/// 425, 429 and 5xx are retryable after Retry-After, but 502 and 504 are ambiguous, for a gateway cannot tell
/// what became of what it passed on; 413 is the message's fault, everything else the provider's. The sentence
/// begins with `who`, such as "APNs".
[[nodiscard]] core::submission submission_of_status(std::string_view who, const core::http_answer& answer,
                                                    core::timestamp now);

/// "http_503".
[[nodiscard]] std::string status_class(int status);

} // namespace sluice::providers
