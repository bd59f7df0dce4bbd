#include "tests/actors/delivered_records.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

using namespace sluice;
using namespace std::chrono_literals;
using tests::catch_world;
using tests::deliver;
namespace m = messages;

namespace {

core::delivery_stop hold_of(catch_world& w) {
  auto live = w.live_stops();
  REQUIRE(live.size() == 1);
  REQUIRE(live.front().cause == core::stop_cause::volume_breaker);
  return live.front();
}

core::delivery_stop release(catch_world& w, std::int64_t allowed) {
  auto released = w.ask<core::delivery_stop>(
      w.dispatcher(), m::release_hold{w.rule_id(), hold_of(w).public_id, allowed, "ada"});
  w.settle();
  REQUIRE(released.answered());
  return released.value();
}

} // namespace

TEST_CASE(
    "501 tombstones against a limit of 500: not one is sent, creates and updates go on, and a release of "
    "501 withdraws exactly those") {
  catch_world w;
  deliver(w, 5000);
  w.delete_records(501);
  w.settle();
  CHECK(w.target().count("DELETE") == 0);
  CHECK(w.count_rows(core::delivery_status::held) == 501);
  CHECK(hold_of(w).finding == core::hold_finding{501, 5000, 500});

  w.put_record("fresh");
  w.put_record("c-600", "-new");
  w.settle();
  CHECK(w.status("fresh") == "delivered");
  CHECK(w.target().count("PATCH") == 1);
  w.advance(1h);
  CHECK(w.target().count("DELETE") == 0);

  CHECK(release(w, 501).allowed_withdrawals == 501);
  w.advance(10min);
  CHECK(w.target().count("DELETE") == 501);
  CHECK(w.count_rows(core::delivery_status::withdrawn) == 501);
  CHECK(w.live_stops().empty());
  CHECK(w.stop_history().front().allowance_consumed_at);
  CHECK(w.cursor().known_records == 5001 - 501);
}

TEST_CASE("deletions within the limit go out at once, and are counted") {
  catch_world w;
  deliver(w, 300);
  w.delete_records(30);
  w.settle();
  CHECK(w.target().count("DELETE") == 30);
  CHECK(w.cursor().known_records == 270);
  CHECK(w.live_stops().empty());
}

TEST_CASE("501 deletions that trickle at 20 a second trip the breaker just as a flood does") {
  catch_world w;
  deliver(w, 5000);
  for (int i = 1; i <= 501; ++i) {
    w.delete_record("c-" + std::to_string(i));
    w.advance(50ms);
  }
  w.advance(1min);

  CHECK(w.target().count("DELETE") <= 500);
  CHECK(w.target().count("DELETE") >= 450); // ten per cent of a number that falls with each of them
  auto finding = hold_of(w).finding;
  REQUIRE(finding);
  CHECK(finding->pending == finding->threshold + 1);
}

TEST_CASE(
    "where the limit is a number, the deletion that exceeds it is held, and the 500 before it are out") {
  harness::world_options options;
  options.settings.volume.floor = 500;
  catch_world w(options);
  deliver(w, 1000);
  for (int i = 1; i <= 501; ++i) {
    w.delete_record("c-" + std::to_string(i));
    w.advance(50ms);
  }
  w.advance(1min);

  CHECK(w.target().count("DELETE") == 500);
  CHECK(w.status("c-501") == "held");
  CHECK(hold_of(w).finding == core::hold_finding{501, 500, 500});
}

TEST_CASE("5,000 tombstones committed at any message of a batch bring no call over the limit") {
  auto deliveries = GENERATE(range(0, 60, 6));
  CAPTURE(deliveries);
  catch_world w;
  deliver(w, 6000);
  w.delete_records(100, "c-");
  for (int i = 0; i < deliveries; ++i)
    w.deliver_next();
  auto out = w.target().count("DELETE");

  std::vector<std::string> rest;
  for (int i = 101; i <= 5100; ++i)
    rest.push_back("c-" + std::to_string(i));
  w.delete_records(rest);
  w.advance(1h);

  CHECK((w.target().count("DELETE") == 100 || (out == 0 && w.target().count("DELETE") == 0)));
  CHECK(hold_of(w).finding->pending == 5100);
  CHECK(w.count_rows(core::delivery_status::held) == 5100 - static_cast<int>(w.target().count("DELETE")));
}

