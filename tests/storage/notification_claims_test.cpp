#include "tests/storage/notification_world.hpp"

#include <map>
#include <mutex>
#include <thread>

using namespace sluice;
using namespace sluice::tests;
using std::string;
using enum core::notification_state;

namespace {

/// Whoever claimed ends without a word; another opens the database.
storage::session next_node(const notification_world& w) {
  return w.session();
}

core::notification_claims claim_in(storage::session& db, const notification_world& w, double seconds) {
  return committed(db, [&](storage::session& in) {
    return storage::claim_notifications(in, w.claim_wish(), w.sealing, at(seconds));
  });
}

} // namespace

TEST_CASE("a claim numbers the attempt, keeps its row and opens what is sent") {
  notification_world w(GENERATE(from_range(engines())));
  auto wish = w.wanted();
  wish.content.data = R"({"order":7})";
  wish.content.urgency = core::message_urgency::high;
  wish.expires_at = at(3600);
  const auto made = w.notify(wish);
  const auto claims = w.claim();
  REQUIRE(claims.notifications.size() == 1);
  const auto& one = claims.notifications.front();
  CHECK(one.notification == made.id);
  CHECK(one.claim == core::attempt_claim{1, at(61)});
  CHECK(one.place_attempts == 1);
  CHECK(one.order.notification_id == made.public_id);
  CHECK(one.order.contact.kind == core::contact_kind::email);
  CHECK(one.order.contact.text == "ada@x.example");
  CHECK(one.order.content.subject == "Your order");
  CHECK(one.order.content.text == "It is on its way.");
  CHECK(one.order.content.data == R"({"order":7})");
  CHECK(one.order.content.urgency == core::message_urgency::high);
  CHECK(one.order.expires_at == at(3600));
  CHECK(claims.through);
  CHECK(claims.next_due == at(61));
  const auto attempts = w.attempts(made);
  REQUIRE(attempts.size() == 1);
  CHECK(attempts.front().public_id == one.order.attempt_id);
  CHECK(attempts.front().state == core::notification_attempt_state::dispatching);
  CHECK(attempts.front().profile_name == "mail");
  CHECK(attempts.front().submitted_at == at(1));
  CHECK(w.claim(2).notifications.empty());
  CHECK(w.claim_at_backup(2).notifications.empty());
}

TEST_CASE("a claim looks at so many, the longest due first, and says whether there are more") {
  notification_world w(GENERATE(from_range(engines())));
  std::vector<core::notification_id> made;
  for (int n = 0; n < 3; ++n)
    made.push_back(w.notify().id);
  const auto claims = w.claim(w.claim_wish(2));
  REQUIRE(claims.notifications.size() == 2);
  CHECK(claims.notifications[0].notification == made[0]);
  CHECK(claims.notifications[1].notification == made[1]);
  CHECK_FALSE(claims.through);
  CHECK(w.claim(w.claim_wish(2)).notifications.size() == 1);
}

TEST_CASE("two that claim at once claim different notifications, and leave none out") {
  notification_world w(GENERATE(from_range(engines())));
  for (int n = 0; n < 60; ++n)
    w.notify();
  std::map<core::notification_id, int> claimed;
  std::mutex guard;
  {
    std::vector<std::jthread> threads;
    for (int n = 0; n < 2; ++n)
      threads.emplace_back([&] {
        auto db = w.session();
        for (int turn = 0; turn < 20; ++turn) {
          const auto some = storage::transact(db, [&](storage::session& in) {
            return storage::claim_notifications(in, w.claim_wish(7), w.sealing, at(1));
          });
          const std::scoped_lock lock(guard);
          for (const auto& one : some ? some->notifications : std::vector<core::claimed_notification>{})
            ++claimed[one.notification];
        }
      });
  }
  CHECK(claimed.size() == 60);
  for (const auto& [id, times] : claimed)
    CHECK(times == 1);
  CHECK(w.count("notification_attempts WHERE number = 1") == "60");
}

