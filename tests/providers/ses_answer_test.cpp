#include "providers/retry_after.hpp"
#include "providers/ses_answer.hpp"
#include "tests/providers/ses_fixture.hpp"

#include <algorithm>

using namespace sluice;
using namespace std::chrono_literals;
using core::rejection_cause;
using core::submission_kind;
using tests::ses_noon;

namespace {

core::http_answer answered(int status, const std::string& type, const std::string& body = "{}") {
  core::http_answer made;
  made.status = status;
  made.body = body;
  made.headers = {{"x-amzn-errortype", type}, {"date", "Mon, 01 Jun 2026 12:00:00 GMT"}};
  made.ended_at = ses_noon;
  return made;
}

std::string message(const std::string& text) {
  return nlohmann::json{{"message", text}}.dump();
}

core::submission read(const core::http_answer& answer) {
  const auto made = tests::ses_adapter()->read(tests::ses_order(), answer, ses_noon);
  CHECK(made.cause.has_value() == (made.kind == submission_kind::rejected));
  CHECK((made.provider_message_id.empty() || made.kind == submission_kind::accepted));
  CHECK(made.error.empty() == (made.kind == submission_kind::accepted));
  CHECK(made.error_class.empty() == (made.kind == submission_kind::accepted));
  CHECK(made.error.size() <= core::submission_error_bytes_max);
  CHECK(made.error.find("jane@example.com") == std::string::npos);
  CHECK_FALSE(made.retires); // SES tells of a dead address by a bounce
  return made;
}

} // namespace

TEST_CASE("a message id means that SES took the message") {
  const auto made = read(answered(200, "", R"({"MessageId":"0100018f-abcd-000000","Later":1})"));
  CHECK(made.kind == submission_kind::accepted);
  CHECK(made.provider_message_id == "0100018f-abcd-000000");
}

TEST_CASE("a success without a readable id leaves it open whether the message was taken") {
  for (const std::string body : {"", "{}", "<html>", R"({"MessageId":7})", R"({"MessageId":""})",
                                 R"({"MessageId":"a b"})", R"({"MessageId":"\u0000"})"}) {
    CAPTURE(body);
    CHECK(read(answered(200, "", body)).kind == submission_kind::ambiguous);
  }
  auto cut = answered(200, "", R"({"MessageId":"010001)");
  cut.error = core::call_error::answer_too_large;
  CHECK(read(cut).kind == submission_kind::ambiguous);
  cut.body = R"({"MessageId":"0100018f-abcd-000000"})";
  CHECK(read(cut).kind == submission_kind::accepted);
}