TEST_CASE("tombstones committed while a batch is on its way never bring more withdrawals than the limit") {
  catch_world w;
  deliver(w, 6000);
  w.target().take(200ms);
  w.delete_records(100);
  w.advance(300ms); // some are out, some wait
  auto out = w.target().count("DELETE");
  REQUIRE(out > 0);
  REQUIRE(out < 100);

  w.delete_records(5000);
  w.advance(10min);

  CHECK(w.target().count("DELETE") == 100);
  CHECK(hold_of(w).finding->pending == 5000);
}

TEST_CASE("a source that comes back empty withdraws none of more records than the limit") {
  catch_world w;
  deliver(w, 300);
  w.delete_records(300);
  w.advance(2h);
  CHECK(w.target().count("DELETE") == 0);
  CHECK(w.target().objects().size() == 300);
  CHECK(hold_of(w).finding == core::hold_finding{300, 300, 30});
}

TEST_CASE(
    "a hold heals by itself once the records are back, and they are delivered in their newest version") {
  catch_world w;
  deliver(w, 300);
  w.delete_records(100);
  w.settle();
  REQUIRE(w.count_rows(core::delivery_status::held) == 100);

  w.put_records(100);
  w.advance(w.settings().delivery.sweep_interval);
  w.settle();

  CHECK(w.live_stops().empty());
  CHECK(w.stop_history().front().resolution == core::stop_resolution::self_healed);
  CHECK(w.count_rows(core::delivery_status::held) == 0);
  CHECK(w.target().count("DELETE") == 0);
}

TEST_CASE("a discarded hold lets nothing go: what is still there to withdraw trips the next one") {
  catch_world w;
  deliver(w, 300);
  w.delete_records(100);
  w.settle();
  auto first = hold_of(w);

  auto discarded =
      w.ask<core::delivery_stop>(w.dispatcher(), m::discard_hold{w.rule_id(), first.public_id, "ada"});
  w.settle();

  REQUIRE(discarded.answered());
  CHECK(hold_of(w).public_id != first.public_id);
  CHECK(w.target().count("DELETE") == 0);
}

TEST_CASE("a release of fewer than wait withdraws none of them: it is counted again, not replayed") {
  catch_world w;
  deliver(w, 300);
  w.delete_records(100);
  w.settle();

  static_cast<void>(release(w, 10));

  CHECK(w.target().count("DELETE") == 0);
  CHECK(hold_of(w).finding == core::hold_finding{100, 300, 40});
}

TEST_CASE("records deleted after a release are held anew when they exceed what it allowed") {
  catch_world w;
  deliver(w, 1000);
  w.delete_records(200);
  w.settle();
  w.target().take(1s);
  static_cast<void>(release(w, 200));
  w.advance(3s);
  for (int i = 201; i <= 600; ++i)
    w.delete_record("c-" + std::to_string(i));
  w.advance(30min);

  CHECK(w.target().count("DELETE") <= 300);
  CHECK(hold_of(w).finding->pending > 300);
}

TEST_CASE("a hold that has ended is not released again") {
  catch_world w;
  deliver(w, 300);
  w.delete_records(100);
  w.settle();
  auto hold = hold_of(w);
  static_cast<void>(release(w, 100));

  auto again =
      w.ask<core::delivery_stop>(w.dispatcher(), m::release_hold{w.rule_id(), hold.public_id, 100, "bob"});
  w.settle();

  REQUIRE(again.failed());
  CHECK(w.target().count("DELETE") == 100);
}

TEST_CASE("a deletion that was held goes out as an update once its record is back and the hold has ended") {
  catch_world w;
  deliver(w, 300);
  w.delete_records(100);
  w.settle();
  w.put_record("c-1", "-back");
  w.settle();
  CHECK(w.status("c-1") == "held");

  static_cast<void>(release(w, 99));
  w.advance(1min);

  CHECK(w.status("c-1") == "delivered");
  CHECK_THAT(w.target().object_of("c-1")->body, Catch::Matchers::Contains("c-1-back"));
  CHECK(w.target().count("DELETE") == 99);
}
