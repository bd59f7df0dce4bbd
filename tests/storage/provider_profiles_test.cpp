#include "storage/notification_routes.hpp"
#include "tests/storage/contact_world.hpp"

using namespace sluice;
using namespace sluice::tests;
using std::string;

namespace {

struct profile_world : contact_world {
  using contact_world::contact_world;

  storage::result<core::profile_record> change(const core::profile_change& to, core::timestamp now = at(1)) {
    return storage::transact(
        db(), [&](storage::session& in) { return storage::change_profile(in, to, sealing, now); });
  }

  storage::result<bool> remove(const core::profile_record& of, std::optional<std::int64_t> revision = {}) {
    return storage::transact(db(), [&](storage::session& in) {
      return storage::remove_profile(in, {of.profile.id, revision}, at(2));
    });
  }

  std::int64_t version() { return must(storage::profiles_version(db())); }

  string names(const core::profile_page& page) {
    string found;
    for (const auto& one : must(storage::list_profiles(db(), page)))
      found += one.profile.name;
    return found;
  }
};

core::profile_change change_of(const core::profile_record& seen) {
  return {.written = seen.profile, .keeps_credentials = true, .revision = seen.revision};
}

} // namespace

TEST_CASE("a profile is kept as it was written, and only loading it gives its credentials away") {
  profile_world w(GENERATE(from_range(engines())));
  const auto before = w.version();
  const auto made = w.make(w.profile("mail"));
  CHECK(w.version() > before);
  CHECK(made.profile.public_id.size() == 36);
  CHECK(made.revision == 1);
  CHECK(made.has_credentials);
  const auto found = must(storage::find_profile(w.db(), made.profile.public_id, {}));
  REQUIRE(found);
  CHECK(found->profile.provider == core::provider_kind::smtp);
  CHECK(found->profile.settings == R"({"host":"mail.example.com"})");
  for (const auto& shown : {made, *found, must(storage::list_profiles(w.db(), {})).front()})
    CHECK(shown.profile.credentials.empty());
  CHECK(w.loaded(made)->credentials == R"({"password":"pw-mail"})");
  CHECK(must(storage::load_profile(w.db(), made.profile.public_id, w.sealing))->credentials
        == R"({"password":"pw-mail"})");
  CHECK(w.value("SELECT credentials FROM provider_profiles").starts_with("v1.seal-a."));
  auto open = w.profile("open");
  open.credentials.clear();
  const auto without = w.make(open);
  CHECK_FALSE(without.has_credentials);
  CHECK(w.loaded(without)->credentials.empty());
}

TEST_CASE("credentials that were moved to another profile do not open") {
  profile_world w(GENERATE(from_range(engines())));
  const auto one = w.make(w.profile("one"));
  const auto two = w.make(w.profile("two"));
  w.execute("UPDATE provider_profiles SET credentials = (SELECT credentials FROM provider_profiles "
            "WHERE name = 'one') WHERE name = 'two'");
  const auto loaded = storage::load_profile(w.db(), two.profile.id, w.sealing);
  REQUIRE_FALSE(loaded);
  CHECK(loaded.error().code == storage::error::sealed);
  CHECK_THAT(loaded.error().detail, !Catch::Contains("pw-"));
  CHECK(w.loaded(one));
}

TEST_CASE("a live profile's name is taken in its tenant, a removed one's is free again") {
  profile_world w(GENERATE(from_range(engines())));
  const auto made = w.make(w.profile("mail"));
  const auto again = w.try_profile(w.profile("mail"));
  REQUIRE_FALSE(again);
  CHECK(again.error().code == storage::error::refused);
  CHECK_THAT(again.error().detail, Catch::Contains("\"mail\"") && !Catch::Contains("pw-"));
  w.make(w.profile("mail", "globex"));
  auto other = change_of(w.make(w.profile("other")));
  other.written.name = "mail";
  CHECK(w.change(other).error().code == storage::error::refused);
  CHECK(must(w.remove(made)));
  CHECK_FALSE(must(w.remove(made)));
  CHECK_FALSE(w.loaded(made));
  CHECK(must(w.change(other)).profile.name == "mail");
  CHECK(w.value("SELECT credentials || sealing_key FROM provider_profiles WHERE deleted_at IS NOT NULL")
            .empty());
  CHECK(w.try_profile(w.profile("x", "nobody")).error().code == storage::error::not_found);
}

