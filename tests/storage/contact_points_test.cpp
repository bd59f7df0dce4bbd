#include "tests/storage/contact_world.hpp"

#include <algorithm>
#include <atomic>
#include <fstream>
#include <iterator>
#include <thread>

using namespace sluice;
using namespace sluice::tests;
using core::contact_kind;
using core::suppression_reason;
using std::string;

namespace {

string names(contact_world& w, const core::contact_page& page) {
  string found;
  for (const auto& one : must(storage::list_contact_points(w.db(), page)))
    found += w.address_of(one).value_or("-") + " ";
  return found;
}

string bytes_of(const string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

} // namespace

TEST_CASE("a contact point is made once, and its address opens again") {
  contact_world w(GENERATE(from_range(engines())));
  const auto made = w.contact(w.wish("ada@example.com"));
  CHECK(made.made);
  CHECK(made.record.public_id.size() == 36);
  CHECK(made.record.tenant == "acme");
  CHECK(made.record.kind == contact_kind::email);
  CHECK(made.record.created_at == at());
  CHECK_FALSE(made.record.suppression);
  CHECK_FALSE(made.record.token_seen_at);
  const auto again = w.contact(w.wish("ada@example.com"), at(5));
  CHECK_FALSE(again.made);
  CHECK(again.record.id == made.record.id);
  CHECK(again.record.updated_at == at());
  CHECK(w.address_of(made.record) == "ada@example.com");
  CHECK(must(storage::find_contact_point(w.db(), "acme", {contact_kind::email, "ada@example.com"},
                                         w.fingerprints))
            ->id
        == made.record.id);
  CHECK_FALSE(must(
      storage::find_contact_point(w.db(), "acme", {contact_kind::email, "eve@example.com"}, w.fingerprints)));
}

TEST_CASE("the same text is another contact point in another tenant and of another kind") {
  contact_world w(GENERATE(from_range(engines())));
  const auto one = w.contact(w.wish("x1")).record;
  const auto elsewhere = w.contact(w.wish("x1", "globex")).record;
  const auto token = w.contact(w.wish("x1", "acme", contact_kind::fcm_token)).record;
  CHECK(one.id != elsewhere.id);
  CHECK(one.id != token.id);
  CHECK(w.value("SELECT count(DISTINCT fingerprint) FROM contact_points") == "2");
  CHECK(w.try_contact(w.wish("x1", "nobody")).error().code == storage::error::not_found);
}

TEST_CASE("fifty that ask for one address at once get one contact point") {
  contact_world w(GENERATE(from_range(engines())));
  w.fingerprints = GENERATE(0, 1) == 0 ? ring_of({"find-b"}) : ring_of({"find-c", "find-b"});
  std::atomic<int> made = 0, found = 0;
  {
    std::vector<std::jthread> threads;
    for (int n = 0; n < 5; ++n)
      threads.emplace_back([&] {
        auto db = w.session();
        for (int m = 0; m < 10; ++m)
          if (const auto got = storage::transact(db, [&](storage::session& in) {
                return storage::find_or_create_contact_point(in, w.wish("a@b.example"), w.rings(), at());
              }))
            ++(got->made ? made : found);
      });
  }
  CHECK(made == 1);
  CHECK(found == 49);
  CHECK(w.value("SELECT count(*) FROM contact_points") == "1");
}

TEST_CASE("contact points are found and listed by page, of the tenants that may be seen") {
  contact_world w(GENERATE(from_range(engines())));
  const auto a = w.contact("a@x.example");
  const auto b = w.contact("b@x.example");
  w.contact(w.wish("+4930123456", "acme", contact_kind::phone));
  const auto c = w.contact(w.wish("c@x.example", "globex")).record;
  w.suppress(b, w.told(suppression_reason::hard_bounce));
  core::contact_page page;
  CHECK(names(w, page) == "a@x.example b@x.example +4930123456 c@x.example ");
  page.limit = 1;
  page.after_id = a.id;
  CHECK(names(w, page) == "b@x.example ");
  page = {};
  page.tenants.names = {"globex"};
  CHECK(names(w, page) == "c@x.example ");
  CHECK_FALSE(must(storage::find_contact_point(w.db(), a.public_id, page.tenants)));
  CHECK(must(storage::find_contact_point(w.db(), c.public_id, page.tenants)));
  page = {};
  page.tenant = "acme";
  page.kind = contact_kind::email;
  CHECK(names(w, page) == "a@x.example b@x.example ");
  page.suppressed = true;
  CHECK(names(w, page) == "b@x.example ");
  page.suppressed = false;
  CHECK(names(w, page) == "a@x.example ");
  page.tenants.names.emplace();
  CHECK(names(w, page).empty());
}

TEST_CASE("a removed contact point keeps no address, and its address makes a new one") {
  contact_world w(GENERATE(from_range(engines())));
  const auto made = w.contact("a@x.example");
  CHECK(w.remove(made));
  CHECK_FALSE(w.remove(made));
  CHECK_FALSE(w.stored(made));
  CHECK_FALSE(w.address_of(made));
  CHECK(names(w, {}).empty());
  CHECK(
      w.value("SELECT address || fingerprint || sealing_key || fingerprint_key FROM contact_points").empty());
  const auto again = w.contact("a@x.example");
  CHECK(again.id != made.id);
  CHECK_FALSE(again.suppression);
}

TEST_CASE("an address that was moved to another contact point does not open") {
  contact_world w(GENERATE(from_range(engines())));
  const auto one = w.contact("one@x.example");
  const auto two = w.contact("two@x.example");
  w.execute("UPDATE contact_points SET address = (SELECT address FROM contact_points WHERE id = "
            + std::to_string(one.id.value) + ") WHERE id = " + std::to_string(two.id.value));
  const auto opened = storage::open_contact_point(w.db(), two.id, w.sealing);
  REQUIRE_FALSE(opened);
  CHECK(opened.error().code == storage::error::sealed);
}

TEST_CASE("without a key nothing is made and nothing opens, and no failure quotes the address") {
  contact_world w(GENERATE(from_range(engines())));
  const auto made = w.contact("canary-7@x.example");
  const auto refused = [](const auto& outcome) {
    REQUIRE_FALSE(outcome);
    CHECK(outcome.error().code == storage::error::sealed);
    CHECK_THAT(outcome.error().detail, !Catch::Contains("canary"));
  };
  refused(storage::open_contact_point(w.db(), made.id, ring_of({"seal-z"})));
  w.sealing = {};
  refused(w.try_contact(w.wish("canary-8@x.example")));
  w.sealing = ring_of({"seal-a"});
  w.fingerprints = {};
  refused(w.try_contact(w.wish("canary-7@x.example")));
  refused(storage::find_contact_point(w.db(), "acme", {contact_kind::email, "canary-7@x.example"}, {}));
  w.fingerprints = ring_of({"find-b"});
  w.execute("ALTER TABLE contact_points RENAME TO elsewhere");
  const auto broken = w.try_contact(w.wish("canary-7@x.example"));
  REQUIRE_FALSE(broken);
  CHECK_THAT(broken.error().detail, !Catch::Contains("canary"));
}

TEST_CASE("no column of any table holds an address or a credential in clear") {
  contact_world w(GENERATE(from_range(engines())));
  auto wish = w.wish("canary-address@x.example");
  wish.registered_at = at();
  const auto one = w.contact(wish).record;
  auto profile = w.profile("visible-name");
  profile.credentials = R"({"password":"canary-credential"})";
  const auto made = w.make(profile);
  w.suppress(one, w.told(suppression_reason::complaint));
  w.lift(one);
  w.suppress(one, w.told(suppression_reason::hard_bounce));
  const auto two = w.contact("canary-second@x.example");
  w.suppress(two, w.told(suppression_reason::person));
  w.remove(two);
  CHECK(w.loaded(made)->credentials == profile.credentials);
  CHECK(w.rows_with("visible-name") == 1);
  CHECK(w.rows_with("550 5.1.1") > 2);
  CHECK(w.rows_with("canary") == 0);
  if (w.where().kind == storage::engine::sqlite) {
    const auto files = bytes_of(w.where().target) + bytes_of(w.where().target + "-wal");
    CHECK(files.find("visible-name") != string::npos);
    CHECK(files.find("canary") == string::npos);
  }
}
