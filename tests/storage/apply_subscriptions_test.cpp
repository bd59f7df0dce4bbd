#include "storage/audit.hpp"
#include "storage/rules.hpp"
#include "storage/subscriptions.hpp"
#include "tests/storage/world.hpp"

using namespace sluice;
using namespace sluice::tests;

namespace {

using changes = std::vector<storage::configuration_change>;
using fields = std::vector<std::string>;

core::subscription_wish hook(const std::string& name = "hook") {
  core::subscription_wish wish;
  wish.written.tenant = "acme";
  wish.written.name = name;
  wish.written.url = "https://hooks.example.com/sluice";
  wish.headers = {{"X-Key", "canary-41fa", true}};
  wish.secret = "whsec_" + name;
  return wish;
}

storage::configuration plan_of(std::vector<core::subscription_wish> wishes) {
  storage::configuration plan;
  plan.tenants = {"acme"};
  plan.subscriptions = std::move(wishes);
  plan.by = "ann";
  return plan;
}

storage::result<changes> apply(world& here, const storage::configuration& plan, double seconds = 0) {
  return storage::transact(here.db(), [&](storage::session& db) {
    return storage::apply_configuration(db, plan, here.keys(), at(seconds), true);
  });
}

/// The last line of what an apply of this one wish answers.
storage::configuration_change applied(world& here, const core::subscription_wish& wish, double seconds = 0) {
  return must(apply(here, plan_of({wish}), seconds)).back();
}

core::served_subscription stored(world& here, const std::string& name = "hook") {
  auto found = must(storage::load_subscription(here.db(), "acme", name, here.keys()));
  REQUIRE(found);
  return *found;
}

/// The acts of the audit, the oldest first.
std::string acts(world& here) {
  std::string all;
  for (const auto& entry : must(storage::list_audit(here.db(), {}))) {
    CHECK(entry.by == "ann");
    CHECK(entry.tenant == "acme");
    CHECK(entry.subject == stored(here).settings.public_id);
    all.insert(0, entry.act + " ");
  }
  return all;
}

/// Everything that an apply could have written.
std::string versions(world& here) {
  return std::to_string(must(storage::subscriptions_version(here.db()))) + "/"
         + std::to_string(must(storage::configuration_version(here.db()))) + "/"
         + here.value("SELECT count(*) FROM audit_log");
}

void refused(world& here, const storage::configuration& plan, const std::vector<std::string>& words) {
  const auto before = versions(here);
  const auto outcome = apply(here, plan, 9);
  REQUIRE_FALSE(outcome.has_value());
  CHECK(outcome.error().code == storage::error::refused);
  for (const auto& word : words)
    CHECK_THAT(outcome.error().detail, Catch::Contains(word));
  CHECK(versions(here) == before);
}

} // namespace

TEST_CASE("an apply makes a subscription with its secret, and changes nothing the second time") {
  world here(GENERATE(from_range(engines())));
  const auto made = applied(here, hook(), 1);
  CHECK(made.kind == "subscription");
  CHECK(made.name == "hook");
  CHECK(made.tenant == "acme");
  CHECK(made.what == "create");
  const auto there = stored(here);
  CHECK(there.settings.url == "https://hooks.example.com/sluice");
  CHECK(there.settings.headers == std::vector<core::custom_header>{{"X-Key", "canary-41fa", true}});
  CHECK(there.settings.status == core::subscription_status::active);
  REQUIRE(there.secrets.size() == 1);
  CHECK(there.secrets.front().text == "whsec_hook");
  CHECK(acts(here) == "make_subscription ");
  CHECK(here.value("SELECT domain FROM wanted_domains") == "*");

  const auto before = versions(here);
  auto again = hook();
  again.secret = "whsec_other";
  CHECK(applied(here, again, 2).what == "same");
  CHECK(versions(here) == before);
  CHECK(stored(here).secrets == there.secrets);
  CHECK(stored(here).settings.updated_at == at(1));
}

TEST_CASE("an apply changes the members of a subscription that it names as changed, in one revision") {
  world here(GENERATE(from_range(engines())));
  applied(here, hook(), 1);
  auto wish = hook();
  wish.written.url = "https://hooks.example.com/other";
  wish.written.event_types = {"orders.*"};
  wish.headers = {{"X-Key", "canary-other", true}};
  const auto changed = applied(here, wish, 2);
  CHECK(changed.what == "change");
  CHECK(changed.fields == fields{"url", "event_types", "headers"});
  const auto there = stored(here);
  CHECK(there.settings.revision == 2);
  CHECK(there.settings.url == "https://hooks.example.com/other");
  CHECK(there.settings.headers.front().value == "canary-other");
  CHECK(there.secrets.front().text == "whsec_hook");
  CHECK(acts(here) == "make_subscription change_subscription ");
  CHECK(here.value("SELECT domain FROM wanted_domains") == "orders");
  wish.headers.reset();
  CHECK(applied(here, wish, 3).what == "same");
  wish.headers.emplace();
  CHECK(applied(here, wish, 4).fields == fields{"headers"});
  CHECK(stored(here).settings.headers.empty());
}

