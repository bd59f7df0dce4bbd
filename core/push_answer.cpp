#include "core/push_answer.hpp"

#include "core/assertion.hpp"

namespace sluice::core {

namespace {

attempt_ending ending_of(int status) noexcept {
  if (status >= 200 && status < 300)
    return attempt_ending::acknowledged;
  if (status == 410)
    return attempt_ending::gone;
  const bool may_pass = status == 408 || status == 425 || status == 429;
  return status >= 400 && status < 500 && !may_pass ? attempt_ending::permanent : attempt_ending::transient;
}

std::string sentence_of(int status) {
  const auto answered = "the subscriber answered " + std::to_string(status);
  if (status >= 300 && status < 400)
    return answered + ", a redirect, which is never followed";
  if (status == 410)
    return answered + ": it wants no more events";
  return answered;
}

std::string sentence_of(call_error error) {
  switch (error) {
  case call_error::not_connected:
    return "no connection to the subscriber could be made";
  case call_error::address_refused:
    return "the subscriber's address may not be dialled";
  case call_error::timed_out:
    return "the subscriber gave no whole answer in time";
  default:
    return "the exchange with the subscriber was cut";
  }
}

} // namespace

push_verdict read_push_answer(const http_answer& answer) {
  assert_that(answer.error != call_error::unattempted, "an attempt that was held back has no answer");
  const bool answered = answer.error == call_error::none || answer.error == call_error::answer_too_large;
  if (answered && answer.status != 0) {
    const auto ending = ending_of(answer.status);
    if (ending == attempt_ending::acknowledged)
      return {.ending = ending, .error_class = {}, .error = {}};
    return {.ending = ending,
            .error_class = "http_" + std::to_string(answer.status),
            .error = sentence_of(answer.status)};
  }
  // An answer without a status and without an error is a cut one too.
  const auto error = answered ? call_error::cut : answer.error;
  return {.ending = attempt_ending::transient,
          .error_class = std::string{to_string(error)},
          .error = sentence_of(error) + (answer.detail.empty() ? "" : " (" + answer.detail + ")")};
}

} // namespace sluice::core
