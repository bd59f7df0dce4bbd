#include "twilio_fixture.hpp"

using namespace sluice;
using namespace sluice::twilio_testing;
using namespace std::chrono_literals;
using enum core::submission_kind;
using cause = core::rejection_cause;

namespace {

core::submission read(const core::http_answer& answer) {
  const auto made = twilio()->read(sms(), answer, now);
  CHECK((made.kind == accepted) == made.error.empty());
  CHECK((made.kind == accepted) == made.error_class.empty());
  CHECK((made.kind == rejected) == made.cause.has_value());
  CHECK((!made.retires || made.cause == cause::recipient));
  CHECK(made.error.size() <= core::submission_error_bytes_max);
  CHECK(made.error.find(recipient) == std::string::npos);
  return made;
}

/// An error as Twilio words it, with the number it quotes.
core::submission refused(int status, int code, const std::string& retry_after = "") {
  const nlohmann::json body{{"code", code},
                            {"message", "The 'To' number " + recipient + " is not a valid phone number."},
                            {"more_info", "https://www.twilio.com/docs/errors/" + std::to_string(code)},
                            {"status", status}};
  return read(answered(status, body.dump(), retry_after));
}

} // namespace

TEST_CASE("a created message is accepted under its id, whatever its status says of delivery") {
  for (const char* status : {"queued", "accepted", "scheduled", "failed"}) {
    const auto made = read(
        answered(201, nlohmann::json{{"sid", message_sid}, {"status", status}, {"to", recipient}}.dump()));
    CHECK(made.kind == accepted);
    CHECK(made.provider_message_id == message_sid);
  }
}

TEST_CASE("a success whose id cannot be read is ambiguous") {
  for (const char* body : {"", "<html>", "{}", R"({"sid": 7})", R"({"sid": "../x"})", R"({"sid": "CA1"})"})
    CHECK(read(answered(201, body)).kind == ambiguous);
  CHECK(read(failed(core::call_error::answer_too_large, 201)).kind == ambiguous);
}

TEST_CASE("each documented error of the Messages API is what it means") {
  struct row {
    int status;
    int code;
    core::submission_kind kind;
    std::optional<cause> whose;
  };
  const std::vector<row> rows{
      {401, 20003, rejected, cause::provider},
      {403, 20005, rejected, cause::provider},
      {403, 20006, rejected, cause::provider},
      {403, 20008, rejected, cause::provider},
      {404, 20404, rejected, cause::provider},
      {429, 20429, retryable, {}},
      {400, 21211, rejected, cause::recipient},
      {400, 21212, rejected, cause::provider},
      {400, 21265, rejected, cause::recipient},
      {403, 21408, rejected, cause::provider},
      {400, 21602, rejected, cause::message},
      {400, 21603, rejected, cause::provider},
      {400, 21604, rejected, cause::recipient},
      {400, 21606, rejected, cause::provider},
      {400, 21608, rejected, cause::provider},
      {400, 21609, rejected, cause::provider},
      {400, 21610, rejected, cause::recipient},
      {429, 21611, retryable, {}},
      {400, 21611, retryable, {}},
      {400, 21612, rejected, cause::provider},
      {400, 21614, rejected, cause::recipient},
      {400, 21617, rejected, cause::message},
      {400, 21618, rejected, cause::message},
      {400, 21619, rejected, cause::message},
      {400, 21659, rejected, cause::provider},
      {400, 21660, rejected, cause::provider},
      {400, 21703, rejected, cause::provider},
      {400, 21705, rejected, cause::provider},
      {503, 21730, retryable, {}},
      {400, 30002, rejected, cause::provider},
      {400, 30003, rejected, cause::recipient},
      {400, 30005, rejected, cause::recipient},
      {400, 30006, rejected, cause::recipient},
      {400, 30007, rejected, cause::message},
      {400, 30001, retryable, {}},
      {400, 30022, retryable, {}},
  };
  for (const auto& row : rows) {
    CAPTURE(row.status, row.code);
    const auto made = refused(row.status, row.code);
    CHECK(made.kind == row.kind);
    CHECK(made.cause == row.whose);
    CHECK(made.error_class == "twilio_" + std::to_string(row.code));
    CHECK(made.error.starts_with("Twilio error " + std::to_string(row.code) + ": "));
    CHECK(made.retires.has_value() == (row.code == 21610));
  }
  CHECK(refused(400, 21610).retires == core::suppression_reason::unsubscribed);
}

TEST_CASE("an error that is not known counts by its status") {
  struct row {
    int status;
    core::submission_kind kind;
    std::optional<cause> whose;
  };
  const std::vector<row> rows{
      {302, rejected, cause::provider},
      {400, rejected, cause::provider},
      {401, rejected, cause::provider},
      {404, rejected, cause::provider},
      {408, ambiguous, {}},
      {413, rejected, cause::provider},
      {429, retryable, {}},
      {500, ambiguous, {}},
      {502, ambiguous, {}},
      {503, retryable, {}},
      {504, ambiguous, {}},
      {599, ambiguous, {}},
  };
  for (const auto& row : rows) {
    CAPTURE(row.status);
    for (const auto& made : {refused(row.status, 29999), read(answered(row.status, "<html>" + recipient)),
                             read(failed(core::call_error::answer_too_large, row.status))}) {
      CHECK(made.kind == row.kind);
      CHECK(made.cause == row.whose);
      CHECK_FALSE(made.retires);
    }
  }
  CHECK(refused(500, 20500).kind == ambiguous); // "a customer may receive it twice"
  CHECK(read(answered(400)).error_class == "http_400");
}

TEST_CASE("Retry-After is the wait of what may be tried again") {
  CHECK(refused(429, 20429, "30").wait == core::duration{30s});
  CHECK(refused(503, 29999, "2").wait == core::duration{2s});
  CHECK_FALSE(refused(429, 20429).wait);
  CHECK_FALSE(refused(400, 21211, "30").wait);
}

TEST_CASE("a call that brought no answer is retryable only where nothing arrived") {
  using enum core::call_error;
  CHECK(read(failed(not_connected)).kind == retryable);
  CHECK(read(failed(address_refused)).kind == retryable);
  CHECK(read(failed(unattempted)).kind == retryable);
  CHECK(read(failed(timed_out)).kind == ambiguous);
  CHECK(read(failed(cut)).kind == ambiguous);
  CHECK(read(failed(timed_out, 201)).kind == ambiguous);
  CHECK(read(failed(answer_too_large)).kind == ambiguous);
  CHECK(read(failed(none)).kind == ambiguous);
}
