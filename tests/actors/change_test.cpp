#include "tests/harness/adapter/catch_world.hpp"

#include <catch2/catch.hpp>

using namespace sluice;
using namespace std::chrono_literals;
using Catch::Matchers::Contains;
using tests::catch_world;
namespace m = messages;

TEST_CASE("a record that changes while its call is out is sent again in its newer version, after the first "
          "answer") {
  catch_world w;
  w.add_rule();
  w.target().take(10s);
  w.put_record("c-1");
  w.settle();
  REQUIRE(w.target().calls().size() == 1);

  w.put_record("c-1", "-new");
  w.advance(9s);
  CHECK(w.target().calls().size() == 1);

  w.advance(1min);
  REQUIRE(w.target().calls().size() == 2);
  CHECK(w.target().calls()[1].method == "PATCH");
  CHECK(w.target().calls()[1].at - w.target().calls()[0].at >= 10s);
  CHECK_THAT(w.target().object_of("c-1")->body, Contains("c-1-new"));
  CHECK(w.status("c-1") == "delivered");
}

TEST_CASE("of many changes while a call is out only the last is sent") {
  catch_world w;
  w.add_rule();
  w.target().take(10s);
  w.put_record("c-1");
  w.settle();

  for (const auto* tag : {"-a", "-b", "-c"}) {
    w.put_record("c-1", tag);
    w.advance(1s);
  }
  w.advance(1min);

  CHECK(w.target().calls().size() == 2);
  CHECK_THAT(w.target().object_of("c-1")->body, Contains("c-1-c"));
}

TEST_CASE("a record deleted while its create is out is withdrawn after it") {
  catch_world w;
  w.add_rule();
  w.target().take(10s);
  w.put_record("c-1");
  w.settle();

  w.delete_record("c-1");
  w.advance(1min);

  CHECK(w.target().count("DELETE") == 1);
  CHECK(w.target().objects().empty());
  CHECK(w.status("c-1") == "withdrawn");
}

TEST_CASE("records written while a chain runs are delivered by it") {
  catch_world w;
  w.add_rule();
  w.target().take(2s);
  w.put_records(20);
  w.settle();

  w.put_records(20, "late-");
  w.advance(1min);

  CHECK(w.target().objects().size() == 40);
  CHECK(w.runs().size() == 1);
}

TEST_CASE("a second chain over delivered records sends nothing and writes nothing") {
  catch_world w;
  w.add_rule();
  w.put_records(25);
  w.settle();
  auto cursor = w.cursor();

  w.inject(m::start_chain{}).from(w.dispatcher()).to(w.rule());
  w.settle();
  w.advance(1h);

  CHECK(w.target().calls().size() == 25);
  CHECK(w.runs().size() == 1);
  CHECK(w.cursor() == cursor);
}

TEST_CASE("records changed in one moment are all delivered, over the borders of batches") {
  harness::world_options options;
  options.settings.delivery.scan_batch_size = 5;
  options.settings.delivery.drain_chunk_size = 5;
  catch_world w(options);
  w.add_rule();
  w.settle();
  w.advance(1min);

  w.put_records(23);
  w.settle();
  CHECK(w.target().objects().size() == 23);

  w.put_records(23, "d-");
  w.settle();
  CHECK(w.target().objects().size() == 46);
  CHECK(w.target().calls().size() == 46);
}

TEST_CASE("what an earlier clock wrote behind the cursor is found by its marker") {
  catch_world w;
  w.add_rule();
  w.put_records(3);
  w.settle();
  w.advance(1h);

  w.jump_wall_clock(-30min);
  w.put_record("c-late");
  w.settle();

  CHECK(w.status("c-late") == "delivered");
}

TEST_CASE("a record that comes back after a deactivate of unknown outcome is active at the target again") {
  catch_world w;
  w.add_rule("customers", {.deletes = core::delete_policy::deactivate});
  w.put_record("c-1");
  w.settle();
  w.target().next(harness::lose_the_reply());
  w.delete_record("c-1");
  w.settle();
  REQUIRE_FALSE(w.target().object_of("c-1")->active);

  w.put_record("c-1", "-new");
  w.advance(10min);

  CHECK(w.status("c-1") == "delivered");
  CHECK(w.target().object_of("c-1")->active);
}
