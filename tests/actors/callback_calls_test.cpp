#include "tests/actors/callback_world.hpp"

#include <catch2/catch.hpp>

using namespace sluice;
using namespace sluice::tests;
using namespace std::chrono_literals;
namespace m = messages;
using enum core::callback_outcome;

namespace {

constexpr auto certificate_at = "https://sns.eu-west-1.amazonaws.com/one.pem";
constexpr auto confirm_at = "https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription";

} // namespace

TEST_CASE("many callbacks wait for one fetch of a certificate, which is kept") {
  callback_world w;
  w.script->certificate_url = certificate_at;
  auto first = w.post("ok e-1 sent");
  auto second = w.post("ok e-2 sent");
  CHECK_FALSE(first.answered());
  CHECK(w.called() == std::vector<std::string>{certificate_at});
  const auto call = w.courier.got<m::place_calls>().front().calls.front();
  CHECK(call.request.method == "GET");
  CHECK(call.owner == core::call_owner::callbacks());

  w.answer(200, "the certificate");
  CHECK(is(first, recorded));
  CHECK(is(second, recorded));
  CHECK(is(w.post("ok e-3 sent"), recorded));
  CHECK(w.called().size() == 1);
}

TEST_CASE("a certificate's time ends, and it is fetched again") {
  callback_world w{[](auto& settings) { settings.certificate_time = 1min; }};
  w.script->certificate_url = certificate_at;
  w.post("ok e-1 sent");
  w.answer(200, "the certificate");
  w.advance(w.settings().callbacks.certificate_time);
  auto again = w.post("ok e-2 sent");
  CHECK(w.called().size() == 2);
  w.answer(200, "the certificate");
  CHECK(is(again, recorded));
}

TEST_CASE("a certificate that does not exist is a refused signature, one that cannot be fetched a 503") {
  callback_world w;
  w.script->certificate_url = certificate_at;
  auto missing = w.post("ok e-1 sent");
  w.answer(404);
  CHECK(is(missing, refused));
  CHECK(w.written->refused.size() == 1);
  CHECK(is(w.post("ok e-1 sent"), refused));
  CHECK(w.called().size() == 1);

  w.advance(w.settings().callbacks.certificate_retry);
  auto unreachable = w.post("ok e-1 sent");
  CHECK(w.called().size() == 2);
  w.answer(0, {}, core::call_error::not_connected);
  CHECK(is(unreachable, unrecorded));
  CHECK(is(w.post("ok e-1 sent"), unrecorded));
  CHECK(w.called().size() == 2);
  CHECK(w.written->reports.empty());
}

TEST_CASE("a redirect, an empty answer and a page of another size are no certificate") {
  const auto [status, body] = GENERATE(table<int, std::string>(
      {{302, "the certificate"}, {200, ""}, {200, std::string((64U << 10) + 1, 'x')}, {500, "x"}}));
  callback_world w;
  w.script->certificate_url = certificate_at;
  auto told = w.post("ok e-1 sent");
  w.answer(status, body);
  CHECK(is(told, unrecorded));
}

TEST_CASE("a certificate that never comes is a 503 in time, and what it comes for later harms nothing") {
  callback_world w;
  w.script->certificate_url = certificate_at;
  auto told = w.post("ok e-1 sent");
  w.advance(w.settings().callbacks.answer_timeout);
  CHECK(is(told, late));
  w.answer(200, "the certificate");
  CHECK(w.written->batches.empty());
  CHECK(is(w.post("ok e-1 sent"), recorded));
  CHECK(w.called().size() == 1);
}

TEST_CASE("whoever names certificates without end has few fetched at once") {
  callback_world w;
  std::vector<harness::asked<m::callback_taken>> forged;
  for (int i = 0; i < 20; ++i) {
    w.script->certificate_url = certificate_at + std::to_string(i);
    forged.push_back(w.post("forged"));
  }
  CHECK(w.called().size() == 8);
  CHECK(is(forged.back(), crowded));
  CHECK_FALSE(forged.front().answered());
}

TEST_CASE("a subscription is confirmed by a genuine callback alone, once it is recorded") {
  callback_world w;
  w.script->confirm_url = confirm_at;
  CHECK(is(w.post("forged"), refused));
  CHECK(w.called().empty());
  w.written->stalls = true;
  auto told = w.post("empty");
  CHECK(w.called().empty());
  w.let_go(core::reports_appended{{{1}}, 0, 0});
  CHECK(is(told, recorded));
  CHECK(w.called() == std::vector<std::string>{confirm_at});
}

TEST_CASE(
    "a confirmation that is asked for again while it is out is made once, and its failure harms nobody") {
  callback_world w;
  w.script->confirm_url = confirm_at;
  CHECK(is(w.post("empty"), recorded));
  CHECK(is(w.post("empty"), recorded));
  CHECK(w.called().size() == 1);
  w.answer(500);
  CHECK(is(w.post("empty"), recorded));
  CHECK(w.called().size() == 2);
  w.answer(200);
  CHECK(w.written->reports.size() == 3);
}
