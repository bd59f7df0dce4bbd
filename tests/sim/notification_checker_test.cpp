#include "sim/notification_checker.hpp"

#include <catch2/catch.hpp>

#include <chrono>
#include <string>
#include <utility>
#include <vector>

using namespace sluice;
using namespace std::chrono_literals;
using core::callback_outcome;
using core::event_progress;
using enum sim::provider_word;

namespace {

/// A checker of one notification over providers 0 and 1, with two retries each; its times are steady seconds.
struct told_world {
  sim::notification_checker checker{{{20s, 60s}, 2min}};
  core::duration steady{1h};
  std::string attempt_state = "accepted";
  std::string projected;
  std::vector<sim::seen_event> ledger;
  std::vector<std::string> audit;

  told_world() { checker.posted(1, {0, 1}); }

  void send(sim::provider_word told, std::size_t provider = 0, bool took = false) {
    sim::message_call call;
    call.notification = 1;
    call.provider = provider;
    call.attempt = "a-1";
    call.told = told;
    call.took = took || told == sim::provider_word::took;
    call.takes = 1s;
    checker.called(call, {steady, core::timestamp{steady}});
  }
  void pass(core::duration by) { steady += by; }
  void tell(const std::string& key, const std::string& word) {
    sim::told_event event;
    event.key = key;
    event.notification = 1;
    event.attempt = "a-1";
    event.message_id = "m-1";
    event.word = word;
    checker.tells(event);
    checker.answered(key, callback_outcome::recorded);
    ledger.push_back({key, event_progress::matched, 7});
  }
  sim::seen_correspondence seen(const std::string& state) const {
    sim::seen_notification one{1, state, {{7, "a-1", 1, 1, 0, attempt_state, "m-1", projected}}};
    return {{one}, ledger, audit};
  }
  int look(const std::string& state = "accepted") {
    checker.observed(seen(state));
    return broken();
  }
  [[nodiscard]] int broken() const { return checker.found() ? checker.found()->property : 0; }
};

} // namespace

TEST_CASE("a message that goes as it should, and is told of, breaks nothing") {
  told_world w;
  w.send(try_later);
  w.pass(22s);
  w.send(took);
  w.tell("e-1", "Delivery");
  w.tell("e-2", "Send");
  w.projected = "delivered";
  CHECK(w.look() == 0);
}

TEST_CASE("nothing is sent again after it was taken, from ambiguous or to a refused recipient") {
  told_world w;
  w.send(GENERATE(took, unclear, refused_recipient, refused_message));
  w.pass(1h);
  w.send(took, GENERATE(0U, 1U));
  CHECK(w.broken() == 14);
}

TEST_CASE("what a person says was not sent goes again, at the same profile") {
  told_world w;
  w.send(unclear);
  w.pass(1h);
  w.checker.settling(1, false);
  auto provider = GENERATE(0U, 1U);
  w.send(took, provider);
  CHECK(w.broken() == (provider == 0 ? 0 : 14));
}

TEST_CASE("a settlement that was refused allows nothing") {
  told_world w;
  w.send(unclear);
  w.checker.settling(1, false);
  w.checker.not_settled(1);
  w.pass(1h);
  w.send(took);
  CHECK(w.broken() == 14);
}

TEST_CASE("what was on its way when the node went is not sent again") {
  told_world w;
  w.send(try_later);
  w.pass(1min);
  w.checker.left_in_doubt(1);
  w.send(took);
  CHECK(w.broken() == 14);
}

TEST_CASE("what is taken twice is noticed though its first answer said nothing against a second") {
  told_world w;
  w.send(try_later, 0, true);
  w.pass(1min);
  w.send(took);
  CHECK(w.broken() == 14);
}

TEST_CASE("a fallback wants a refusal of the account, or every retry") {
  told_world w;
  SECTION("an account that was refused is one") {
    w.send(refused_account);
    w.pass(2s);
    w.send(took, 1);
    CHECK(w.broken() == 0);
  }
  SECTION("one failure is none") {
    w.send(try_later);
    w.pass(2s);
    w.send(took, 1);
    CHECK(w.broken() == 14);
  }
  SECTION("three are") {
    for (int i = 0; i < 3; ++i) {
      w.send(try_later);
      w.pass(2min);
    }
    w.send(took, 1);
    CHECK(w.broken() == 0);
  }
}

