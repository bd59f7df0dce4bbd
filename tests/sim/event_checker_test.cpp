#include "providers/webhook_signature.hpp"
#include "sim/event_checker.hpp"

#include <catch2/catch.hpp>

#include <chrono>
#include <string>
#include <vector>

using namespace sluice;
using namespace std::chrono_literals;

namespace {

const std::string first_secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const std::string second_secret = "whsec_plJ3nmyCDGBKInavdOK15jsl8u3Xq8Yd";
constexpr core::subscription_id pushed_to{1};
constexpr core::subscription_id pulled_by{2};

/// A checker of a subscription that is pushed to in order, and of one that pulls, told of two events of one
/// id.
struct event_world {
  sim::event_checker checker{{{20s, 60s}, 120s, 120s}};
  core::duration steady{1h};

  event_world() {
    checker.subscribed({pushed_to, "push", false, {"*"}, true, true}, first_secret, now());
    checker.subscribed({pulled_by, "pull", true, {"app.*"}, false, false}, {}, now());
    checker.begin();
    publish("one");
    publish("two");
  }

  [[nodiscard]] sim::moment now() const { return {steady, core::timestamp{steady}}; }
  void pass(core::duration by) { steady += by; }
  void publish(const std::string& body, bool passes = true) {
    checker.published("app.paid", "p-1", passes, body, now());
    pass(1s);
  }

  [[nodiscard]] sim::push_call call(const std::string& body, int status,
                                    const std::string& secret = first_secret) const {
    sim::push_call made;
    made.subscription = pushed_to;
    made.id = "id-" + body;
    made.body = body;
    made.told.status = status;
    auto headers = providers::sign_webhook(made.id, body, {{secret, {}}}, now().wall);
    auto value = [&](std::size_t line) { return headers->at(line).substr(headers->at(line).find(' ') + 1); };
    made.timestamp = value(1);
    made.signature = value(2);
    return made;
  }
  void push(const std::string& body, int status) { checker.pushed(call(body, status), now()); }
  void look(const std::string& event, core::delivery_state state, std::int64_t attempts) {
    checker.observed(pushed_to, {{event, state, attempts}}, now());
  }
  [[nodiscard]] int broken() const { return checker.found() ? checker.found()->property : 0; }
};

} // namespace

TEST_CASE("a push before its time breaks property 10, and one in time does not") {
  event_world w;
  w.push("one", 503);
  w.pass(GENERATE(19s, 20s));
  auto early = w.steady < 1h + 2s + 20s;
  w.push("one", 204);
  CHECK(w.broken() == (early ? 10 : 0));
}

TEST_CASE("a push before what the subscriber asked for breaks property 10, unless its wish was lost") {
  event_world w;
  auto limited = w.call("one", 429);
  limited.asked = 100s;
  w.checker.pushed(limited, w.now());
  auto lost = GENERATE(false, true);
  if (lost)
    w.checker.lost(w.now());
  w.pass(50s);
  w.push("one", 204);
  CHECK(w.broken() == (lost ? 0 : 10));
}

TEST_CASE("a push after the last attempt breaks property 10, until a person asks for it") {
  event_world w;
  for (int attempt = 0; attempt < 3; ++attempt) {
    w.push("one", 503);
    w.pass(5min);
  }
  CHECK(w.broken() == 0);
  auto asked = GENERATE(false, true);
  if (asked)
    w.checker.restarted(pushed_to, "one", w.now());
  w.push("one", 503);
  CHECK(w.broken() == (asked ? 0 : 10));
}

TEST_CASE("what was acknowledged or refused for good is not pushed again, unless the answer was lost") {
  event_world w;
  w.push("one", GENERATE(204, 422, 410));
  auto lost = GENERATE(false, true);
  if (lost)
    w.checker.lost(w.now());
  w.pass(1h);
  w.push("one", 204);
  CHECK(w.broken() == (lost ? 0 : 10));
}

TEST_CASE("a call that leaves at the moment its actor died may lose its answer, a later one does not") {
  event_world w;
  w.checker.lost(w.now());
  const auto later = GENERATE(false, true);
  if (later)
    w.pass(1s);
  w.push("one", 204);
  w.pass(1h);
  w.push("one", 204);
  CHECK(w.broken() == (later ? 10 : 0));
}

TEST_CASE("attempts on the row that no call was made for break property 10") {
  event_world w;
  w.push("one", 204);
  w.look("one", core::delivery_state::delivered, 1);
  CHECK(w.broken() == 0);
  w.look("one", core::delivery_state::delivered, 3);
  CHECK(w.broken() == 10);
}

