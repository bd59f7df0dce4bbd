#pragma once

#include "core/http.hpp"
#include "core/submission.hpp"

namespace sluice::core {

/// Whether the answer to a submission, read as `what`, speaks against the provider itself: none came, or a
/// server's error (RFC 9110 section 15.6). What one recipient or one message met does not, and neither does
/// any refusal: who refuses, answers.
[[nodiscard]] bool speaks_against_provider(const submission& what, const http_answer& answer) noexcept;

/// What a token's fetch that came to nothing means for a message that waited for it: nothing of that left, so
/// nothing about it is in doubt.
[[nodiscard]] submission without_token(submission fetch);

} // namespace sluice::core
