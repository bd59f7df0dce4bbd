#include "storage/intents.hpp"
#include "storage/reconciliation_targets.hpp"
#include "storage/waiting_rows.hpp"
#include "tests/storage/delivery_world.hpp"

using namespace sluice;
using namespace sluice::tests;
using core::delivery_status;

namespace {

core::ledger_row ended_row(const std::string& id, delivery_status status,
                           const std::string& error_class = "http_500") {
  auto row = delivered_row(id, at(1));
  row.status = status;
  row.error_class = error_class;
  row.attempts = 5;
  return row;
}

} // namespace

TEST_CASE("ambiguous rows are listed by the page, each with what is known of its create") {
  delivery_world world(GENERATE(from_range(engines())));
  world.put({"a", "b", "c"}, at(1));
  world.write({ended_row("a", delivery_status::ambiguous), ended_row("b", delivery_status::delivered),
               ended_row("c", delivery_status::ambiguous)},
              at(4));
  core::intent made;
  made.record = world.record("a").id;
  made.source_id = "a";
  made.made_at = at(3);
  made.idempotency_key = "key";
  made.body = "a secret";
  must(storage::write_intents(world.db(), world.rule.id, std::vector{made}, world.keys()));

  auto listed = must(storage::list_ambiguous(world.db(), {world.rule.id, "", 1}));
  REQUIRE(listed.size() == 1);
  CHECK(listed[0].row.source_id == "a");
  CHECK(listed[0].since == at(4));
  REQUIRE(listed[0].made);
  CHECK(listed[0].made->record == made.record);
  CHECK(listed[0].made->made_at == at(3));
  CHECK(listed[0].made->idempotency_key == "key");
  CHECK(listed[0].made->body.empty());
  listed = must(storage::list_ambiguous(world.db(), {world.rule.id, "a", 9}));
  REQUIRE(listed.size() == 1);
  CHECK(listed[0].row.source_id == "c");
  CHECK_FALSE(listed[0].made);
}

TEST_CASE("people see rules' unknown creates beside what is not known of notifications") {
  delivery_world w(GENERATE(from_range(engines())));
  const auto& rule = w.rule;
  std::vector<core::intent> unknown(3);
  for (std::size_t i = 0; i < unknown.size(); ++i) {
    unknown[i].record = {static_cast<std::int64_t>(i) + 1};
    unknown[i].source_id = "c-" + std::to_string(i + 1);
    unknown[i].made_at = at(static_cast<double>(i));
    unknown[i].settle_at = at(60);
    unknown[i].settle_attempts = core::own_looks_at_create;
  }
  unknown[2].settle_at.reset();
  w.write({ended_row("c-3", delivery_status::ambiguous)}, at(4));
  must(storage::write_intents(w.db(), rule.id, unknown, w.keys()));
  core::unknown_create_page page;
  page.limit = 2;
  const auto first = must(storage::list_unknown_creates(w.db(), page));
  REQUIRE(first.size() == 2);
  CHECK(first[0].rule_name == rule.name);
  CHECK(first[0].source_id == "c-1");
  CHECK(first[0].looks == core::own_looks_at_create);
  CHECK(first[0].next_look == at(60));
  CHECK_FALSE(first[0].needs_person);
  page.after = {first[1].rule, first[1].record};
  const auto second = must(storage::list_unknown_creates(w.db(), page));
  REQUIRE(second.size() == 1);
  CHECK(second[0].needs_person);
  page = {};
  page.for_people = true;
  CHECK(must(storage::list_unknown_creates(w.db(), page)).size() == 1);
  const auto counts = must(storage::count_unsettled(w.db(), {}, at(100)));
  CHECK(counts.creates.targets == 3);
  CHECK(counts.creates.for_people == 1);
  CHECK(counts.creates.since == at(0));
  CHECK(counts.creates.next_look == at(60));
  core::tenant_scope others;
  others.names = std::vector<std::string>{"globex"};
  page.tenants = others;
  CHECK(must(storage::list_unknown_creates(w.db(), page)).empty());
  CHECK(must(storage::count_unsettled(w.db(), others, at(100))).creates.targets == 0);
  CHECK(must(storage::rules_of_due_creates(w.db(), at(59))).empty());
  CHECK(must(storage::rules_of_due_creates(w.db(), at(60))) == std::vector{rule.id});
}
