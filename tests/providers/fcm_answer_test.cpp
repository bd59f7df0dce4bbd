#include "fcm_fixture.hpp"

using namespace sluice;
using namespace sluice::fcm_testing;
using namespace std::chrono_literals;
using enum core::submission_kind;
using cause = core::rejection_cause;
using nlohmann::json;

namespace {

core::submission read(const core::http_answer& answer) {
  const auto made = fcm()->read(push(), answer, now);
  CHECK((made.kind == accepted) == made.error.empty());
  CHECK((made.kind == accepted) == made.error_class.empty());
  CHECK((made.kind == rejected) == made.cause.has_value());
  CHECK((!made.retires || made.cause == cause::recipient));
  CHECK(made.error.find(installation_id) == std::string::npos);
  return made;
}

json fcm_detail(const std::string& code) {
  return {{"@type", "type.googleapis.com/google.firebase.fcm.v1.FcmError"}, {"errorCode", code}};
}

json field_detail(const std::string& field) {
  return {
      {"@type", "type.googleapis.com/google.rpc.BadRequest"},
      {"fieldViolations", json::array({{{"field", field}, {"description", "Invalid " + installation_id}}})}};
}

core::http_answer refusal(int status, const std::string& word, const std::vector<json>& details = {},
                          const std::string& retry_after = "") {
  const json body{
      {"error",
       {{"code", status}, {"message", "about " + installation_id}, {"status", word}, {"details", details}}}};
  return answered(status, body.dump(), retry_after);
}

} // namespace

TEST_CASE("a message FCM took is accepted under its name") {
  const auto made =
      read(answered(200, R"({"name": "projects/my-app-1/messages/0:1500415314455276%31bd1c96"})"));
  CHECK(made.kind == accepted);
  CHECK(made.provider_message_id == "projects/my-app-1/messages/0:1500415314455276%31bd1c96");
}

TEST_CASE("a success whose name cannot be read is ambiguous") {
  for (const char* body :
       {"", "{}", "<html>", R"({"name": 7})", R"({"name": "x"})", R"({"name": "projects/a b"})"})
    CHECK(read(answered(200, body)).kind == ambiguous);
  CHECK(read(failed(core::call_error::answer_too_large, 200)).kind == ambiguous);
}

TEST_CASE("UNREGISTERED, and nothing else, retires the address") {
  const auto made = read(refusal(404, "NOT_FOUND", {fcm_detail("UNREGISTERED")}));
  CHECK(made.kind == rejected);
  CHECK(made.cause == cause::recipient);
  CHECK(made.retires == core::suppression_reason::retired_token);
  CHECK(made.error_class == "UNREGISTERED");

  json other_type = fcm_detail("UNREGISTERED");
  other_type["@type"] = "type.googleapis.com/google.rpc.ErrorInfo";
  for (const auto& answer :
       {refusal(404, "NOT_FOUND"), refusal(404, "UNREGISTERED"), refusal(404, "NOT_FOUND", {other_type}),
        refusal(404, "NOT_FOUND", {fcm_detail("unregistered")}), answered(404), answered(404, "UNREGISTERED"),
        answered(410), refusal(400, "INVALID_ARGUMENT", {fcm_detail("INVALID_ARGUMENT")}),
        refusal(403, "PERMISSION_DENIED", {fcm_detail("SENDER_ID_MISMATCH")})})
    CHECK_FALSE(read(answer).retires);
  CHECK(read(refusal(404, "NOT_FOUND")).cause == cause::provider);
}

TEST_CASE("each documented error code is what it means") {
  struct row {
    int status;
    std::string status_word;
    std::string code;
    core::submission_kind kind;
    std::optional<cause> whose;
    std::optional<core::duration> wait;
  };
  const std::vector<row> rows{
      {400, "INVALID_ARGUMENT", "INVALID_ARGUMENT", rejected, cause::message, {}},
      {403, "PERMISSION_DENIED", "SENDER_ID_MISMATCH", rejected, cause::provider, {}},
      {401, "UNAUTHENTICATED", "THIRD_PARTY_AUTH_ERROR", rejected, cause::provider, {}},
      {429, "RESOURCE_EXHAUSTED", "QUOTA_EXCEEDED", retryable, {}, core::duration{60s}},
      {503, "UNAVAILABLE", "UNAVAILABLE", retryable, {}, {}},
      {500, "INTERNAL", "INTERNAL", retryable, {}, {}},
      {500, "INTERNAL", "UNSPECIFIED_ERROR", ambiguous, {}, {}},
      {400, "INVALID_ARGUMENT", "UNSPECIFIED_ERROR", rejected, cause::provider, {}},
  };
  for (const auto& row : rows) {
    CAPTURE(row.status, row.code);
    const auto made = read(refusal(row.status, row.status_word, {fcm_detail(row.code)}));
    CHECK(made.kind == row.kind);
    CHECK(made.cause == row.whose);
    CHECK(made.wait == row.wait);
    CHECK(made.error_class == row.code);
  }
}