TEST_CASE("no retry comes early, and none after the last") {
  told_world w;
  w.send(try_later);
  w.pass(15s);
  w.send(try_later);
  CHECK(w.broken() == 10);
}

TEST_CASE("what a person cancelled or stopped is not sent") {
  told_world w;
  SECTION("cancelled") {
    w.checker.cancelled(1);
    w.send(took);
    CHECK(w.broken() == 14);
  }
  SECTION("stopped") {
    w.checker.stop_acknowledged({});
    w.send(took);
    CHECK(w.broken() == 8);
  }
}

TEST_CASE("the projection is the highest word of the raw events, in whatever order they came") {
  told_world w;
  w.send(took);
  w.tell("e-1", "Complaint");
  w.tell("e-2", "Delivery");
  w.projected = GENERATE("", "delivered", "complained");
  CHECK(w.look() == (w.projected == "complained" ? 0 : 13));
}

TEST_CASE("acceptance that shows as delivery is noticed") {
  told_world w;
  w.send(took);
  w.projected = "delivered";
  CHECK(w.look() == 13);
}

TEST_CASE("acceptance that nobody spoke of is noticed") {
  told_world w;
  w.send(unclear);
  CHECK(w.look() == 14);
}

TEST_CASE("what was acknowledged is in the ledger once") {
  told_world w;
  w.send(took);
  w.tell("e-1", "Send");
  w.projected = "sent";
  SECTION("lost") {
    w.ledger.clear();
    w.projected.clear();
    CHECK(w.look() == 13);
  }
  SECTION("twice") {
    w.ledger.push_back(w.ledger.front());
    CHECK(w.look() == 13);
  }
  SECTION("with a duplicate beside it") {
    w.ledger.push_back({"e-1", event_progress::duplicate, 0});
    CHECK(w.look() == 0);
  }
}

TEST_CASE("what nobody told is not in the ledger, and a forged callback is refused and audited") {
  told_world w;
  w.send(took);
  SECTION("in the ledger") {
    w.ledger.push_back({"e-9", event_progress::unmatched, 0});
    CHECK(w.look() == 13);
  }
  SECTION("recorded") {
    w.checker.forged("e-1", "d", callback_outcome::recorded);
    CHECK(w.broken() == 13);
  }
  SECTION("refused") {
    w.checker.forged("e-1", "d", callback_outcome::refused);
    w.audit = GENERATE(std::vector<std::string>{}, std::vector<std::string>{"d"});
    w.checker.ended(w.seen("accepted"));
    CHECK(w.broken() == (w.audit.empty() ? 13 : 0));
  }
}

TEST_CASE("an event is matched once its attempt is recorded, and to no other") {
  told_world w;
  w.send(took);
  w.tell("e-1", "Send");
  SECTION("unmatched") {
    w.ledger.back() = {"e-1", event_progress::unmatched, 0};
    CHECK(w.look() == 13);
  }
  SECTION("another's") {
    w.ledger.back().attempt = 8;
    CHECK(w.look() == 13);
  }
}

TEST_CASE("a genuine event ends the doubt") {
  told_world w;
  w.send(unclear);
  w.tell("e-1", "Send");
  w.projected = "sent";
  w.attempt_state = "ambiguous";
  CHECK(w.look("ambiguous") == 13);
}

TEST_CASE("everything comes to its end") {
  told_world w;
  w.send(took);
  SECTION("a notification") {
    w.checker.ended(w.seen(GENERATE("queued", "dispatching", "ambiguous")));
    CHECK(w.broken() == 14);
  }
  SECTION("an event") {
    w.tell("e-1", "Send");
    w.ledger.back() = {"e-1", event_progress::pending, 0};
    w.checker.ended(w.seen("accepted"));
    CHECK(w.broken() == 13);
  }
}
