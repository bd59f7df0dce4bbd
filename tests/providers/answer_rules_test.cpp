#include "rest_fixture.hpp"

using namespace sluice;
using namespace sluice::providers::testing;
using core::call_error;
using core::operation;
using core::outcome_kind;

namespace {

/// A create by POST (not repeatable), one by PUT (repeatable), with and without a lookup.
std::string create_settings(std::string_view method, bool lookup, std::string_view answers = "{}") {
  return R"({"base_url": "https://crm.example.com", "auth": {"type": "bearer"}, "operations": {
      "create": {"path": "/a/{source_id}", "method": ")"
         + std::string{method}
         + R"("}, "update": {"path": "/a/{remote_id}"}, "delete": {"path": "/a/{remote_id}"})"
         + (lookup ? R"(, "lookup": {"path": "/a?x={source_id}", "matches": "/items"})" : "")
         + R"(}, "answers": )" + std::string{answers} + "}";
}

} // namespace

TEST_CASE("a status means what the defaults say, operation by operation") {
  const auto post = writer_of(create_settings("POST", true));
  const auto put = writer_of(create_settings("PUT", false));
  struct row {
    int status;
    outcome_kind post; ///< create, not repeatable, with a lookup
    outcome_kind put;  ///< create, repeatable, without a lookup
    outcome_kind update;
  };
  using enum outcome_kind;
  const std::vector<row> rows{
      {200, accepted, accepted, accepted},    {201, accepted, accepted, accepted},
      {204, ambiguous, transient, accepted},  {301, rejected, rejected, rejected},
      {304, rejected, rejected, rejected},    {307, rejected, rejected, rejected},
      {400, rejected, rejected, rejected},    {401, unauthorized, unauthorized, unauthorized},
      {403, rejected, rejected, rejected},    {404, rejected, rejected, gone},
      {408, transient, transient, transient}, {409, exists, rejected, rejected},
      {410, rejected, rejected, gone},        {422, rejected, rejected, rejected},
      {425, transient, transient, transient}, {429, rate_limited, rate_limited, rate_limited},
      {451, rejected, rejected, rejected},    {500, ambiguous, transient, transient},
      {501, transient, transient, transient}, {502, ambiguous, transient, transient},
      {503, transient, transient, transient}, {504, ambiguous, transient, transient},
      {520, ambiguous, transient, transient}, {524, ambiguous, transient, transient},
      {599, transient, transient, transient}, {100, ambiguous, transient, transient},
      {999, ambiguous, transient, transient},
  };
  for (const auto& row : rows) {
    CAPTURE(row.status);
    const auto answer = answer_of(row.status, row.status == 204 ? "" : R"({"id": "9"})");
    CHECK(post->read(order_of(operation::create), answer).kind == row.post);
    CHECK(put->read(order_of(operation::create), answer).kind == row.put);
    CHECK(post->read(order_of(operation::update), answer).kind == row.update);
    CHECK(post->read(order_of(operation::remove), answer).kind == row.update);
  }
}

TEST_CASE("a call without a whole answer is ambiguous only for a create that may have arrived") {
  const auto post = writer_of(create_settings("POST", true));
  const auto put = writer_of(create_settings("PUT", false));
  struct row {
    call_error error;
    outcome_kind post;
    outcome_kind put;
    std::string error_class;
  };
  using enum outcome_kind;
  const std::vector<row> rows{
      {call_error::not_connected, transient, transient, "not_connected"},
      {call_error::address_refused, transient, transient, "address_refused"},
      {call_error::unattempted, unattempted, unattempted, "unattempted"},
      {call_error::timed_out, ambiguous, transient, "timed_out"},
      {call_error::cut, ambiguous, transient, "cut"},
      {call_error::none, ambiguous, transient, "cut"}, // no status line
      {call_error::answer_too_large, ambiguous, transient, "answer_too_large"},
  };
  for (const auto& row : rows) {
    CAPTURE(core::to_string(row.error));
    const auto answer = failed_call(row.error);
    const auto created = post->read(order_of(operation::create), answer);
    CHECK(created.kind == row.post);
    CHECK(created.error_class == row.error_class);
    CHECK_FALSE(created.error.empty());
    CHECK(put->read(order_of(operation::create), answer).kind == row.put);
    CHECK(post->read(order_of(operation::update), answer).kind
          == (row.error == call_error::unattempted ? unattempted : transient));
  }
}

TEST_CASE("an answer cut at the limit counts by its status, and a create's id must be readable") {
  const auto writer = writer_of(create_settings("POST", true));
  auto answer = failed_call(call_error::answer_too_large, 201);
  answer.body = R"({"id": "9", "rest": ")";
  const auto created = writer->read(order_of(operation::create), answer);
  CHECK(created.kind == outcome_kind::ambiguous);
  CHECK(created.error_class == "answer_too_large");
  CHECK(writer->read(order_of(operation::update), answer).kind == outcome_kind::accepted);
  CHECK(writer->read(order_of(operation::lookup), answer).kind == outcome_kind::rejected);
  answer.status = 422;
  CHECK(writer->read(order_of(operation::create), answer).kind == outcome_kind::rejected);
}

