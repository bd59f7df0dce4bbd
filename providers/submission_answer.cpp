#include "providers/submission_answer.hpp"

#include "providers/call_outcome.hpp"

namespace sluice::providers {

namespace {

core::submission failed(core::submission_kind kind, std::string error_class, std::string error) {
  core::submission made;
  made.kind = kind;
  made.error_class = std::move(error_class);
  made.error = std::move(error);
  return made;
}

} // namespace

core::submission accepted(std::string provider_message_id) {
  core::submission made;
  made.kind = core::submission_kind::accepted;
  made.provider_message_id = std::move(provider_message_id);
  return made;
}

core::submission rejected(core::rejection_cause cause, std::string error_class, std::string error) {
  auto made = failed(core::submission_kind::rejected, std::move(error_class), std::move(error));
  made.cause = cause;
  return made;
}

core::submission retryable(std::string error_class, std::string error) {
  return failed(core::submission_kind::retryable, std::move(error_class), std::move(error));
}

core::submission ambiguous(std::string error_class, std::string error) {
  return failed(core::submission_kind::ambiguous, std::move(error_class), std::move(error));
}

bool has_status(const core::http_answer& answer) noexcept {
  return answer.status != 0
         && (answer.error == core::call_error::none || answer.error == core::call_error::answer_too_large);
}

bool is_success(const core::http_answer& answer) noexcept {
  return has_status(answer) && answer.status >= 200 && answer.status <= 299;
}

core::submission submission_without_answer(const core::http_answer& answer) {
  // What a create that must not be repeated means is what a submission means.
  auto read = outcome_without_answer(answer, {.op = core::operation::create, .repeatable = false}, {});
  const auto kind = read.kind == core::outcome_kind::ambiguous ? core::submission_kind::ambiguous
                                                               : core::submission_kind::retryable;
  return failed(kind, std::move(read.error_class), std::move(read.error));
}

core::submission submission_without_token(core::outcome why) {
  if (why.kind == core::outcome_kind::unauthorized)
    return rejected(core::rejection_cause::provider, std::move(why.error_class), std::move(why.error));
  auto made = retryable(std::move(why.error_class), std::move(why.error));
  made.wait = why.wait;
  return made;
}

} // namespace sluice::providers
