#include "tests/harness/adapter/catch_world.hpp"

#include <catch2/catch.hpp>

using namespace sluice;
using namespace std::chrono_literals;
using harness::answer;
using tests::catch_world;

TEST_CASE("a failed record is tried again as the schedule says, never early, and delivered in the end") {
  catch_world w;
  w.add_rule();
  w.target().next(answer(503), 2);
  w.put_record("c-1");
  w.settle();
  CHECK(w.status("c-1") == "failed");

  w.advance(1min - 1us);
  CHECK(w.target().calls().size() == 1);
  w.advance(7s); // the jitter adds up to a tenth
  CHECK(w.target().calls().size() == 2);

  w.advance(5min - 7s);
  CHECK(w.target().calls().size() == 2);
  w.advance(40s);
  CHECK(w.status("c-1") == "delivered");
  CHECK(w.row("c-1")->attempts == 0);
}

TEST_CASE("the fifth failure exhausts a record") {
  catch_world w;
  w.add_rule();
  w.target().on("POST", answer(422, R"({"error":"no such country"})"));
  w.put_record("c-1");

  w.advance(12h);

  CHECK(w.status("c-1") == "exhausted");
  CHECK(w.target().calls().size() == 5);
  CHECK(w.row("c-1")->attempts == 5);
  CHECK(w.row("c-1")->error_class == "http_422");

  w.target().behave();
  w.put_record("c-1", "-new");
  w.advance(1h);
  CHECK(w.target().calls().size() == 5);
}

TEST_CASE("a change of a record that waits for its retry waits with it") {
  catch_world w;
  w.add_rule();
  w.target().next(answer(503));
  w.put_record("c-1");
  w.settle();

  w.put_record("c-1", "-new");
  w.settle();
  CHECK(w.target().calls().size() == 1);

  w.advance(67s);
  CHECK(w.status("c-1") == "delivered");
  CHECK_THAT(w.target().object_of("c-1")->body, Catch::Matchers::Contains("c-1-new"));
}

TEST_CASE("a refused connection is an ordinary failure") {
  catch_world w;
  w.add_rule();
  w.target().next(harness::refuse_the_connection());
  w.put_record("c-1");
  w.settle();
  CHECK(w.status("c-1") == "failed");
  CHECK(w.intents().empty());

  w.advance(67s);
  CHECK(w.status("c-1") == "delivered");
}

TEST_CASE("one rejected record does not hold back the others") {
  catch_world w;
  w.add_rule();
  w.target().decide([](const harness::seen_call& call) -> std::optional<harness::reaction> {
    if (call.body.find("\"c-2\"") != std::string::npos)
      return answer(422);
    return std::nullopt;
  });
  w.put_records(3);

  w.settle();

  CHECK(w.status("c-1") == "delivered");
  CHECK(w.status("c-2") == "failed");
  CHECK(w.status("c-3") == "delivered");
}

TEST_CASE("a retry that is due after a restart is made at its time") {
  catch_world w;
  w.add_rule();
  w.target().next(answer(503));
  w.put_record("c-1");
  w.settle();

  w.crash_and_restart();
  w.settle();
  CHECK(w.target().calls().size() == 1);
  w.advance(67s);

  CHECK(w.status("c-1") == "delivered");
}

TEST_CASE("a deletion of a record whose update failed withdraws it at the retry") {
  catch_world w;
  w.add_rule();
  w.put_record("c-1");
  w.settle();
  w.target().next(answer(503));
  w.put_record("c-1", "-new");
  w.settle();
  REQUIRE(w.status("c-1") == "failed");

  w.delete_record("c-1");
  w.advance(67s);

  CHECK(w.status("c-1") == "withdrawn");
  CHECK(w.target().objects().empty());
}