TEST_CASE("an argument that is the address is the recipient's fault, any other the message's") {
  const auto of = [](const std::vector<json>& details) {
    return read(refusal(400, "INVALID_ARGUMENT", details)).cause;
  };
  const auto code = fcm_detail("INVALID_ARGUMENT");
  CHECK(of({code, field_detail("message.token")}) == cause::recipient);
  CHECK(of({field_detail("message.fid")}) == cause::recipient);
  CHECK(of({field_detail("message.data[0].value")}) == cause::message);
  CHECK(of({code}) == cause::message);
  CHECK(of({}) == cause::message);
}

TEST_CASE("Retry-After is the wait, and a minute where a quota was exceeded without it") {
  CHECK(read(refusal(429, "RESOURCE_EXHAUSTED", {fcm_detail("QUOTA_EXCEEDED")}, "7")).wait
        == core::duration{7s});
  CHECK(read(refusal(503, "UNAVAILABLE", {fcm_detail("UNAVAILABLE")}, "9")).wait == core::duration{9s});
  CHECK(read(answered(429)).wait == core::duration{60s});
}

TEST_CASE("an answer without an error code counts by its status") {
  struct row {
    int status;
    core::submission_kind kind;
    std::optional<cause> whose;
  };
  const std::vector<row> rows{
      {302, rejected, cause::provider},
      {400, rejected, cause::provider},
      {401, retryable, {}},
      {403, rejected, cause::provider},
      {404, rejected, cause::provider},
      {408, ambiguous, {}},
      {429, retryable, {}},
      {500, ambiguous, {}},
      {502, ambiguous, {}},
      {503, retryable, {}},
      {504, ambiguous, {}},
  };
  for (const auto& row : rows) {
    CAPTURE(row.status);
    for (const char* body :
         {"", "<html>", R"({"error": "x"})", R"({"error": {"details": [7, {"@type": 1}]}})"}) {
      const auto made = read(answered(row.status, body));
      CHECK(made.kind == row.kind);
      CHECK(made.cause == row.whose);
      CHECK_FALSE(made.retires);
    }
  }
}

TEST_CASE("an error code that may be somebody's address is not quoted") {
  for (const auto& word : {"no such device: " + installation_id, std::string{"ada@example.com"}}) {
    CHECK(read(refusal(400, word)).error_class == "http_400");
    CHECK(read(refusal(400, "INVALID_ARGUMENT", {fcm_detail(word)})).error_class == "INVALID_ARGUMENT");
  }
}

TEST_CASE("only a refused access token makes another one be got") {
  const auto adapter = fcm();
  const auto refuses = [&](const core::http_answer& answer) {
    return adapter->refuses_token(answer, "t", now);
  };
  CHECK(refuses(refusal(401, "UNAUTHENTICATED")));
  CHECK(refuses(answered(401)));
  CHECK_FALSE(refuses(refusal(401, "UNAUTHENTICATED", {fcm_detail("THIRD_PARTY_AUTH_ERROR")})));
  CHECK_FALSE(refuses(refusal(403, "PERMISSION_DENIED")));
  CHECK_FALSE(refuses(answered(200, R"({"name": "projects/p/messages/1"})")));
  CHECK_FALSE(refuses(failed(core::call_error::timed_out)));
}

TEST_CASE("a push call that brought no answer is retryable only where nothing arrived") {
  using enum core::call_error;
  CHECK(read(failed(not_connected)).kind == retryable);
  CHECK(read(failed(address_refused)).kind == retryable);
  CHECK(read(failed(unattempted)).kind == retryable);
  CHECK(read(failed(timed_out)).kind == ambiguous);
  CHECK(read(failed(cut)).kind == ambiguous);
}
