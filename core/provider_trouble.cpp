#include "core/provider_trouble.hpp"

namespace sluice::core {

bool speaks_against_provider(const submission& what, const http_answer& answer) noexcept {
  if (what.kind != submission_kind::retryable && what.kind != submission_kind::ambiguous)
    return false;
  return answer.error != call_error::none || answer.status >= 500;
}

submission without_token(submission fetch) {
  if (fetch.kind == submission_kind::ambiguous || fetch.kind == submission_kind::accepted)
    fetch.kind = submission_kind::retryable;
  fetch.provider_message_id.clear();
  fetch.retires.reset();
  fetch.retired_at.reset();
  fetch.cause.reset();
  if (fetch.kind == submission_kind::rejected)
    fetch.cause = rejection_cause::provider; // whatever it says, it is not about this recipient or message
  if (fetch.error_class.empty())
    fetch.error_class = "no_token";
  if (fetch.error.empty())
    fetch.error = "the provider gave no access token";
  return fetch;
}

} // namespace sluice::core
