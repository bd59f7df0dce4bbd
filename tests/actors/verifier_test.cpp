#include "storage/rules.hpp"
#include "tests/actors/consent_world.hpp"
#include "tests/actors/verifier_world.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

using namespace sluice;
using core::drift;
using core::drift_counts;
using core::verify_phase;
using tests::verifier_world;
using namespace std::chrono_literals;

namespace {

const core::drift_example* example_of(const core::verification& report, const std::string& source_id) {
  const auto found = std::ranges::find(report.examples, source_id, &core::drift_example::source_id);
  return found == report.examples.end() ? nullptr : &*found;
}

/// From now on consents are looked up at their customer's place.
void nest_lookups(verifier_world& w) {
  auto settings = nlohmann::json::parse(w.target().settings_text());
  settings["domains"]["consents"]["operations"]["lookup"] = {
      {"path", "/customers/{anchor_id}/{domain}?external_id={source_id}"}, {"matches", "/items"}};
  auto crm = w.connection("crm");
  crm.settings = settings.dump();
  crm.credentials = w.target().credentials_text();
  storage::configuration plan;
  plan.tenants = {crm.tenant};
  plan.connections = {std::move(crm)};
  w.must(storage::transact(w.db(), [&](storage::session& within) {
    return storage::apply_configuration(within, plan, *w.keys(), w.now(), true);
  }));
  w.hint();
}

} // namespace

TEST_CASE("a target that holds what the ledger says agrees, and nothing is written for it") {
  verifier_world w(230);
  const auto row = w.row("c-7");
  const auto runs = w.runs().size();

  const auto report = w.verify();

  CHECK(report.phase == verify_phase::done);
  CHECK(report.ended_at);
  CHECK(report.total == 230);
  CHECK(report.examined == 230);
  CHECK(report.counts == drift_counts{.agrees = 230});
  CHECK(report.examples.empty());
  CHECK(w.target().count("GET") == 230);
  CHECK(w.row("c-7") == row);
  CHECK(w.runs().size() == runs);
  CHECK(w.intents().empty());
}

TEST_CASE("whatever contradicts the ledger is found as what it is, with the ids of both sides") {
  verifier_world w(5);
  const auto first = w.id_of("c-1");
  const auto second = w.id_of("c-2");
  w.target().forget(first);
  w.target().forget(second);
  const auto put_by_hand = w.target().hold("c-2");
  w.target().hold("c-3");
  w.delete_record("c-4");
  w.settle();
  REQUIRE(w.status("c-4") == "withdrawn");
  const auto back = w.target().hold("c-4");

  const auto report = w.verify();

  CHECK(report.phase == verify_phase::done);
  CHECK(report.counts
        == drift_counts{.agrees = 1, .missing = 1, .other_id = 1, .several = 1, .present_though_absent = 1});
  REQUIRE(report.examples.size() == 4);
  CHECK(example_of(report, "c-1")->compared.finding == drift::missing);
  CHECK(example_of(report, "c-1")->ledger_id == first);
  CHECK(example_of(report, "c-2")->compared.finding == drift::other_id);
  CHECK(example_of(report, "c-2")->ledger_id == second);
  CHECK(example_of(report, "c-2")->compared.target_id == put_by_hand);
  CHECK(example_of(report, "c-3")->compared.finding == drift::several);
  CHECK(example_of(report, "c-4")->compared.finding == drift::present_though_absent);
  CHECK(example_of(report, "c-4")->compared.target_id == back);
  CHECK(w.status("c-1") == "delivered"); // found, and left to a person
}

TEST_CASE("a lookup that fails leaves its record unknown, with the class of the error") {
  verifier_world w(3);
  w.target().next(harness::answer(500));

  const auto report = w.verify();

  CHECK(report.phase == verify_phase::done);
  CHECK(report.counts == drift_counts{.agrees = 2, .unknown = 1});
  REQUIRE(report.examples.size() == 1);
  CHECK(report.examples.front().compared.error_class == "http_500");
}

TEST_CASE("a sample looks up as many records as were asked for, from the whole ledger") {
  verifier_world w(120);

  const auto report = w.verify(50);

  CHECK(report.phase == verify_phase::done);
  CHECK(report.total == 50);
  CHECK(report.counts == drift_counts{.agrees = 50});
  CHECK(w.target().count("GET") == 50);
  std::set<std::string> paths;
  for (const auto& call : w.target().calls())
    if (call.method == "GET")
      paths.insert(call.path);
  CHECK(paths.size() == 50);
  CHECK(w.verify(500).counts == drift_counts{.agrees = 120});
}

