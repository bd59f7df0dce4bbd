#include "harness/world.hpp"

#include <catch2/catch.hpp>

using namespace sluice;
using namespace std::chrono_literals;
using harness::world;
namespace m = messages;

TEST_CASE("a world needs nothing said to deliver records") {
  world w;
  w.add_rule();
  w.put_records(2);

  w.settle();

  CHECK(w.target().objects().size() == 2);
  CHECK(w.status("c-1") == "delivered");
  CHECK(w.status("nobody") == "none");
}

TEST_CASE("two worlds share nothing") {
  world one;
  world other;
  one.add_rule();
  other.add_rule();
  one.put_record("c-1");

  one.settle();
  other.settle();

  CHECK(one.target().objects().size() == 1);
  CHECK(other.target().objects().empty());
}

TEST_CASE("two runs of one script deliver the same messages") {
  auto run = [] {
    world w({.log_lines = 10'000});
    w.add_rule();
    w.target().take(1500ms);
    w.put_records(30);
    w.advance(20s);
    w.put_record("c-3", "-new");
    w.crash_and_restart();
    w.advance(1min);
    std::vector<std::string> lines;
    for (const auto& line : w.last_messages().lines())
      lines.push_back(line.from + " " + line.to + " " + line.text.substr(0, line.text.find('(')));
    return lines;
  };

  CHECK(run() == run());
}

TEST_CASE("a crash kills every actor and loses nothing of the database or the targets") {
  world w;
  w.add_rule();
  w.put_record("c-1");
  w.settle();
  auto before = w.rule();
  auto dispatcher = w.dispatcher();

  w.crash_and_restart();
  w.settle();

  CHECK(w.rule() != before);
  CHECK(w.dispatcher() != dispatcher);
  CHECK(w.status("c-1") == "delivered");
  CHECK(w.target().objects().size() == 1);
}

TEST_CASE("what waits in a mailbox dies with a crash") {
  world w;
  w.add_rule();
  w.settle();
  w.put_record("c-1");
  w.settle_before<m::record_intents>();

  w.crash();

  CHECK(w.pending_messages().empty());
  CHECK(w.intents().empty());
  CHECK(w.target().calls().empty());
}

TEST_CASE("an old life's writer is refused by its fence") {
  world w;
  w.add_rule();
  w.settle();
  auto stale = w.must(storage::acquire_lease(w.db(), "node", "node-2", {}));
  CHECK(stale.granted);

  w.put_record("c-1");
  w.advance(10s);

  CHECK(w.status("c-1") == "none");
  CHECK_FALSE(w.unfit().empty());
}

TEST_CASE("without hints nothing happens before the dispatcher's tick") {
  world w({.hints = false});
  w.add_rule();
  w.settle();
  w.put_record("c-1");

  w.settle();
  CHECK(w.target().calls().empty());
  w.advance(w.settings().delivery.dispatch_interval);
  CHECK(w.target().calls().size() == 1);
}
