#include "actors/throttle.hpp"
#include "harness/mocks.hpp"
#include "messages/fault.hpp"
#include "tests/harness/adapter/catch_world.hpp"

#include <catch2/catch.hpp>

using namespace sluice;
using namespace std::chrono_literals;
namespace m = messages;

namespace {

constexpr core::connection_id crm{2};
constexpr core::rule_id customers{1};
constexpr core::rule_id orders{2};

struct throttle_world : tests::catch_world {
  throttle_world()
      : catch_world({.node = false}), recorder(mock<m::recorder>("recorder")),
        reader(mock<m::reader>("reader")) {
    reader.on<m::load_window>([this](const m::load_window&) { return m::window_loaded{stored}; });
    recorder.on<m::record_window>([this](const m::record_window& ask) { stored = ask.text; });
    start();
  }

  void start() {
    throttle = spawn("throttle", actors::throttle,
                     actors::throttle_resources{crm, recorder, reader, &clock(), &settings()});
    settle();
  }

  m::budget_granted budget(std::int64_t wanted, std::int64_t per_minute = 10,
                           core::rule_id rule = customers) {
    auto asked = ask<m::budget_granted>(throttle, m::request_budget{rule, wanted, per_minute});
    settle();
    return asked.value();
  }

  template <class Message>
  void tell(Message message) {
    inject(std::move(message)).from(throttle).to(throttle);
    settle();
  }

  std::optional<std::string> stored;
  harness::mock_recorder recorder;
  harness::mock_reader reader;
  m::throttle throttle;
};

} // namespace

TEST_CASE("a limit of ten a minute grants ten and no more until the calls ended a minute ago") {
  throttle_world w;

  CHECK(w.budget(7).granted == 7);
  CHECK(w.budget(7).granted == 3);
  CHECK(w.budget(1).granted == 0);

  w.tell(m::calls_ended{customers, 10, w.now()});
  auto asked = w.budget(1);
  REQUIRE(asked.granted == 0);
  REQUIRE(asked.rest_at);
  CHECK(*asked.rest_at > w.now() + 60s);

  w.advance(*asked.rest_at - w.now());
  CHECK(w.budget(20).granted == 10);
}

TEST_CASE("a grant is durable before it is told") {
  throttle_world w;

  auto asked = w.ask<m::budget_granted>(w.throttle, m::request_budget{customers, 3, 10});
  w.expect<m::request_budget>().to(w.throttle);
  CHECK_FALSE(asked.answered());
  w.expect<m::record_window>().from(w.throttle).to(w.recorder);
  w.expect<harness::done>().from(w.recorder).to(w.throttle);
  w.settle();

  CHECK(asked.value().granted == 3);
}

TEST_CASE("an unlimited connection is granted everything without a write") {
  throttle_world w;

  CHECK(w.budget(100'000, 0).granted == 100'000);

  CHECK(w.recorder.got<m::record_window>().empty());
}

TEST_CASE("grants that could not be made durable are not given") {
  throttle_world w;
  w.recorder.on<m::record_window>(
      [](const m::record_window&) { return caf::make_error(m::fault::database_unavailable, "it is gone"); });

  auto refused = w.budget(5);
  CHECK(refused.granted == 0);
  CHECK(refused.rest_at == w.now() + 1s);

  w.recorder.accept<m::record_window>();
  CHECK(w.budget(10).granted == 10);
}

TEST_CASE("a slot that was not used is free at once") {
  throttle_world w;
  REQUIRE(w.budget(10).granted == 10);

  w.tell(m::budget_returned{customers, 4});

  CHECK(w.budget(10).granted == 4);
}

TEST_CASE("a rate limited connection is granted nothing until the block ends") {
  throttle_world w;

  w.tell(m::connection_rate_limited{30s, w.now()});
  auto refused = w.budget(1, 0);
  CHECK(refused.granted == 0);
  CHECK(refused.rest_at == w.now() + 30s);

  w.advance(30s);
  CHECK(w.budget(1, 0).granted == 1);
}

TEST_CASE("a 429 that names no wait blocks for the default, one that asks for too much for the longest") {
  throttle_world w;

  w.tell(m::connection_rate_limited{std::nullopt, w.now()});
  CHECK(w.budget(1).rest_at == w.now() + 60s);

  w.tell(m::connection_rate_limited{24h * 365, w.now()});
  CHECK(w.budget(1).rest_at == w.now() + 24h);
}

TEST_CASE("a restart spends no slot twice") {
  throttle_world w;
  REQUIRE(w.budget(10).granted == 10);

  w.kill(w.throttle);
  w.start();

  CHECK(w.budget(1).granted == 0);
  w.advance(61s);
  CHECK(w.budget(10).granted == 10);
}

TEST_CASE("a restart keeps a block") {
  throttle_world w;
  w.tell(m::connection_rate_limited{10min, w.now()});

  w.kill(w.throttle);
  w.start();

  CHECK(w.budget(1, 0).rest_at == w.now() + 10min);
}

TEST_CASE("a late word of a rule that died frees no other rule's slots") {
  throttle_world w;
  REQUIRE(w.budget(6, 10, customers).granted == 6);
  REQUIRE(w.budget(4, 10, orders).granted == 4);

  w.tell(m::caller_died{customers});
  w.tell(m::budget_returned{customers, 6});

  CHECK(w.budget(10).granted == 0);
  w.advance(61s);
  CHECK(w.budget(10).granted == 6); // the other four are still out
}