TEST_CASE("every documented error of SendEmail is read for what it says") {
  struct row {
    int status;
    const char* type;
    submission_kind kind;
    std::optional<rejection_cause> cause;
  };
  const auto rejected = submission_kind::rejected;
  const auto [status, type, kind, cause] = GENERATE_COPY(values<row>({
      {400, "AccountSuspendedException", rejected, rejection_cause::provider},
      {400, "BadRequestException", rejected, rejection_cause::message},
      {400, "LimitExceededException", rejected, rejection_cause::provider},
      {400, "MailFromDomainNotVerifiedException", rejected, rejection_cause::provider},
      {400, "MessageRejected", rejected, rejection_cause::message},
      {404, "NotFoundException", rejected, rejection_cause::provider},
      {400, "SendingPausedException", rejected, rejection_cause::provider},
      {429, "TooManyRequestsException", submission_kind::retryable, {}},
      {400, "ThrottlingException", submission_kind::retryable, {}},
      {400, "Throttling", submission_kind::retryable, {}},
      {403, "AccessDeniedException", rejected, rejection_cause::provider},
      {403, "ExpiredTokenException", rejected, rejection_cause::provider},
      {403, "IncompleteSignature", rejected, rejection_cause::provider},
      {403, "InvalidClientTokenId", rejected, rejection_cause::provider},
      {403, "UnrecognizedClientException", rejected, rejection_cause::provider},
      {403, "MissingAuthenticationToken", rejected, rejection_cause::provider},
      {403, "SignatureDoesNotMatch", rejected, rejection_cause::provider},
      {403, "InvalidSignatureException", rejected, rejection_cause::provider},
      {401, "NotAuthorized", rejected, rejection_cause::provider},
      {403, "OptInRequired", rejected, rejection_cause::provider},
      {404, "UnknownOperationException", rejected, rejection_cause::provider},
      {400, "RequestExpired", submission_kind::retryable, {}},
      {400, "ValidationException", rejected, rejection_cause::message},
      {400, "ValidationError", rejected, rejection_cause::message},
      {413, "RequestEntityTooLargeException", rejected, rejection_cause::message},
      {400, "RequestAbortedException", submission_kind::ambiguous, {}},
      {408, "RequestTimeoutException", submission_kind::retryable, {}},
      {500, "InternalFailure", submission_kind::ambiguous, {}},
      {500, "InternalServiceErrorException", submission_kind::ambiguous, {}},
      {503, "ServiceUnavailable", submission_kind::retryable, {}},
      {503, "ServiceUnavailableException", submission_kind::retryable, {}},
      {503, "ThrottlingException", submission_kind::retryable, {}},
      {400, "SomethingNewException", rejected, rejection_cause::provider},
      {301, "", rejected, rejection_cause::provider},
      {418, "", rejected, rejection_cause::provider},
      {429, "", submission_kind::retryable, {}},
      {500, "", submission_kind::ambiguous, {}},
      {502, "", submission_kind::ambiguous, {}},
      {503, "", submission_kind::retryable, {}},
      {504, "", submission_kind::ambiguous, {}},
      {999, "", submission_kind::ambiguous, {}},
  }));
  CAPTURE(status, type);
  const auto made = read(answered(status, type, message("about jane@example.com")));
  CHECK(made.kind == kind);
  CHECK(made.cause == cause);
}