TEST_CASE("a node that ends between claim and record leaves an ambiguity, and nothing is sent again") {
  notification_world w(GENERATE(from_range(engines())));
  const auto made = w.sent();
  auto db = next_node(w);
  CHECK(claim_in(db, w, 60).notifications.empty());
  CHECK(w.state(made) == dispatching);
  const auto lapsed = claim_in(db, w, 61);
  CHECK(lapsed.lapsed == 1);
  CHECK(lapsed.notifications.empty());
  CHECK_FALSE(lapsed.next_due);
  CHECK(w.state(made) == ambiguous);
  CHECK(w.now(made).progress.error_class == "lease_lapsed");
  CHECK(w.history(made) == "1 ambiguous");
  CHECK(w.attempts(made).front().ended_at == at(61));
  CHECK(w.value("SELECT next_look_at FROM reconciliation_targets WHERE kind = 'ambiguous_submission'")
        == std::to_string(core::to_us(at(121))));
  for (const double later : {100.0, 10'000.0, 1'000'000.0}) {
    CHECK(claim_in(db, w, later).notifications.empty());
    CHECK(w.claim_at_backup(later).notifications.empty());
  }
  CHECK(w.history(made) == "1 ambiguous");
}

TEST_CASE("a claim that was not committed was never made") {
  notification_world w(GENERATE(from_range(engines())));
  const auto made = w.notify();
  {
    auto db = next_node(w);
    must(db.begin());
    CHECK(must(storage::claim_notifications(db, w.claim_wish(), w.sealing, at(1))).notifications.size() == 1);
  }
  CHECK(w.state(made) == queued);
  CHECK(w.claim(2).notifications.front().claim.number == 1);
}

TEST_CASE("leases lapse at the next claim, profile by profile, so many at a time") {
  notification_world w(GENERATE(from_range(engines())));
  for (int n = 0; n < 3; ++n)
    w.notify();
  w.claim();
  const auto lapse = [&](core::provider_profile_id profile, double seconds) {
    auto wish = w.claim_wish();
    wish.profile = profile;
    wish.limit = 2;
    return w.claim(wish, seconds).lapsed;
  };
  CHECK(lapse(w.mail, 60) == 0);
  CHECK(lapse(w.backup, 61) == 0);
  CHECK(lapse(w.mail, 61) == 2);
  CHECK(lapse(w.mail, 61) == 1);
  CHECK(w.count("reconciliation_targets") == "3");
}

TEST_CASE("what has expired when it is claimed is sent no more") {
  notification_world w(GENERATE(from_range(engines())));
  auto wish = w.wanted();
  wish.expires_at = at(10);
  const auto made = w.notify(wish);
  const auto claims = w.claim(10);
  CHECK(claims.expired == 1);
  CHECK(claims.notifications.empty());
  CHECK(w.state(made) == expired);
  CHECK(w.history(made).empty());
}

TEST_CASE("a contact point that was suppressed or removed since costs no attempt") {
  notification_world w(GENERATE(from_range(engines())));
  const auto suppressed = w.notify();
  auto wish = w.wanted();
  const auto gone = w.contact("bob@x.example");
  wish.contact = gone.id;
  const auto removed = w.notify(wish);
  w.suppress(w.person, w.told(core::suppression_reason::hard_bounce));
  w.remove(gone);
  const auto claims = w.claim();
  CHECK(claims.refused == 2);
  CHECK(claims.notifications.empty());
  CHECK(w.state(suppressed) == failed);
  CHECK(w.now(suppressed).progress.error == "the contact point is suppressed: hard_bounce");
  CHECK(w.state(removed) == failed);
  CHECK(w.now(removed).progress.error_class == "contact_removed");
  CHECK(w.count("notification_attempts") == "0");
}

TEST_CASE("what no key opens is put off without an attempt, and holds up nothing") {
  notification_world w(GENERATE(from_range(engines())));
  w.sealing = ring_of({"seal-c", "seal-a"});
  const auto unreadable = w.notify();
  w.sealing = ring_of({"seal-a"});
  const auto readable = w.notify();
  const auto claims = w.claim();
  CHECK(claims.unreadable == 1);
  REQUIRE(claims.notifications.size() == 1);
  CHECK(claims.notifications.front().notification == readable.id);
  CHECK(w.now(unreadable).progress.due_at == at(61));
  CHECK(w.now(unreadable).progress.attempts == 0);
  w.sealing = ring_of({"seal-c", "seal-a"});
  CHECK(w.claim(61).notifications.front().claim.number == 1);
}

TEST_CASE("a content that was moved to another notification does not open there") {
  notification_world w(GENERATE(from_range(engines())));
  const auto one = w.notify();
  const auto other = w.notify();
  w.execute("UPDATE notifications SET content = (SELECT x.content FROM notifications AS x WHERE x.id = "
            + std::to_string(one.id.value) + ") WHERE id = " + std::to_string(other.id.value));
  const auto claims = w.claim();
  CHECK(claims.unreadable == 1);
  CHECK(claims.notifications.front().notification == one.id);
}

TEST_CASE("an attempt that was held back has no row and no number, and is due when it is said") {
  notification_world w(GENERATE(from_range(engines())));
  const auto made = w.sent();
  const auto give_back = [&](std::int64_t number) {
    const std::vector<core::returned_submission> returned{{made.id, number}};
    return committed(w.db(), [&](storage::session& in) {
      return storage::give_back_submissions(in, returned, at(30), at(2));
    });
  };
  CHECK(give_back(2) == 0);
  CHECK(give_back(1) == 1);
  CHECK(give_back(1) == 0);
  CHECK(w.state(made) == queued);
  CHECK(w.now(made).progress.due_at == at(30));
  CHECK(w.history(made).empty());
  CHECK(w.claim(29).notifications.empty());
  CHECK(w.claim(30).notifications.front().claim.number == 1);
  CHECK(w.history(made) == "1 dispatching");
}

TEST_CASE("when each profile has something to do is read at once, a lease that lapses included") {
  notification_world w(GENERATE(from_range(engines())));
  const auto all = [&] { return must(storage::all_next_notification_due(w.db())); };
  CHECK(all().empty());
  const auto made = w.sent();
  CHECK(all() == std::vector<core::profile_due>{{w.mail, at(61)}});
  w.notify();
  CHECK(all() == std::vector<core::profile_due>{{w.mail, at()}});
  CHECK(must(storage::next_notification_due(w.db(), w.mail)) == at());
  w.record(made, core::rejected_end(core::rejection_cause::provider));
  CHECK(all() == std::vector<core::profile_due>{{w.mail, at()}, {w.backup, at(2)}});
  CHECK(must(storage::next_notification_due(w.db(), w.backup)) == at(2));
}
