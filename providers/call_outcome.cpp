#include "providers/call_outcome.hpp"

#include "providers/retry_after.hpp"
#include "providers/visible_text.hpp"

namespace sluice::providers {

namespace {

core::outcome_kind kind_without_answer(const core::http_answer& answer, const answer_context& context) {
  if (answer.error == core::call_error::unattempted) {
    return core::outcome_kind::unattempted;
  }
  return context.doubtful() && answer.may_have_arrived() ? core::outcome_kind::ambiguous
                                                         : core::outcome_kind::transient;
}

std::string_view sentence(core::call_error error) {
  switch (error) {
  case core::call_error::not_connected:
    return "no connection to the target could be made";
  case core::call_error::address_refused:
    return "the target's address may not be dialled";
  case core::call_error::unattempted:
    return "the call was not made";
  case core::call_error::timed_out:
    return "the target gave no whole answer in time";
  case core::call_error::answer_too_large:
    return "the target's answer was over the limit";
  default:
    return "the exchange with the target was cut";
  }
}

} // namespace

core::outcome outcome_without_answer(const core::http_answer& answer, const answer_context& context,
                                     std::span<const std::string> secrets) {
  core::outcome made;
  made.kind = kind_without_answer(answer, context);
  // An answer without a status and without an error is a cut one too.
  const auto error = answer.error == core::call_error::none ? core::call_error::cut : answer.error;
  made.error_class = core::to_string(error);
  made.error = sentence(error);
  if (!answer.detail.empty()) {
    made.error += " (" + visible_text(answer.detail, secrets) + ")";
  }
  return made;
}

core::outcome outcome_of_refusal(const core::http_answer& answer, core::outcome_kind kind,
                                 std::span<const std::string> secrets) {
  core::outcome made;
  made.kind = kind;
  made.error_class = "http_" + std::to_string(answer.status);
  made.error = "the target answered " + std::to_string(answer.status);
  if (answer.status >= 300 && answer.status < 400 && !answer.location.empty()) {
    made.error += ", a redirect to " + shown_location(answer.location, secrets) + ", which is never followed";
  } else if (kind != core::outcome_kind::unauthorized) {
    // A refusal of the credentials may repeat them, a token this writer has never stored included.
    if (const auto words = visible_text(answer.body, secrets); !words.empty()) {
      made.error += ": " + words;
    }
  }
  if (kind == core::outcome_kind::rate_limited) {
    made.wait = parse_retry_after(answer.retry_after, answer.ended_at);
  }
  return made;
}

} // namespace sluice::providers
