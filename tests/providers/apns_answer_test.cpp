#include "providers/apns_answer.hpp"
#include "push_fixture.hpp"

using namespace sluice;
using namespace sluice::providers;
using namespace sluice::providers::testing;
using core::rejection_cause;
using core::submission_kind;

namespace {

const std::string attempt = "0190b5c0-7e1a-7c3d-9f00-123456789abc";

core::submission read(const core::http_answer& answer) {
  auto made = read_apns_answer(attempt, answer, push_now);
  check_invariants(made);
  return made;
}

std::string reason_json(std::string_view reason, std::string_view more = "") {
  return R"({"reason": ")" + std::string{reason} + '"' + std::string{more} + '}';
}

} // namespace

TEST_CASE("200 is accepted with the id the notification was sent with") {
  auto answer = answered(200);
  CHECK(read(answer).kind == submission_kind::accepted);
  CHECK(read(answer).provider_message_id == attempt);
  answer.headers = {{"apns-id", "eabeae54-14a8-11e5-b60b-1697f925ec7b"}};
  CHECK(read(answer).provider_message_id == "eabeae54-14a8-11e5-b60b-1697f925ec7b");
  answer.headers = {{"apns-id", std::string(65, 'e')}};
  CHECK(read(answer).provider_message_id == attempt);
  answer.headers = {{"apns-id", "a\nb"}};
  CHECK(read(answer).provider_message_id == attempt);
}

TEST_CASE("every reason Apple documents says whose fault it is, and two of them alone retire the token") {
  struct row {
    int status;
    std::string_view reason;
    std::optional<rejection_cause> cause; // nothing: retryable
    bool retires = false;
  };
  using enum rejection_cause;
  const std::vector<row> rows{
      {400, "BadCollapseId", message},
      {400, "BadDeviceToken", recipient},
      {400, "BadExpirationDate", message},
      {400, "BadMessageId", message},
      {400, "BadPriority", message},
      {400, "BadTopic", provider},
      {400, "DeviceTokenNotForTopic", provider},
      {400, "DuplicateHeaders", message},
      {400, "IdleTimeout", std::nullopt},
      {400, "InvalidPushType", message},
      {400, "MissingDeviceToken", recipient},
      {400, "MissingTopic", provider},
      {400, "PayloadEmpty", message},
      {400, "TopicDisallowed", provider},
      {403, "BadCertificate", provider},
      {403, "BadCertificateEnvironment", provider},
      {403, "ExpiredProviderToken", std::nullopt},
      {403, "Forbidden", provider},
      {403, "InvalidProviderToken", provider},
      {403, "MissingProviderToken", provider},
      {403, "UnrelatedKeyIdInToken", provider},
      {403, "BadEnvironmentKeyIdInToken", provider},
      {404, "BadPath", provider},
      {405, "MethodNotAllowed", provider},
      {410, "ExpiredToken", recipient, true},
      {410, "Unregistered", recipient, true},
      {413, "PayloadTooLarge", message},
      {429, "TooManyProviderTokenUpdates", std::nullopt},
      {429, "TooManyRequests", std::nullopt},
      {500, "InternalServerError", std::nullopt},
      {503, "ServiceUnavailable", std::nullopt},
      {503, "Shutdown", std::nullopt},
  };
  for (const auto& row : rows) {
    CAPTURE(row.status, row.reason);
    const auto made = read(answered(row.status, reason_json(row.reason)));
    CHECK(made.kind == (row.cause ? submission_kind::rejected : submission_kind::retryable));
    CHECK(made.cause == row.cause);
    CHECK(made.retires.has_value() == row.retires);
    CHECK(made.error_class == row.reason);
    CHECK_FALSE(made.retired_at);
  }
}

TEST_CASE("410 says since when the token is dead") {
  const auto made = read(answered(410, reason_json("Unregistered", R"(, "timestamp": 1699999999123)")));
  CHECK(made.retires == core::suppression_reason::retired_token);
  CHECK(made.retired_at == core::timestamp{std::chrono::milliseconds{1'699'999'999'123}});
  for (const auto* unreadable : {"-1", "1e3", "\"1699999999123\"", "1.5", "null", "253402300800000",
                                 "99999999999999999999999999", "[1]", "true"}) {
    CAPTURE(unreadable);
    const auto dead =
        read(answered(410, reason_json("Unregistered", std::string{R"(, "timestamp": )"} + unreadable)));
    CHECK(dead.retires == core::suppression_reason::retired_token);
    CHECK_FALSE(dead.retired_at);
  }
}

TEST_CASE("a token is not retired by a status without Apple's word, nor by the word with another status") {
  for (const auto* body : {"", "<html>gone</html>", "{}", R"({"reason": "Gone"})", R"({"reason": 7})",
                           R"({"timestamp": 1699999999123})", R"(["Unregistered"])"}) {
    const auto made = read(answered(410, body));
    CHECK(made.cause == rejection_cause::recipient);
    CHECK_FALSE(made.retires);
    CHECK(made.error_class == "http_410");
  }
  const auto other = read(answered(400, reason_json("Unregistered", R"(, "timestamp": 1699999999123)")));
  CHECK(other.cause == rejection_cause::recipient);
  CHECK_FALSE(other.retires);
  CHECK_FALSE(other.retired_at);
}

TEST_CASE("an answer without a known reason is what its status says, and is not quoted") {
  struct row {
    int status;
    submission_kind kind;
    std::optional<rejection_cause> cause;
  };
  using enum submission_kind;
  const std::vector<row> rows{
      {400, rejected, rejection_cause::provider},
      {403, rejected, rejection_cause::provider},
      {413, rejected, rejection_cause::message},
      {301, rejected, rejection_cause::provider},
      {429, retryable, std::nullopt},
      {500, retryable, std::nullopt},
      {503, retryable, std::nullopt},
      {502, ambiguous, std::nullopt},
      {504, ambiguous, std::nullopt},
  };
  for (const auto& row : rows) {
    CAPTURE(row.status);
    for (const auto& body :
         {std::string{}, reason_json("canary"), std::string(100'000, '['), std::string{"\0{", 2}}) {
      const auto made = read(answered(row.status, body));
      CHECK(made.kind == row.kind);
      CHECK(made.cause == row.cause);
      CHECK_THAT(made.error, !Catch::Contains("canary"));
    }
  }
}

TEST_CASE("what APNs asks to be waited is waited, and 20 minutes where the token changed too often") {
  auto answer = answered(429, reason_json("TooManyProviderTokenUpdates"));
  CHECK(read(answer).wait == std::chrono::minutes{20});
  answer.retry_after = "60";
  CHECK(read(answer).wait == std::chrono::minutes{1});
  answer.body = reason_json("TooManyRequests");
  CHECK(read(answer).wait == std::chrono::minutes{1});
  answer.retry_after.clear();
  CHECK_FALSE(read(answer).wait);
}

TEST_CASE("an APNs call without an answer is ambiguous exactly where the notification may have arrived") {
  using enum core::call_error;
  CHECK(read(unanswered(not_connected)).kind == submission_kind::retryable);
  CHECK(read(unanswered(address_refused)).kind == submission_kind::retryable);
  CHECK(read(unanswered(unattempted)).kind == submission_kind::retryable);
  CHECK(read(unanswered(timed_out)).kind == submission_kind::ambiguous);
  CHECK(read(unanswered(cut)).kind == submission_kind::ambiguous);
  auto large = answered(200);
  large.error = answer_too_large;
  CHECK(read(large).kind == submission_kind::ambiguous);
  large.headers = {{"apns-id", attempt}};
  CHECK(read(large).kind == submission_kind::accepted);
}
