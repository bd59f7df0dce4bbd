#include "storage/intent_batches.hpp"
#include "storage/intents.hpp"
#include "storage/soci_session.hpp"
#include "tests/storage/delivery_world.hpp"

using namespace sluice;
using namespace sluice::tests;

namespace {

core::intent intent_of(std::int64_t record, std::int64_t row_version = 0) {
  core::intent one;
  one.record = core::record_id{record};
  one.source_id = "s\"" + std::to_string(record);
  one.content_changed_at = at(0.000001);
  one.create_generation = 2;
  one.run = core::run_id{9007199254740993};
  one.made_at = at(1.000001);
  one.idempotency_key = "key-" + std::to_string(record);
  one.body = "{\"email\":\"canary@example.test\"}";
  one.row_version = row_version;
  return one;
}

core::intent_batch_id write(delivery_world& world, const std::vector<core::intent>& intents) {
  return committed(world.db(), [&](storage::session& db) {
    return storage::write_intent_batch(db, world.rule.id, intents, world.keys());
  });
}

std::vector<core::intent> unknown(delivery_world& world) {
  return must(storage::read_intents(world.db(), world.rule.id, std::nullopt, 100, world.keys()));
}

void adopt(delivery_world& world) {
  committed(world.db(),
            [&](storage::session& db) { return storage::adopt_intent_batches(db, world.rule.id, at(7)); });
}

core::ledger_row row_of(const core::intent& intent, std::int64_t version) {
  core::ledger_row row;
  row.source_id = intent.source_id;
  row.status = core::delivery_status::delivered;
  row.target = core::target_state::active;
  row.remote_id = "r";
  row.row_version = version;
  return row;
}

} // namespace

TEST_CASE("a batch's intents come back whole, their bodies sealed in between") {
  delivery_world world(GENERATE(from_range(engines())));
  CHECK(write(world, {intent_of(2), intent_of(1)}));
  std::string stored;
  must(storage::guarded(world.db(), "Reading a batch", [&] {
    storage::query(world.db(), "SELECT intents FROM delivery_intent_batches").into(stored).run();
  }));
  CHECK(stored.find("canary") == std::string::npos);
  const auto found = unknown(world);
  REQUIRE(found.size() == 2);
  const auto expected = intent_of(1);
  CHECK(found[0].record == expected.record);
  CHECK(found[0].source_id == expected.source_id);
  CHECK(found[0].content_changed_at == expected.content_changed_at);
  CHECK(found[0].create_generation == expected.create_generation);
  CHECK(found[0].run == expected.run);
  CHECK(found[0].made_at == expected.made_at);
  CHECK(found[0].idempotency_key == expected.idempotency_key);
  CHECK(found[0].body == expected.body);
}

TEST_CASE("a create whose row has moved on since its intent is not unknown") {
  delivery_world world(GENERATE(from_range(engines())));
  const auto first_row = intent_of(1);
  const auto later_row = intent_of(2, 1);
  const auto still_out = intent_of(3, 1);
  world.write({row_of(later_row, 1), row_of(still_out, 1)});
  write(world, {first_row, later_row, still_out});
  world.write({row_of(first_row, 1), row_of(later_row, 2)});
  const auto found = unknown(world);
  REQUIRE(found.size() == 1);
  CHECK(found[0].record == still_out.record);
}

TEST_CASE("what a life left becomes intents of their own, once") {
  delivery_world world(GENERATE(from_range(engines())));
  const auto known = intent_of(2);
  write(world, {intent_of(1), known});
  world.write({row_of(known, 1)});
  adopt(world);
  adopt(world);
  const auto found = unknown(world);
  REQUIRE(found.size() == 1);
  CHECK(found[0].record == core::record_id{1});
  CHECK(found[0].body == intent_of(1).body);
  std::int64_t batches = -1;
  must(storage::guarded(world.db(), "Counting batches", [&] {
    storage::query(world.db(), "SELECT count(*) FROM delivery_intent_batches").into(batches).run();
  }));
  CHECK(batches == 0);
}

TEST_CASE("a record whose withdrawal was out when the node stopped is due at once, and taken for withdrawn") {
  delivery_world world(GENERATE(from_range(engines())));
  auto known = intent_of(1, 1);
  known.op = core::operation::deactivate;
  auto unknown_one = intent_of(2, 1);
  unknown_one.op =
      GENERATE(core::operation::remove, core::operation::deactivate, core::operation::reactivate);
  world.write({row_of(known, 1), row_of(unknown_one, 1)});
  write(world, {known, unknown_one});
  world.write({row_of(known, 2)});
  CHECK(unknown(world).empty());
  adopt(world);

  CHECK(unknown(world).empty());
  CHECK(must(storage::find_ledger_row(world.db(), world.rule.id, known.source_id)) == row_of(known, 2));
  const auto row = must(storage::find_ledger_row(world.db(), world.rule.id, unknown_one.source_id));
  REQUIRE(row);
  CHECK(row->row_version == 2);
  CHECK(row->status == core::delivery_status::failed);
  CHECK(row->target == core::target_state::inactive);
  CHECK(row->remote_id == "r");
  CHECK(row->attempts == 0);
  CHECK(row->next_attempt_at == at(7));
}

TEST_CASE("a batch that is deleted leaves nothing to adopt, others stay") {
  delivery_world world(GENERATE(from_range(engines())));
  const auto gone = write(world, {intent_of(1)});
  write(world, {intent_of(2)});
  committed(world.db(),
            [&](storage::session& db) { return storage::delete_intent_batches(db, std::vector{gone}); });
  REQUIRE(unknown(world).size() == 1);
  CHECK(unknown(world)[0].record == core::record_id{2});
}

TEST_CASE("a create that never left is taken out of its batch") {
  delivery_world world(GENERATE(from_range(engines())));
  const auto batch = write(world, {intent_of(1), intent_of(2), intent_of(3)});
  const std::vector<core::withdrawn_intent> withdrawn{{batch, {1}}, {batch, {3}}, {{99}, {2}}};
  committed(world.db(), [&](storage::session& db) { return storage::withdraw_intents(db, withdrawn); });
  const auto found = unknown(world);
  REQUIRE(found.size() == 1);
  CHECK(found[0].record == core::record_id{2});
  CHECK(found[0].body == intent_of(2).body);
}

TEST_CASE("a rule with a batch is due at once when a node starts") {
  delivery_world world(GENERATE(from_range(engines())));
  CHECK(must(storage::all_next_due(world.db())).empty());
  write(world, {intent_of(1)});
  const auto dues = must(storage::all_next_due(world.db()));
  REQUIRE(dues.size() == 1);
  CHECK(dues[0].rule == world.rule.id);
  CHECK(dues[0].at == core::timestamp{});
}

TEST_CASE("a call of any kind is out until its row is written or its batch is over") {
  delivery_world world(GENERATE(from_range(engines())));
  auto withdrawal = intent_of(1, 1);
  withdrawal.op = core::operation::remove;
  world.write({row_of(withdrawal, 1)});
  const auto batch = write(world, {withdrawal, intent_of(2)});
  const auto out = [&](const core::intent& one) {
    return must(storage::has_call_out(world.db(), world.rule.id, one.source_id));
  };
  CHECK(out(withdrawal));
  CHECK(out(intent_of(2)));
  CHECK_FALSE(out(intent_of(3)));
  world.write({row_of(withdrawal, 2)});
  CHECK_FALSE(out(withdrawal));
  committed(world.db(),
            [&](storage::session& db) { return storage::delete_intent_batches(db, std::vector{batch}); });
  CHECK_FALSE(out(intent_of(2)));
}
