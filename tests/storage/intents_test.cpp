#include "storage/intents.hpp"
#include "storage/soci_session.hpp"
#include "tests/storage/delivery_world.hpp"

using namespace sluice;
using namespace sluice::tests;

namespace {

core::intent intent_of(std::int64_t record, std::string body = "{\"email\":\"canary@example.test\"}") {
  core::intent one;
  one.record = core::record_id{record};
  one.source_id = "s" + std::to_string(record);
  one.content_changed_at = at(0.000001);
  one.create_generation = 3;
  one.run = core::run_id{9007199254740993};
  one.made_at = at(1.000001);
  one.idempotency_key = "key-" + std::to_string(record);
  one.body = std::move(body);
  return one;
}

void write(delivery_world& world, const std::vector<core::intent>& intents) {
  committed(world.db(), [&](storage::session& db) {
    return storage::write_intents(db, world.rule.id, intents, world.keys());
  });
}

std::vector<core::intent> read(delivery_world& world, std::optional<core::timestamp> due = {},
                               std::int64_t limit = 100) {
  return must(storage::read_intents(world.db(), world.rule.id, due, limit, world.keys()));
}

std::string stored_body(delivery_world& world) {
  std::string body;
  must(storage::guarded(world.db(), "Reading a body", [&] {
    storage::query(world.db(), "SELECT body FROM delivery_intents").into(body).run();
  }));
  return body;
}

std::vector<std::int64_t> records(const std::vector<core::intent>& intents) {
  std::vector<std::int64_t> ids;
  for (const auto& one : intents)
    ids.push_back(one.record.value);
  return ids;
}

} // namespace

TEST_CASE("an intent comes back with the bytes that were sent") {
  delivery_world world(GENERATE(from_range(engines())));
  write(world, {intent_of(9007199254740993)});
  const auto found = read(world);
  REQUIRE(found.size() == 1);
  const auto expected = intent_of(9007199254740993);
  CHECK(found[0].record == expected.record);
  CHECK(found[0].source_id == expected.source_id);
  CHECK(found[0].content_changed_at == expected.content_changed_at);
  CHECK(found[0].create_generation == 3);
  CHECK(found[0].run == expected.run);
  CHECK(found[0].made_at == expected.made_at);
  CHECK(found[0].idempotency_key == expected.idempotency_key);
  CHECK(found[0].body == expected.body);
  CHECK_FALSE(found[0].settle_at);
  CHECK(found[0].settle_attempts == 0);
}

TEST_CASE("a body cannot be read in the table, and opens only in its own row with its own key") {
  delivery_world world(GENERATE(from_range(engines())));
  write(world, {intent_of(1)});
  CHECK_FALSE(stored_body(world).empty());
  CHECK(stored_body(world).find("canary") == std::string::npos);
  const auto without_key = storage::read_intents(world.db(), world.rule.id, {}, 10, crypto::key_ring{});
  REQUIRE_FALSE(without_key);
  CHECK(without_key.error().code == storage::error::sealed);
  CHECK(without_key.error().detail.find("canary") == std::string::npos);
  must(storage::guarded(world.db(), "Moving a body", [&] {
    storage::query(world.db(), "UPDATE delivery_intents SET source_id = 'elsewhere'").run();
  }));
  const auto moved = storage::read_intents(world.db(), world.rule.id, {}, 10, world.keys());
  REQUIRE_FALSE(moved);
  CHECK(moved.error().code == storage::error::sealed);
}

TEST_CASE("an intent without an idempotency key keeps no body and needs no key ring") {
  delivery_world world(GENERATE(from_range(engines())));
  auto one = intent_of(1);
  one.idempotency_key.clear();
  committed(world.db(), [&](storage::session& db) {
    return storage::write_intents(db, world.rule.id, std::vector{one}, crypto::key_ring{});
  });
  CHECK(stored_body(world).empty());
  CHECK(read(world)[0].body.empty());
}

TEST_CASE("a body that cannot be sealed refuses its intents") {
  delivery_world world(GENERATE(from_range(engines())));
  const auto refused = storage::transact(world.db(), [&](storage::session& db) {
    return storage::write_intents(db, world.rule.id, std::vector{intent_of(1)}, crypto::key_ring{});
  });
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == storage::error::sealed);
  CHECK(read(world).empty());
}

TEST_CASE("a new intent of a record replaces the old one, within a batch too") {
  delivery_world world(GENERATE(from_range(engines())));
  write(world, {intent_of(1, "old")});
  write(world, {intent_of(1, "newer"), intent_of(2), intent_of(1, "newest")});
  const auto found = read(world);
  CHECK(records(found) == std::vector<std::int64_t>{1, 2});
  CHECK(found[0].body == "newest");
}

TEST_CASE("deleting intents touches only the named records of the rule") {
  delivery_world world(GENERATE(from_range(engines())));
  const auto other = world.add_rule({.name = "other", .target = "mailer"});
  write(world, {intent_of(1), intent_of(2), intent_of(3)});
  committed(world.db(), [&](storage::session& db) {
    return storage::write_intents(db, other.id, std::vector{intent_of(1)}, world.keys());
  });
  const std::vector<core::record_id> gone{{1}, {3}, {99}};
  committed(world.db(),
            [&](storage::session& db) { return storage::delete_intents(db, world.rule.id, gone); });
  CHECK(records(read(world)) == std::vector<std::int64_t>{2});
  CHECK(must(storage::read_intents(world.db(), other.id, {}, 10, world.keys())).size() == 1);
}

TEST_CASE("postponed intents are read when their time has come, all others only with all") {
  delivery_world world(GENERATE(from_range(engines())));
  write(world, {intent_of(3), intent_of(2), intent_of(1)});
  const std::vector<core::postponed_intent> times{{{1}, at(10), 1}, {{3}, at(20), 2}};
  committed(world.db(),
            [&](storage::session& db) { return storage::postpone_intents(db, world.rule.id, times); });
  CHECK(read(world, at(9)).empty());
  CHECK(records(read(world, at(10))) == std::vector<std::int64_t>{1});
  CHECK(records(read(world, at(20))) == std::vector<std::int64_t>{1, 3});
  CHECK(records(read(world)) == std::vector<std::int64_t>{1, 2, 3});
  CHECK(records(read(world, {}, 2)) == std::vector<std::int64_t>{1, 2});
  CHECK(read(world)[2].settle_at == at(20));
  CHECK(read(world)[2].settle_attempts == 2);
}
