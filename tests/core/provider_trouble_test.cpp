#include "core/provider_trouble.hpp"

#include <catch2/catch.hpp>

using namespace sluice;
using core::submission_kind;

namespace {

core::submission read_as(submission_kind kind) {
  core::submission made;
  made.kind = kind;
  return made;
}

core::http_answer answered(int status, core::call_error error = core::call_error::none) {
  core::http_answer made;
  made.status = status;
  made.error = error;
  return made;
}

} // namespace

TEST_CASE("no answer and a server's error speak against a provider, whatever is refused does not") {
  using core::call_error;
  const auto speaks = core::speaks_against_provider;
  CHECK(speaks(read_as(submission_kind::ambiguous), answered(0, call_error::timed_out)));
  CHECK(speaks(read_as(submission_kind::retryable), answered(0, call_error::not_connected)));
  CHECK(speaks(read_as(submission_kind::retryable), answered(503)));
  CHECK_FALSE(speaks(read_as(submission_kind::retryable), answered(429)));
  CHECK_FALSE(speaks(read_as(submission_kind::retryable), answered(451))); // greylisted, by SMTP
  CHECK_FALSE(speaks(read_as(submission_kind::rejected), answered(550)));  // no such mailbox, by SMTP
  CHECK_FALSE(speaks(read_as(submission_kind::accepted), answered(200)));
}

TEST_CASE("a message that waited for a token in vain is in no doubt, and its recipient is not at fault") {
  auto fetch = read_as(submission_kind::ambiguous);
  fetch.error_class = "timed_out";
  fetch.error = "no answer in time";
  CHECK(core::without_token(fetch).kind == submission_kind::retryable);
  CHECK(core::without_token(fetch).error_class == "timed_out");
  auto refused = read_as(submission_kind::rejected);
  refused.cause = core::rejection_cause::recipient;
  refused.retires = core::suppression_reason::retired_token;
  const auto made = core::without_token(refused);
  CHECK(made.cause == core::rejection_cause::provider);
  CHECK_FALSE(made.retires);
  CHECK(made.error_class == "no_token");
}