TEST_CASE("an error is named by its short word, wherever SES says it") {
  const auto class_of = [](const std::string& type, const std::string& body) {
    return read(answered(400, type, body)).error_class;
  };
  CHECK(class_of("BadRequestException", "{}") == "BadRequest");
  CHECK(class_of("BadRequestException:http://internal.amazon.com/coral/", "{}") == "BadRequest");
  CHECK(class_of("", R"({"__type":"com.amazonaws.ses#MessageRejected"})") == "MessageRejected");
  CHECK(class_of("", R"({"code":"SendingPausedException","message":"no"})") == "SendingPaused");
  CHECK(class_of("", "no JSON") == "http_400");
  CHECK(class_of("jane@example.com", "{}") == "http_400");
  CHECK(class_of(std::string(65, 'a'), "{}") == "http_400");
}

TEST_CASE("what only an unverified identity makes SES refuse is no fault of the message") {
  const auto made =
      read(answered(400, "MessageRejected",
                    message("Email address is not verified. The following identities failed the "
                            "check in region EU-CENTRAL-1: jane@example.com")));
  CHECK(made.cause == rejection_cause::provider);
}

TEST_CASE("a used-up quota is waited for, as long as SES says or its documentation does") {
  for (const std::string type :
       {"ThrottlingException", "LimitExceededException", "TooManyRequestsException"}) {
    const auto quota = read(answered(400, type, message("Daily message quota exceeded.")));
    CHECK(quota.kind == submission_kind::retryable);
    CHECK(quota.wait == 10min);
  }
  const auto rate =
      read(answered(429, "TooManyRequestsException", message("Maximum sending rate exceeded.")));
  CHECK(rate.kind == submission_kind::retryable);
  CHECK_FALSE(rate.wait);
  auto told = answered(429, "TooManyRequestsException");
  told.retry_after = "7";
  CHECK(read(told).wait == 7s);
  told.status = 503;
  told.headers = {};
  CHECK(read(told).wait == 7s);
}

TEST_CASE("a call without an answer is repeated only where the request cannot have arrived") {
  using core::call_error;
  for (const auto error : {call_error::not_connected, call_error::address_refused, call_error::unattempted}) {
    core::http_answer answer;
    answer.error = error;
    CHECK(read(answer).kind == submission_kind::retryable);
  }
  for (const auto error : {call_error::timed_out, call_error::cut, call_error::none}) {
    core::http_answer answer;
    answer.error = error;
    CHECK(read(answer).kind == submission_kind::ambiguous);
  }
  auto late = answered(200, "", R"({"MessageId":"a"})"); // the status came, the rest did not
  late.error = call_error::timed_out;
  CHECK(read(late).kind == submission_kind::ambiguous);
}

TEST_CASE("a clock that is wrong by an hour is corrected by the server's date, either way") {
  const auto adapter = tests::ses_adapter();
  const auto skewed = [](const std::string& type, const std::string& text, core::duration ours) {
    auto answer = answered(403, type, message(text));
    answer.ended_at = ses_noon + ours;
    return answer;
  };
  const std::string old = "Signature expired: 20260601T110000Z is now earlier than 20260601T115500Z";
  const std::string early =
      "Signature not yet current: 20260601T130000Z is still later than 20260601T120500Z";
  CHECK(adapter->corrected_time(skewed("InvalidSignatureException", old, -1h)) == ses_noon);
  CHECK(adapter->corrected_time(skewed("SignatureDoesNotMatch", early, 1h)) == ses_noon);
  CHECK(adapter->corrected_time(skewed("RequestExpired", "", 1h)) == ses_noon);
  CHECK(adapter->corrected_time(skewed("RequestTimeTooSkewed", "", -16min)) == ses_noon);
  CHECK(read(skewed("InvalidSignatureException", old, -1h)).kind == submission_kind::retryable);
  const auto again =
      adapter->build(tests::ses_order(), *adapter->corrected_time(skewed("RequestExpired", "", 1h)), {});
  REQUIRE(again);
  CHECK(std::ranges::find(again->headers, "X-Amz-Date: 20260601T120000Z") != again->headers.end());
}

TEST_CASE(
    "nothing is corrected where the clock is right, the date is unreadable or another thing was wrong") {
  const auto adapter = tests::ses_adapter();
  auto answer = answered(403, "RequestExpired");
  answer.ended_at = ses_noon + 59s;
  CHECK_FALSE(adapter->corrected_time(answer));
  answer.ended_at = ses_noon + 1h;
  CHECK(adapter->corrected_time(answer));
  answer.headers[1].second = "yesterday";
  CHECK_FALSE(adapter->corrected_time(answer));
  auto wrong_key =
      answered(403, "SignatureDoesNotMatch", message("The request signature we calculated differs"));
  wrong_key.ended_at = ses_noon + 1h;
  CHECK_FALSE(adapter->corrected_time(wrong_key));
  auto taken = answered(200, "RequestExpired", R"({"MessageId":"a"})");
  taken.ended_at = ses_noon + 1h;
  CHECK_FALSE(adapter->corrected_time(taken));
  auto hung = answered(403, "RequestExpired");
  hung.error = core::call_error::timed_out;
  hung.ended_at = ses_noon + 1h;
  CHECK_FALSE(adapter->corrected_time(hung));
}

TEST_CASE("an HTTP date is read in its three forms and nothing else is") {
  const auto read_date = [](const std::string& text) { return providers::parse_http_date(text, ses_noon); };
  CHECK(read_date("Mon, 01 Jun 2026 12:00:00 GMT") == ses_noon);
  CHECK(read_date("Monday, 01-Jun-26 12:00:00 GMT") == ses_noon);
  CHECK(read_date("Mon Jun  1 12:00:00 2026") == ses_noon);
  for (const std::string text : {"", "Mon, 01 Jun 2026 12:00:00", "Mon, 31 Jun 2026 12:00:00 GMT", "120"})
    CHECK_FALSE(read_date(text));
}