TEST_CASE("the settings' patterns win over the defaults, the operation's over the connection's") {
  const auto writer = writer_of(R"({"base_url": "https://crm.example.com", "auth": {"type": "bearer"},
    "answers": {
      "account": [403], "transient": [423, "3xx"], "rejected": [429],
      "exists": [{"status": [400, 422], "body": {"/code": ["duplicate", 17], "/field": "email"}}],
      "gone": [{"status": ["4xx"], "body": {"/code": "deleted"}}]},
    "operations": {
      "create": {"path": "/a", "answers": {"transient": [403]}},
      "update": {"path": "/a/{remote_id}"},
      "lookup": {"path": "/a?x={source_id}"}}})");
  struct row {
    operation op;
    int status;
    std::string body;
    outcome_kind kind;
  };
  using enum outcome_kind;
  const std::vector<row> rows{
      {operation::update, 403, "", unauthorized},
      {operation::create, 403, "", transient},
      {operation::update, 423, "", transient},
      {operation::update, 302, "", transient},
      {operation::update, 429, "", rejected},
      {operation::create, 400, R"({"code": "duplicate", "field": "email"})", exists},
      {operation::create, 422, R"({"code": 17, "field": "email"})", exists},
      {operation::create, 400, R"({"code": "duplicate", "field": "phone"})", rejected},
      {operation::create, 400, R"({"code": "duplicate"})", rejected},
      {operation::create, 400, "duplicate", rejected},
      {operation::update, 418, R"({"code": "deleted"})", gone},
      {operation::update, 400, std::string(1'000'000, '['), rejected},
      {operation::create, 500, "", ambiguous},
  };
  for (const auto& row : rows) {
    CAPTURE(row.status, row.body.substr(0, 60));
    CHECK(writer->read(order_of(row.op), answer_of(row.status, row.body)).kind == row.kind);
  }
}

TEST_CASE("a target may declare which statuses leave a create unknown") {
  const auto none = writer_of(create_settings("POST", false, R"({"unknown": []})"));
  CHECK(none->read(order_of(operation::create), answer_of(500)).kind == outcome_kind::transient);
  CHECK(none->read(order_of(operation::create), answer_of(504)).kind == outcome_kind::transient);
  const auto other = writer_of(create_settings("POST", false, R"({"unknown": [503], "rejected": [500]})"));
  CHECK(other->read(order_of(operation::create), answer_of(503)).kind == outcome_kind::ambiguous);
  CHECK(other->read(order_of(operation::create), answer_of(500)).kind == outcome_kind::rejected);
  CHECK(other->read(order_of(operation::update), answer_of(503)).kind == outcome_kind::transient);
}

TEST_CASE("a rate limit carries the wait it names") {
  const auto writer = writer_of();
  auto answer = answer_of(429);
  CHECK_FALSE(writer->read(order_of(operation::update), answer).wait);
  answer.retry_after = "120";
  CHECK(writer->read(order_of(operation::update), answer).wait == std::chrono::seconds{120});
  answer.retry_after = "whenever";
  CHECK_FALSE(writer->read(order_of(operation::update), answer).wait);
}

TEST_CASE("a redirect is refused and names where it pointed without what may carry credentials") {
  const auto writer = writer_of();
  auto answer = answer_of(308);
  answer.location = "https://me:pw@other.example.com/v2?api_key=s3cret#x";
  const auto outcome = writer->read(order_of(operation::create), answer);
  CHECK(outcome.kind == outcome_kind::rejected);
  CHECK(outcome.error_class == "http_308");
  CHECK(outcome.error
        == "the target answered 308, a redirect to https://other.example.com/v2, which is never followed");
}

TEST_CASE("an error quotes the target briefly, without control characters and without secrets") {
  const auto writer = writer_of();
  const auto error_of = [&writer](std::string body, int status = 422) {
    return writer->read(order_of(operation::update), answer_of(status, std::move(body))).error;
  };
  CHECK(error_of("e-mail is taken") == "the target answered 422: e-mail is taken");
  CHECK(error_of("a\r\n\tb\x1b[31mc\x7f") == "the target answered 422: a b [31mc");
  CHECK(error_of("bad \xff\xc3 text") == "the target answered 422: bad ?? text");
  CHECK(error_of("token s3cret-token is odd") == "the target answered 422: token *** is odd");
  CHECK(error_of("Bearer s3cret-token", 401) == "the target answered 401");
  CHECK(error_of("") == "the target answered 422");
  const auto cut = error_of(std::string(199, 'x') + "é" + std::string(5000, 'y'));
  CHECK(cut == "the target answered 422: " + std::string(199, 'x') + "…");
  // A secret that straddles the cut is masked before it.
  CHECK(error_of(std::string(195, 'x') + "s3cret-token").find("s3c") == std::string::npos);
}
