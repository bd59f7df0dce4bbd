#include "actors/tally.hpp"
#include "harness/mock.hpp"
#include "messages/fault.hpp"
#include "tests/harness/adapter/catch_world.hpp"

#include <catch2/catch.hpp>

using namespace sluice;
using namespace std::chrono_literals;
namespace m = messages;

namespace {

constexpr core::rule_id customers{1};
constexpr core::rule_id orders{2};

/// Moves by what a count takes.
struct counting_time : core::time_source {
  [[nodiscard]] core::timestamp wall() const override { return core::timestamp{now}; }
  [[nodiscard]] core::duration steady() const override { return now; }
  core::duration now = 1h;
};

/// A tally whose overview takes `takes` for a count and finds one row more each time.
struct tally_world : tests::catch_world {
  tally_world() : catch_world({.node = false}), overview(mock<m::overview>("overview")) {
    overview.on<m::count_ledger>([this](const m::count_ledger&) -> caf::result<m::ledger_counted> {
      time.now += takes;
      if (fails)
        return caf::make_error(m::fault::database_unavailable, std::string{"the database is away"});
      return m::ledger_counted{{{core::delivery_status::delivered, ++rows}}, time.wall()};
    });
    tally = spawn("tally", actors::tally, actors::tally_resources{overview, &time, 5s});
  }

  harness::asked<m::ledger_counted> asked(core::rule_id rule = customers) {
    auto waiting = ask<m::ledger_counted>(tally, m::count_ledger{rule});
    settle();
    return waiting;
  }

  std::int64_t told(core::rule_id rule = customers) { return asked(rule).value().counts.front().second; }

  [[nodiscard]] std::size_t counted() const { return overview.got<m::count_ledger>().size(); }

  counting_time time;
  core::duration takes = 300ms;
  bool fails = false;
  std::int64_t rows = 0;
  harness::mock<m::overview> overview;
  m::tally tally;
};

} // namespace

TEST_CASE("a cheap count is taken anew each time") {
  tally_world w;
  w.takes = 2ms;
  CHECK(w.told() == 1);
  CHECK(w.told() == 2);
}

TEST_CASE("a dear count is told again, then told once more while a new one is taken") {
  tally_world w;
  CHECK(w.told() == 1);
  w.time.now += 2s;
  CHECK(w.told() == 1);
  CHECK(w.counted() == 1);
  w.time.now += 1s;
  CHECK(w.told() == 1);
  CHECK(w.counted() == 2);
  CHECK(w.told() == 2);
}

TEST_CASE("a dear count that is old is waited for") {
  tally_world w;
  CHECK(w.told() == 1);
  w.time.now += 31s;
  CHECK(w.told() == 2);
}

TEST_CASE("many who ask at once wait for one count, each rule for its own") {
  tally_world w;
  auto first = w.ask<m::ledger_counted>(w.tally, m::count_ledger{customers});
  auto second = w.ask<m::ledger_counted>(w.tally, m::count_ledger{customers});
  auto other = w.ask<m::ledger_counted>(w.tally, m::count_ledger{orders});
  w.settle();
  CHECK(first.value().counts.front().second == second.value().counts.front().second);
  CHECK(other.value().counts.front().second != first.value().counts.front().second);
  CHECK(w.counted() == 2);
}

TEST_CASE("a count that cannot be taken is told so, and taken anew for the next") {
  tally_world w;
  w.fails = true;
  CHECK_THAT(m::describe(w.asked().error()), Catch::Contains("away"));
  w.fails = false;
  CHECK(w.told() == 1);
}
