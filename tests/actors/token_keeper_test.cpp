#include "actors/token_keeper.hpp"
#include "harness/mocks.hpp"
#include "tests/harness/adapter/catch_world.hpp"

#include <catch2/catch.hpp>

using namespace sluice;
using namespace std::chrono_literals;
namespace m = messages;

namespace {

constexpr core::connection_id crm_id{2};
constexpr core::rule_id customers{1};

struct keeper_world : tests::catch_world {
  keeper_world()
      : catch_world({.node = false}), recorder(mock<m::recorder>("recorder")),
        throttle(mock<m::throttle>("throttle")), courier(mock<m::courier>("courier")) {
    recorder.on<m::load_rule>([this](const m::load_rule&) { return loaded(); });
    throttle.on<m::request_budget>([this](const m::request_budget&) { return budget; });
    throttle.accept<m::calls_ended>();
    throttle.accept<m::budget_returned>();
    throttle.accept<m::connection_rate_limited>();
    courier.accept<m::place_calls>();
    courier.accept<m::hold_back_calls>();
    auto links = std::make_shared<actors::node_links>();
    links->recorder = recorder;
    links->courier = courier;
    links->time = &clock();
    links->settings = &settings();
    keeper =
        spawn("token_keeper", actors::token_keeper, actors::token_keeper_resources{crm_id, links, throttle});
  }

  [[nodiscard]] m::rule_loaded loaded() const {
    m::rule_loaded made;
    made.rule.domain = "customers";
    made.target.id = crm_id;
    made.target.driver = "rest";
    made.target.settings = crm.settings_text();
    made.target.credentials = crm.credentials_text();
    return made;
  }

  harness::asked<m::token_told> token(std::string refused = {}) {
    auto asked = ask<m::token_told>(keeper, m::ask_token{customers, std::move(refused)});
    settle();
    return asked;
  }

  void answer(int status, std::string body = {}, core::call_error error = core::call_error::none) {
    core::call_answer answer;
    answer.id = courier.got<m::place_calls>().back().calls.front().id;
    answer.answer.status = status;
    answer.answer.body = std::move(body);
    answer.answer.error = error;
    answer.answer.ended_at = now();
    inject(m::calls_answered{{answer}}).from(courier).to(keeper);
    settle();
  }

  void answer_with_token(const std::string& token) {
    answer(200, R"({"access_token":")" + token + R"(","token_type":"Bearer","expires_in":3600})");
  }

  [[nodiscard]] std::size_t fetches() const { return courier.got<m::place_calls>().size(); }

  harness::scripted_target crm{"crm", {.oauth2 = true}};
  m::budget_granted budget{1, {}};
  harness::mock_recorder recorder;
  harness::mock_throttle throttle;
  harness::mock_courier courier;
  m::token_keeper keeper;
};

} // namespace

TEST_CASE("many who ask for a token wait for one fetch") {
  keeper_world w;
  auto first = w.token();
  auto second = w.token();
  CHECK_FALSE(first.answered());

  w.answer_with_token("t-1");

  CHECK(first.value().token == "t-1");
  CHECK(second.value().token == "t-1");
  CHECK(w.fetches() == 1);
  CHECK(w.token().value().token == "t-1");
  CHECK(w.fetches() == 1);
}

TEST_CASE("a token call takes a slot of the connection's budget and says when it ended") {
  keeper_world w;
  w.token();
  w.answer_with_token("t-1");

  REQUIRE(w.throttle.got<m::request_budget>().size() == 1);
  CHECK(w.throttle.got<m::request_budget>().front().wanted == 1);
  CHECK(w.throttle.got<m::calls_ended>().size() == 1);
}

TEST_CASE("a token is fetched anew shortly before it expires") {
  keeper_world w;
  w.token();
  w.answer_with_token("t-1");

  w.advance(1h - 61s);
  CHECK(w.token().value().token == "t-1");
  w.advance(1s);
  auto asked = w.token();
  CHECK_FALSE(asked.answered());
  w.answer_with_token("t-2");

  CHECK(asked.value().token == "t-2");
}

TEST_CASE("a refused token is fetched anew once, however many rules met the refusal") {
  keeper_world w;
  w.token();
  w.answer_with_token("t-1");

  auto first = w.token("t-1");
  w.answer_with_token("t-2");
  auto late = w.token("t-1");

  CHECK(first.value().token == "t-2");
  CHECK(late.value().token == "t-2");
  CHECK(w.fetches() == 2);
}

TEST_CASE("refused client credentials are a fault, and the next asker tries again") {
  keeper_world w;
  auto refused = w.token();
  w.answer(401, R"({"error":"invalid_client"})");
  REQUIRE(refused.value().fault);
  CHECK(refused.value().fault->kind == core::outcome_kind::unauthorized);

  auto asked = w.token();
  w.answer_with_token("t-1");
  CHECK(asked.value().token == "t-1");
}

TEST_CASE("without budget there is no token call") {
  keeper_world w;
  w.budget = {0, w.now() + 1min};

  auto asked = w.token();

  REQUIRE(asked.value().fault);
  CHECK(asked.value().fault->kind == core::outcome_kind::rate_limited);
  CHECK(w.fetches() == 0);
}

TEST_CASE("a token endpoint that answers 429 blocks the whole connection") {
  keeper_world w;
  auto told = w.token();
  w.answer(429);
  REQUIRE(told.answered());
  REQUIRE(told.value().fault);
  CHECK(told.value().fault->kind == core::outcome_kind::rate_limited);
  CHECK(w.throttle.got<m::connection_rate_limited>().size() == 1);
  CHECK(w.courier.got<m::hold_back_calls>().size() == 1);
}

TEST_CASE("a token call that never started gives its slot back") {
  keeper_world w;
  auto asked = w.token();

  w.answer(0, {}, core::call_error::unattempted);

  CHECK(asked.value().fault);
  CHECK(w.throttle.got<m::budget_returned>().size() == 1);
  CHECK(w.throttle.got<m::calls_ended>().empty());
}
