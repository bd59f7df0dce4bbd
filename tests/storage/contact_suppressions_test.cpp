#include "tests/storage/contact_world.hpp"

#include <atomic>
#include <thread>

using namespace sluice;
using namespace sluice::tests;
using core::contact_kind;
using core::suppression_reason;
using std::string;

namespace {

struct token_world : contact_world {
  using contact_world::contact_world;

  core::contact_record registered(const string& token, core::timestamp when, core::timestamp now) {
    auto what = wish(token, "acme", contact_kind::apns_token);
    what.registered_at = when;
    return contact(what, now).record;
  }

  static core::contact_suppression dead(core::timestamp when, core::timestamp told_at) {
    auto made = told(suppression_reason::retired_token, told_at);
    made.retired_at = when;
    return made;
  }

  string acts(const core::contact_record& of) {
    string found;
    for (const auto& one : audit(of.public_id))
      found += one.act + " by " + one.by + "; ";
    return found;
  }
};

} // namespace

TEST_CASE("a suppression is kept with who said it, and both it and its lifting are audited") {
  token_world w(GENERATE(from_range(engines())));
  const auto made = w.contact("a@x.example");
  CHECK_FALSE(w.lift(made));
  CHECK(w.suppress(made, w.told(suppression_reason::hard_bounce)));
  CHECK(w.stored(made)->suppression == w.told(suppression_reason::hard_bounce));
  CHECK_FALSE(w.suppress(made, w.told(suppression_reason::hard_bounce, at(11))));
  CHECK(w.lift(made));
  CHECK_FALSE(w.stored(made)->suppression);
  CHECK_FALSE(w.lift(made));
  const auto entries = w.audit(made.public_id);
  REQUIRE(entries.size() == 2);
  CHECK(entries[0].act == "lift_suppression");
  CHECK(entries[0].by == "ada");
  CHECK(entries[0].at == at(20));
  CHECK_THAT(entries[0].details, Catch::Contains("hard_bounce") && Catch::Contains("She asked for it."));
  CHECK(entries[1].act == "suppress_contact_point");
  CHECK(entries[1].by == "mail");
  CHECK(entries[1].tenant == "acme");
  CHECK(entries[1].at == at(10));
  CHECK_THAT(entries[1].details, Catch::Contains("550 5.1.1"));
}

TEST_CASE("a complaint takes a bounce's place, and a later bounce does not take its") {
  token_world w(GENERATE(from_range(engines())));
  const auto made = w.contact("a@x.example");
  CHECK(w.suppress(made, w.told(suppression_reason::hard_bounce)));
  CHECK(w.suppress(made, w.told(suppression_reason::complaint, at(11))));
  CHECK_FALSE(w.suppress(made, w.told(suppression_reason::hard_bounce, at(12))));
  CHECK(w.stored(made)->suppression->reason == suppression_reason::complaint);
  CHECK(w.audit(made.public_id).size() == 2);
}

TEST_CASE("a retired token lives again when it is registered after the moment it was dead, and not before") {
  token_world w(GENERATE(from_range(engines())));
  const auto made = w.registered("aa11", at(1), at(1));
  CHECK(made.token_seen_at == at(1));
  CHECK(w.suppress(made, w.dead(at(5), at(8))));
  CHECK(w.registered("aa11", at(5), at(9)).suppression);
  CHECK(w.contact(w.wish("aa11", "acme", contact_kind::apns_token), at(9)).record.suppression);
  const auto alive = w.registered("aa11", at(6), at(9));
  CHECK(alive.id == made.id);
  CHECK_FALSE(alive.suppression);
  CHECK(alive.token_seen_at == at(6));
  CHECK(w.acts(made) == "lift_suppression by ada; suppress_contact_point by mail; ");
  CHECK_FALSE(w.suppress(made, w.dead(at(5), at(10))));
  CHECK(w.registered("aa11", at(2), at(11)).token_seen_at == at(6));
}

TEST_CASE("registering anew lifts nothing but a retired token") {
  token_world w(GENERATE(from_range(engines())));
  const auto made = w.registered("aa11", at(1), at(1));
  const auto reason = GENERATE(suppression_reason::hard_bounce, suppression_reason::complaint,
                               suppression_reason::unsubscribed, suppression_reason::person);
  w.suppress(made, w.dead(at(5), at(5)));
  CHECK(w.suppress(made, w.told(reason)));
  const auto after = w.registered("aa11", at(100), at(100));
  REQUIRE(after.suppression);
  CHECK(after.suppression->reason == reason);
  CHECK_FALSE(after.suppression->retired_at);
}

TEST_CASE("removing a suppressed contact point and making it again does not lift the suppression") {
  token_world w(GENERATE(from_range(engines())));
  const auto first = w.contact("a@x.example");
  w.suppress(first, w.told(suppression_reason::complaint));
  CHECK(w.remove(first));
  CHECK_FALSE(w.contact(w.wish("a@x.example", "globex")).record.suppression);
  const auto second = w.contact("a@x.example");
  CHECK(second.id != first.id);
  REQUIRE(second.suppression);
  CHECK(*second.suppression == w.told(suppression_reason::complaint));
  CHECK(w.acts(second) == "suppress_contact_point by mail; ");
  CHECK(w.lift(second));
  CHECK(w.remove(second));
  CHECK_FALSE(w.contact("a@x.example").suppression);
}

TEST_CASE("what is gone is neither suppressed nor lifted") {
  token_world w(GENERATE(from_range(engines())));
  const auto made = w.contact("a@x.example");
  w.remove(made);
  const auto told = storage::transact(w.db(), [&](storage::session& in) {
    return storage::suppress_contact_point(in, made.id, w.told(suppression_reason::person));
  });
  REQUIRE_FALSE(told);
  CHECK(told.error().code == storage::error::not_found);
  const auto lifted = storage::transact(w.db(), [&](storage::session& in) {
    return storage::lift_suppression(in, {made.id, "ada", ""}, at());
  });
  REQUIRE_FALSE(lifted);
  CHECK(lifted.error().code == storage::error::not_found);
}

TEST_CASE("of many that suppress at once for one reason, one alone changes something") {
  token_world w(GENERATE(from_range(engines())));
  const auto made = w.contact("a@x.example");
  std::atomic<int> changed = 0, failed = 0;
  {
    std::vector<std::jthread> threads;
    for (int n = 0; n < 5; ++n)
      threads.emplace_back([&] {
        auto db = w.session();
        for (int m = 0; m < 4; ++m) {
          const auto done = storage::transact(db, [&](storage::session& in) {
            return storage::suppress_contact_point(in, made.id, w.told(suppression_reason::complaint));
          });
          if (!done)
            ++failed;
          else if (*done)
            ++changed;
        }
      });
  }
  CHECK(failed == 0);
  CHECK(changed == 1);
  CHECK(w.audit(made.public_id).size() == 1);
  CHECK(w.stored(made)->suppression->reason == suppression_reason::complaint);
}
