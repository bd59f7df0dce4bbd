#include "providers/status_submission.hpp"

#include "providers/retry_after.hpp"
#include "providers/submission_answer.hpp"

namespace sluice::providers {

std::string status_class(int status) {
  return "http_" + std::to_string(status);
}

core::submission submission_of_status(std::string_view who, const core::http_answer& answer,
                                      core::timestamp now) {
  const auto status = answer.status;
  const auto sentence = std::string{who} + " answered " + std::to_string(status);
  if (status == 502 || status == 504) {
    return ambiguous(status_class(status), sentence + ": a gateway, which may have passed the message on");
  }
  if (status == 413) {
    return rejected(core::rejection_cause::message, status_class(status),
                    sentence + ": the message is too large");
  }
  if (status == 408 || status == 425 || status == 429 || (status >= 500 && status <= 599)) {
    auto made = retryable(status_class(status), sentence);
    made.wait = parse_retry_after(answer.retry_after, now);
    return made;
  }
  return rejected(core::rejection_cause::provider, status_class(status), sentence);
}

} // namespace sluice::providers
