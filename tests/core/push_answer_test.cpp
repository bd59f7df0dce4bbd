#include "core/push_answer.hpp"

#include <catch2/catch.hpp>

#include <set>

using namespace sluice::core;

namespace {

push_verdict verdict_of(int status, call_error error = call_error::none) {
  http_answer answer;
  answer.status = status;
  answer.error = error;
  answer.body = "secret words";
  return read_push_answer(answer);
}

} // namespace

TEST_CASE("any 2xx acknowledges a push, and leaves no error") {
  for (int status = 200; status < 300; ++status) {
    const auto verdict = verdict_of(status);
    CHECK(verdict.ending == attempt_ending::acknowledged);
    CHECK(verdict.error_class.empty());
    CHECK(verdict.error.empty());
  }
  CHECK(verdict_of(200, call_error::answer_too_large).ending == attempt_ending::acknowledged);
}

TEST_CASE("of the 4xx, 408, 425 and 429 may pass, 410 ends the subscription, every other one is for good") {
  const std::set<int> may_pass{408, 425, 429};
  for (int status = 400; status < 500; ++status) {
    CAPTURE(status);
    const auto expected = may_pass.contains(status) ? attempt_ending::transient
                          : status == 410           ? attempt_ending::gone
                                                    : attempt_ending::permanent;
    CHECK(verdict_of(status).ending == expected);
    CHECK(verdict_of(status, call_error::answer_too_large).ending == expected);
    CHECK(verdict_of(status).error_class == "http_" + std::to_string(status));
  }
}

TEST_CASE("a 5xx, and a status that means nothing, may pass") {
  for (const int status : {500, 501, 502, 503, 504, 520, 599, 600, 999, 100, 101, 199, -1}) {
    CAPTURE(status);
    CHECK(verdict_of(status).ending == attempt_ending::transient);
  }
}

TEST_CASE("a redirect is a failure that may pass, and says that it is never followed") {
  for (int status = 300; status < 400; ++status)
    CHECK(verdict_of(status).ending == attempt_ending::transient);
  CHECK(verdict_of(301).error == "the subscriber answered 301, a redirect, which is never followed");
}

TEST_CASE("a call that brought no whole answer may pass, whatever status had arrived") {
  for (const auto error :
       {call_error::not_connected, call_error::address_refused, call_error::timed_out, call_error::cut}) {
    CAPTURE(to_string(error));
    for (const int status : {0, 200, 410, 404}) {
      CHECK(verdict_of(status, error).ending == attempt_ending::transient);
      CHECK(verdict_of(status, error).error_class == to_string(error));
    }
  }
  CHECK(verdict_of(0).error_class == "cut");
  CHECK(verdict_of(0, call_error::answer_too_large).error_class == "cut");
}

TEST_CASE("an error of a push says what happened and quotes nothing of the answer") {
  http_answer answer;
  answer.error = call_error::not_connected;
  answer.detail = "connection refused";
  CHECK(read_push_answer(answer).error
        == "no connection to the subscriber could be made (connection refused)");
  CHECK(verdict_of(500).error == "the subscriber answered 500");
}
