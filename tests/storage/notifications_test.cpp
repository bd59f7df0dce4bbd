#include "tests/storage/notification_world.hpp"

#include <atomic>
#include <thread>

using namespace sluice;
using namespace sluice::tests;
using std::string;
using enum core::notification_state;

namespace {

string names(notification_world& w, const core::notification_page& page) {
  string text;
  for (const auto& one : must(storage::list_notifications(w.db(), page)))
    text += one.idempotency_key + " ";
  return text;
}

core::notifications_pruned prune(notification_world& w, double until, core::notification_id after = {},
                                 std::int64_t limit = 100) {
  return committed(w.db(), [&](storage::session& in) {
    return storage::prune_notifications(in, at(until), after, limit);
  });
}

} // namespace

TEST_CASE("a notification is made with its terms, due at once at the first profile of its route") {
  notification_world w(GENERATE(from_range(engines())));
  auto wish = w.wanted("k");
  wish.expires_at = at(3600);
  const auto made = must(w.try_make(w.db(), wish));
  CHECK(made.made);
  CHECK(made.record.tenant == "acme");
  CHECK(made.record.idempotency_key == "k");
  CHECK(made.record.contact_public_id == w.person.public_id);
  CHECK(made.record.profile_name == "mail");
  CHECK(made.record.terms.route_length == 2);
  CHECK(made.record.terms.expires_at == at(3600));
  CHECK(made.record.progress == core::begin_notification(made.record.terms, at()));
}

TEST_CASE("what is told and to whom is in no column that can be read") {
  notification_world w(GENERATE(from_range(engines())));
  w.sent();
  CHECK(w.rows_with("on its way") == 0);
  CHECK(w.rows_with("ada@x.example") == 0);
  CHECK(w.rows_with("Your order") == 0);
  CHECK(w.count("notifications WHERE content LIKE 'v1.seal-a.%'") == "1");
}

TEST_CASE("a key makes one notification, whatever became of its contact point and route") {
  notification_world w(GENERATE(from_range(engines())));
  const auto first = w.notify(w.wanted("k"));
  w.remove(w.person);
  const auto again = must(w.try_make(w.db(), w.wanted("k"), at(9)));
  CHECK_FALSE(again.made);
  CHECK(again.record.public_id == first.public_id);
  CHECK(w.count("notifications") == "1");
}

TEST_CASE("a key of another request is refused, and one without a key is another each time") {
  notification_world w(GENERATE(from_range(engines())));
  w.notify(w.wanted("k"));
  auto other = w.wanted("k");
  other.request_digest = "another";
  const auto refused = w.try_make(w.db(), other);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == storage::error::refused);
  CHECK(refused.error().detail == "This idempotency key was used for another notification.");
  CHECK(w.notify().id != w.notify().id);
}

TEST_CASE("fifty that make the notification of one key at once make one") {
  notification_world w(GENERATE(from_range(engines())));
  std::atomic<int> made = 0, found = 0;
  {
    std::vector<std::jthread> threads;
    for (int n = 0; n < 5; ++n)
      threads.emplace_back([&] {
        auto db = w.session();
        for (int m = 0; m < 10; ++m)
          if (const auto got = w.try_make(db, w.wanted("k")))
            ++(got->made ? made : found);
      });
  }
  CHECK(made == 1);
  CHECK(found == 49);
  CHECK(w.count("notifications") == "1");
}

TEST_CASE("a notification is of its own tenant's contact point and route") {
  notification_world w(GENERATE(from_range(engines())));
  auto wish = w.wanted();
  wish.tenant = "globex";
  CHECK(w.try_make(w.db(), wish).error().detail == "The contact point does not exist.");
  wish.contact = w.contact(w.wish("bob@x.example", "globex")).record.id;
  CHECK(w.try_make(w.db(), wish).error().detail == "The route does not exist.");
  wish.tenant = "nobody";
  CHECK(w.try_make(w.db(), wish).error().code == storage::error::not_found);
  CHECK(w.count("notifications") == "0");
}