TEST_CASE("a change is compare-and-set on the revision, and keeps the credentials unless it says otherwise") {
  profile_world w(GENERATE(from_range(engines())));
  auto change = change_of(w.make(w.profile("mail")));
  change.written.settings = R"({"host":"other.example.com"})";
  const auto before = w.version();
  const auto once = must(w.change(change));
  CHECK(w.version() > before);
  CHECK(once.revision == 2);
  CHECK(once.updated_at == at(1));
  CHECK(w.loaded(once)->settings == R"({"host":"other.example.com"})");
  CHECK(w.loaded(once)->credentials == R"({"password":"pw-mail"})");
  const auto late = w.change(change);
  REQUIRE_FALSE(late);
  CHECK(late.error().code == storage::error::refused);
  CHECK_THAT(late.error().detail, Catch::Contains("\"mail\"") && Catch::Contains("revision is 2"));
  change.revision = 2;
  change.keeps_credentials = false;
  change.written.credentials = R"({"password":"new"})";
  const auto twice = must(w.change(change));
  CHECK(twice.profile.credentials.empty());
  CHECK(w.loaded(twice)->credentials == R"({"password":"new"})");
  change.revision = 3;
  change.written.credentials.clear();
  CHECK_FALSE(must(w.change(change)).has_credentials);
  change.revision = 4;
  change.written.provider = core::provider_kind::ses;
  CHECK(w.change(change).error().code == storage::error::refused);
}

TEST_CASE("the removal of a profile that says what it has seen is refused where somebody else was first") {
  profile_world w(GENERATE(from_range(engines())));
  const auto made = w.make(w.profile("mail"));
  must(w.change(change_of(made)));
  const auto late = w.remove(made, 1);
  REQUIRE_FALSE(late);
  CHECK(late.error().code == storage::error::refused);
  CHECK(must(w.remove(made, 2)));
}

TEST_CASE("a profile that is a step of a route is not removed") {
  profile_world w(GENERATE(from_range(engines())));
  const auto made = w.make(w.profile("mail"));
  core::notification_route route;
  route.tenant = "acme";
  route.name = "alerts";
  route.steps = {{"mail", {}, {}}};
  const auto over = committed(
      w.db(), [&](storage::session& in) { return storage::make_notification_route(in, route, at()); });
  const auto refused = w.remove(made);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == storage::error::refused);
  CHECK_THAT(refused.error().detail, Catch::Contains("\"mail\"") && Catch::Contains("\"alerts\""));
  committed(w.db(),
            [&](storage::session& in) { return storage::remove_notification_route(in, {over.id}, at()); });
  CHECK(must(w.remove(made)));
}

TEST_CASE("profiles are listed by page, of the tenants that may be seen and by provider") {
  profile_world w(GENERATE(from_range(engines())));
  const auto a = w.make(w.profile("a"));
  auto sms = w.profile("b");
  sms.provider = core::provider_kind::twilio;
  w.make(sms);
  w.make(w.profile("c", "globex"));
  core::profile_page page;
  CHECK(w.names(page) == "abc");
  page.limit = 1;
  page.after_id = a.profile.id;
  CHECK(w.names(page) == "b");
  page = {};
  page.tenants.names = {"acme"};
  CHECK(w.names(page) == "ab");
  page.provider = core::provider_kind::twilio;
  CHECK(w.names(page) == "b");
  page = {};
  page.tenant = "globex";
  CHECK(w.names(page) == "c");
  core::tenant_scope globex;
  globex.names = {"globex"};
  CHECK_FALSE(must(storage::find_profile(w.db(), a.profile.public_id, globex)));
}