TEST_CASE("an apply pauses and resumes a subscription, and leaves the pause it does not name") {
  world here(GENERATE(from_range(engines())));
  auto wish = hook();
  wish.paused = true;
  CHECK(applied(here, wish, 1).what == "create");
  CHECK(stored(here).settings.status == core::subscription_status::paused);
  CHECK(applied(here, wish, 2).what == "same");
  CHECK(applied(here, hook(), 3).what == "same");
  CHECK(stored(here).settings.status == core::subscription_status::paused);
  wish.paused = false;
  CHECK(applied(here, wish, 4).fields == fields{"paused"});
  CHECK(stored(here).settings.status == core::subscription_status::active);
  CHECK(stored(here).settings.revision == 1);
  CHECK(acts(here) == "make_subscription pause_subscription resume_subscription ");
}

TEST_CASE("a disabled subscription is changed by an apply and stays disabled") {
  world here(GENERATE(from_range(engines())));
  applied(here, hook(), 1);
  committed(here.db(), [&](storage::session& db) {
    return storage::set_subscription_status(db,
                                            {.subscription = stored(here).settings.id,
                                             .from = core::subscription_status::active,
                                             .to = core::subscription_status::disabled,
                                             .cause = core::disable_cause::gone,
                                             .reason = "It answered 410."},
                                            at(2));
  });
  auto wish = hook();
  wish.paused = false;
  CHECK(applied(here, wish, 3).what == "same");
  wish.written.ordered_by = "/order";
  CHECK(applied(here, wish, 4).fields == fields{"ordered_by"});
  CHECK(stored(here).settings.status == core::subscription_status::disabled);
  CHECK(stored(here).settings.cause == core::disable_cause::gone);
}

TEST_CASE("an apply makes a tenant and its subscriptions at once, and leaves those it does not name") {
  world here(GENERATE(from_range(engines())));
  applied(here, hook(), 1);
  auto plan = plan_of({hook("reader"), hook("hook")});
  plan.tenants = {"globex"};
  plan.subscriptions[0].written.mode = core::subscription_mode::pull;
  plan.subscriptions[0].written.url.clear();
  plan.subscriptions[0].headers.reset();
  plan.subscriptions[0].secret.clear();
  plan.subscriptions[1].written.tenant = "globex";
  const auto made = must(apply(here, plan, 2));
  REQUIRE(made.size() == 3);
  CHECK(made[1].what == "create");
  CHECK(made[2].what == "create");
  CHECK(made[2].tenant == "globex");
  CHECK(stored(here).settings.revision == 1);
  CHECK(stored(here, "reader").secrets.empty());
  CHECK(here.value("SELECT count(*) FROM subscriptions") == "3");
}

TEST_CASE(
    "what an apply may not do to a subscription is refused with everything else, and nothing is written") {
  world here(GENERATE(from_range(engines())));
  applied(here, hook(), 1);
  auto plan = plan_of({hook(), hook("other"), hook("third"), hook("third")});
  plan.subscriptions[0].written.mode = core::subscription_mode::pull;
  plan.subscriptions[1].written.tenant = "nobody";
  storage::configuration::rule rule;
  rule.rule.name = "to-crm";
  rule.rule.domain = "customers";
  rule.source_name = rule.target_name = "nowhere";
  plan.rules = {rule};
  refused(here, plan,
          {"subscription \"hook\" of tenant \"acme\" stays push",
           "subscription \"other\" names tenant \"nobody\", which does not exist", "\"third\" is named twice",
           "rule \"to-crm\" names connection \"nowhere\", which does not exist"});
}

TEST_CASE("a subscription that was removed is made anew by an apply") {
  world here(GENERATE(from_range(engines())));
  applied(here, hook(), 1);
  const auto before = stored(here).settings;
  committed(here.db(), [&](storage::session& db) {
    return storage::remove_subscription(db, {before.id, "ann", std::nullopt}, at(2));
  });
  CHECK(applied(here, hook(), 3).what == "create");
  CHECK(stored(here).settings.public_id != before.public_id);
}

TEST_CASE("an apply of subscriptions alone is not a change of the rules' configuration") {
  world here(GENERATE(from_range(engines())));
  must(apply(here, plan_of({}), 1));
  const auto before = must(storage::configuration_version(here.db()));
  applied(here, hook(), 2);
  CHECK(must(storage::configuration_version(here.db())) == before);
  CHECK(must(storage::subscriptions_version(here.db())) > 0);
}

TEST_CASE("without a key no subscription that has a secret is made") {
  world here(GENERATE(from_range(engines())));
  const auto outcome = storage::transact(here.db(), [&](storage::session& db) {
    return storage::apply_configuration(db, plan_of({hook()}), {}, at(), true);
  });
  REQUIRE_FALSE(outcome.has_value());
  CHECK(outcome.error().code == storage::error::sealed);
  CHECK_THAT(outcome.error().detail, !Catch::Contains("canary"));
  CHECK(here.value("SELECT count(*) FROM subscriptions") == "0");
  CHECK(here.value("SELECT count(*) FROM tenants") == "0");
}
