#include "storage/intents.hpp"
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