TEST_CASE("a record that is written while it is looked up is no drift") {
  verifier_world w(3);
  w.target().forget(w.id_of("c-1"));
  w.slow_lookups(5s);
  w.start();
  w.put_record("c-1", "-new");
  w.settle();
  REQUIRE(w.status("c-1") == "remote_gone");

  w.advance(6s);

  CHECK(w.look().phase == verify_phase::done);
  CHECK(w.look().counts == drift_counts{.agrees = 2, .changed_meanwhile = 1});
}

TEST_CASE("a record whose deletion is on its way is no drift") {
  verifier_world w(3);
  w.target().on("DELETE", harness::serve().after(5s));
  w.delete_record("c-1");
  w.settle();
  REQUIRE(w.target().objects().size() == 2); // deleted, and the answer is still to come
  REQUIRE(w.status("c-1") == "delivered");

  CHECK(w.verify().counts == drift_counts{.agrees = 2, .changed_meanwhile = 1});
  w.advance(6s);
  CHECK(w.verify().counts == drift_counts{.agrees = 3});
}

TEST_CASE("lookups wait out a 429 of the target, and are all made in the end") {
  verifier_world w(12);
  auto lookups = 0;
  w.target().decide([&lookups](const harness::seen_call&) -> std::optional<harness::reaction> {
    return ++lookups == 6 ? std::optional{harness::rate_limit("30")} : std::nullopt;
  });

  w.start();
  auto report = w.look();
  CHECK(report.phase == verify_phase::looking);
  REQUIRE(report.waits_until);
  CHECK(*report.waits_until == w.now() + 30s);
  const auto made = w.target().count("GET");
  w.advance(29s);
  CHECK(w.target().count("GET") == made);

  report = w.await_end();
  CHECK(report.phase == verify_phase::done);
  CHECK(report.counts == drift_counts{.agrees = 12});
  CHECK_FALSE(report.waits_until);
  CHECK(w.target().count("GET") == 13);
}

TEST_CASE("lookups stay within the connection's budget") {
  verifier_world w(25, {.requests_per_minute = 10});

  w.start();
  const auto report = w.await_end();

  CHECK(report.counts == drift_counts{.agrees = 25});
  CHECK(w.target().most_calls_within(59s) <= 10);
}

TEST_CASE("a refused access token is renewed for lookups too") {
  verifier_world w(10, {.oauth2 = true});
  REQUIRE(w.verify().phase == verify_phase::done); // the token keeper has one now
  w.target().revoke_tokens();

  const auto report = w.verify();

  CHECK(report.phase == verify_phase::done);
  CHECK(report.counts == drift_counts{.agrees = 10});
}

TEST_CASE("a rule that is changed or switched off meanwhile is verified to the end, and the report says so") {
  verifier_world w(3);
  w.slow_lookups(1s);
  w.start();
  harness::rule_options changed;
  changed.mapping = R"({"external_id":{"template":"{source_id}"}})";
  changed.active = false;
  w.change_rule("customers", changed);

  const auto report = w.await_end();

  CHECK(report.phase == verify_phase::done);
  CHECK(report.counts == drift_counts{.agrees = 3});
  CHECK(report.rule_changed);
  CHECK(report.rule_switched_off);
}

TEST_CASE("a lookup that takes the parent's id is made with it; without a parent the record stays unknown") {
  verifier_world w(1);
  nest_lookups(w);
  w.add_rule("consents", tests::consent_rule());
  w.put_payload("k-1", R"({"customer":"c-1"})", tests::consents);
  w.put_payload("k-2", R"({"customer":"c-2"})", tests::consents);
  w.settle();
  REQUIRE(w.status("k-1", "consents") == "delivered");
  REQUIRE(w.status("k-2", "consents") == "awaiting_anchor");

  w.told(tests::m::start_verify{w.rule_id("consents"), {}});
  const auto report = w.told(tests::m::read_verify{w.rule_id("consents")});

  CHECK(report.counts == drift_counts{.agrees = 1, .unknown = 1});
  REQUIRE(report.examples.size() == 1);
  CHECK(report.examples.front().source_id == "k-2");
  CHECK(report.examples.front().compared.error_class == "no_parent");
  CHECK(w.target().calls().back().path == "/customers/" + w.id_of("c-1") + "/consents?external_id=k-1");
}