TEST_CASE("a notification to a suppressed contact point is made and failed at once, with the reason") {
  notification_world w(GENERATE(from_range(engines())));
  w.suppress(w.person, w.told(core::suppression_reason::complaint));
  const auto made = w.notify(w.wanted("k"));
  CHECK(made.progress.state == failed);
  CHECK(made.progress.error_class == "contact_suppressed");
  CHECK(made.progress.error == "the contact point is suppressed: complaint");
  CHECK(w.claim().notifications.empty());
  CHECK_FALSE(must(w.try_make(w.db(), w.wanted("k"))).made);
}

TEST_CASE("without a key nothing is made, and the failure quotes nothing") {
  notification_world w(GENERATE(from_range(engines())));
  w.sealing = {};
  const auto refused = w.try_make(w.db(), w.wanted());
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == storage::error::sealed);
  CHECK(refused.error().detail.find("order") == string::npos);
  CHECK(w.count("notifications") == "0");
}

TEST_CASE("notifications are found and listed by page, of the tenants that may be seen") {
  notification_world w(GENERATE(from_range(engines())));
  const auto a = w.notify(w.wanted("a"));
  const auto b = w.notify(w.wanted("b"));
  w.notify(w.wanted("c"));
  must(w.try_cancel(b));
  core::notification_page page;
  CHECK(names(w, page) == "c b a ");
  page.limit = 1;
  page.before = b.id;
  CHECK(names(w, page) == "a ");
  page = {};
  page.state = cancelled;
  CHECK(names(w, page) == "b ");
  page.state = ambiguous;
  CHECK(names(w, page).empty());
  page = {};
  page.contact = w.person.id;
  page.tenant = "acme";
  CHECK(names(w, page) == "c b a ");
  page.tenants.names = {"globex"};
  CHECK(names(w, page).empty());
  CHECK_FALSE(must(storage::find_notification(w.db(), a.public_id, page.tenants)));
}

TEST_CASE("a person cancels what is queued, with an audit row, and nothing that may be with a provider") {
  notification_world w(GENERATE(from_range(engines())));
  const auto one = w.notify();
  CHECK(must(w.try_cancel(one)).progress.state == cancelled);
  REQUIRE(w.audit(one.public_id).size() == 1);
  CHECK(w.audit(one.public_id).front().act == "cancel_notification");
  CHECK(w.audit(one.public_id).front().by == "ada");
  CHECK(w.claim().notifications.empty());

  const auto other = w.sent();
  const auto refused = w.try_cancel(other);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == storage::error::refused);
  CHECK(w.audit(other.public_id).empty());
  core::notification_record nobody;
  nobody.id = {999};
  CHECK(w.try_cancel(nobody).error().code == storage::error::not_found);
}

TEST_CASE("retention takes what is final and old, with all that hangs on it, so many at a time") {
  notification_world w(GENERATE(from_range(engines())));
  std::vector<core::notification_record> all;
  for (int n = 0; n < 4; ++n)
    all.push_back(w.notify());
  w.claim();
  w.record({{all[0].id, w.accepted("m-0")},
            {all[1].id, core::ambiguous_end()},
            {all[2].id, w.accepted("m-2")},
            {all[3].id, core::rejected_end(core::rejection_cause::message)}});
  w.append_event(w.event(core::provider_event_type::delivered, "m-0"));
  w.project();
  CHECK(w.count("attempt_projections") == "1");

  CHECK(prune(w, 2).notifications == 0); // changed since
  const auto first = prune(w, 60, {}, 2);
  CHECK(first.notifications == 1);
  CHECK(first.upto == all[1].id);
  CHECK_FALSE(first.through);
  CHECK(w.count("attempt_projections") == "0");
  CHECK(prune(w, 60, first.upto, 2).notifications == 2);
  const auto last = prune(w, 60, all[3].id);
  CHECK(last.through);
  CHECK(w.history(all[1]) == "1 ambiguous");
  CHECK(w.count("notifications") == "1");
  CHECK(w.count("notification_attempts") == "1");
  CHECK(w.count("reconciliation_targets WHERE kind = 'ambiguous_submission'") == "1");
}