TEST_CASE("other bytes, another id or another secret break property 11") {
  event_world w;
  w.push("one", 503);
  w.pass(1min);
  auto call = w.call("one", 204);
  SECTION("the same") {
    w.checker.pushed(call, w.now());
    CHECK(w.broken() == 0);
  }
  SECTION("bytes nobody wrote") {
    call.body = "One";
    w.checker.pushed(call, w.now());
    CHECK(w.broken() == 11);
  }
  SECTION("an id of its own") {
    auto other = w.call("one", 204);
    other.id = "id-other";
    w.checker.pushed(other, w.now());
    CHECK(w.broken() == 11);
  }
  SECTION("a secret nobody gave") {
    w.checker.pushed(w.call("one", 204, second_secret), w.now());
    CHECK(w.broken() == 11);
  }
  SECTION("a time it was not signed for") {
    call.timestamp += "0";
    w.checker.pushed(call, w.now());
    CHECK(w.broken() == 11);
  }
}

TEST_CASE("a secret that was replaced signs to the end of its overlap, and never alone for long") {
  event_world w;
  w.checker.rotated(pushed_to, second_secret, w.now().wall + 20min, w.now());
  w.pass(1min);
  w.push("one", 503);
  CHECK(w.broken() == 0);
  w.pass(GENERATE(10min, 21min));
  w.push("one", 204);
  CHECK(w.broken() == 11);
}

TEST_CASE("a push before an earlier one of its key has come to its end breaks property 12") {
  event_world w;
  auto status = GENERATE(204, 422, 503);
  w.push("one", status);
  w.pass(10s);
  w.push("two", 204);
  CHECK(w.broken() == (status == 503 ? 12 : 0));
}

TEST_CASE("a push of what the filter leaves out breaks property 12") {
  event_world w;
  w.publish("three", false);
  w.push("three", 204);
  CHECK(w.broken() == 12);
}

TEST_CASE("a push after a person was told that there is none breaks property 8") {
  event_world w;
  w.checker.silenced(pushed_to);
  w.push("one", 204);
  CHECK(w.broken() == 8);
}

TEST_CASE("a push within an acknowledged stop breaks property 8, until its end is asked for") {
  event_world w;
  auto where =
      GENERATE(core::stop_target{}, core::stop_target{core::stop_scope::subscription, {}, {}, pushed_to});
  auto ended = GENERATE(true, false);
  w.checker.stop_acknowledged(where);
  if (ended)
    w.checker.stop_ended(where);
  w.push("one", 204);
  CHECK(w.broken() == (ended ? 0 : 8));
}

TEST_CASE("a stop of another subscription stops nothing here") {
  event_world w;
  w.checker.stop_acknowledged({core::stop_scope::subscription, {}, {}, pulled_by});
  w.push("one", 204);
  CHECK(w.broken() == 0);
}

TEST_CASE("a pull that steps over an event breaks property 12") {
  event_world w;
  auto whole = GENERATE(true, false);
  if (whole)
    w.checker.pulled(pulled_by, "one");
  w.checker.pulled(pulled_by, "two");
  CHECK(w.broken() == (whole ? 0 : 12));
}

TEST_CASE("at the end an event without a delivery, or with one that is open or made up, breaks property 12") {
  using core::delivery_state;
  event_world w;
  w.push("one", 204);
  w.push("two", 204);
  std::vector<sim::seen_delivery> rows{{"one", delivery_state::delivered, 1},
                                       {"two", delivery_state::delivered, 1}};
  SECTION("all is well") {
    w.checker.ended(pushed_to, rows);
    CHECK(w.broken() == 0);
  }
  SECTION("none") {
    rows.pop_back();
    w.checker.ended(pushed_to, rows);
    CHECK(w.broken() == 12);
  }
  SECTION("open, failed for no reason, or skipped though it passes") {
    rows.back().state = GENERATE(delivery_state::pending, delivery_state::retrying, delivery_state::failed,
                                 delivery_state::skipped_filter);
    w.checker.ended(pushed_to, rows);
    CHECK(w.broken() == 12);
  }
}

TEST_CASE("a change that was never committed is no event") {
  event_world w;
  w.checker.changed({"customers", "c-1", {1, true, true, true, {}}, R"({"v":1})", false}, w.now());
  w.checker.changed({"customers", "c-1", {}, {}, true}, w.now());
  w.push("one", 204);
  w.push("two", 204);
  w.checker.ended(pushed_to,
                  {{"one", core::delivery_state::delivered, 1}, {"two", core::delivery_state::delivered, 1}});
  CHECK(w.broken() == 0);
}
