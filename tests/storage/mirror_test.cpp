#include "storage/cursor.hpp"
#include "storage/mirror.hpp"
#include "tests/storage/delivery_world.hpp"

using namespace sluice;
using namespace sluice::tests;
using storage::incoming_record;

namespace {

constexpr core::duration one_us{1};

storage::upsert_counts upsert(delivery_world& world, const std::vector<incoming_record>& batch,
                              core::timestamp now) {
  return committed(world.db(), [&](storage::session& db) {
    return storage::upsert_records(db, world.rule.source, world.rule.domain, batch, now);
  });
}

void consume(delivery_world& world) {
  committed(world.db(), [](storage::session& db) { return storage::consume_markers(db); });
}

} // namespace

TEST_CASE("a new record keeps its payload byte for byte and is stamped with now") {
  delivery_world world(GENERATE(from_range(engines())));
  const auto now = at(0.000001);
  const std::string payload =
      "{\"id\":9007199254740993,\"n\":1.0,\"t\":\"a\\\"b\\\\c, {ü}\",\"z\":1,\"a\":2}";
  const std::string id = "a \"quoted\\ {id}, ü";
  const auto counts = upsert(world, {{id, payload}}, now);
  CHECK(counts.inserted == 1);
  CHECK(counts.changed + counts.unchanged + counts.restored == 0);
  const auto record = world.record(id);
  CHECK(record.payload == payload);
  CHECK(record.source_id == id);
  CHECK(record.content_changed_at == now);
  CHECK_FALSE(record.is_tombstone());
  CHECK(record.reason == core::deletion_reason::none);
}

TEST_CASE("an identical payload moves nothing and leaves no marker") {
  delivery_world world(GENERATE(from_range(engines())));
  world.put({"a", "b"}, at(1));
  const auto before = world.record("a");
  consume(world);
  const auto counts = world.put({"a", "b"}, at(2));
  CHECK(counts.unchanged == 2);
  CHECK(counts.inserted + counts.changed + counts.restored == 0);
  CHECK(world.record("a").content_changed_at == before.content_changed_at);
  CHECK_FALSE(must(storage::has_markers(world.db())));
}

TEST_CASE("a changed payload moves the change signal and leaves a marker") {
  delivery_world world(GENERATE(from_range(engines())));
  world.put({"a"}, at(1));
  const auto before = world.record("a");
  consume(world);
  CHECK(world.put({"a"}, at(2), "{\"x\":1}").changed == 1);
  const auto after = world.record("a");
  CHECK(after.id == before.id);
  CHECK(after.content_changed_at == at(2));
  CHECK(after.payload == "{\"x\":1}");
  CHECK(must(storage::has_markers(world.db())));
}

TEST_CASE("a clock that stands still or goes back never moves the change signal back") {
  delivery_world world(GENERATE(from_range(engines())));
  world.put({"a"}, at(10));
  SECTION("the same record gets a later time each time") {
    world.put({"a"}, at(10), "{\"x\":1}");
    CHECK(world.record("a").content_changed_at == at(10) + one_us);
    world.put({"a"}, at(3), "{\"x\":2}");
    CHECK(world.record("a").content_changed_at == at(10) + 2 * one_us);
  }
  SECTION("another record is not stamped before the domain's last") {
    world.put({"b"}, at(3));
    CHECK(world.record("b").content_changed_at == at(10));
    CHECK(world.record("b").id > world.record("a").id);
  }
  SECTION("a deletion is later than the record's last change") {
    CHECK(world.bury({"a"}, at(10)) == 1);
    CHECK(world.record("a").content_changed_at == at(10) + one_us);
  }
}

TEST_CASE("a batch that names a record twice counts its last one") {
  delivery_world world(GENERATE(from_range(engines())));
  auto counts = upsert(world, {{"a", "1"}, {"b", "2"}, {"a", "3"}}, at(1));
  CHECK(counts.inserted == 2);
  CHECK(world.record("a").payload == "3");
  CHECK(world.record("b").id < world.record("a").id);
  counts = upsert(world, {{"a", "4"}, {"a", "3"}}, at(2));
  CHECK(counts.unchanged == 1);
  CHECK(counts.changed == 0);
}

TEST_CASE("a batch counts inserted, changed, unchanged and restored records apart") {
  delivery_world world(GENERATE(from_range(engines())));
  world.put({"same", "other", "gone", "gone-other"}, at(1));
  CHECK(world.bury({"gone", "gone-other", "never-there"}, at(2)) == 2);
  const auto counts = upsert(
      world, {{"same", "{}"}, {"other", "1"}, {"gone", "{}"}, {"gone-other", "2"}, {"new", "3"}}, at(3));
  CHECK(counts.unchanged == 1);
  CHECK(counts.changed == 1);
  CHECK(counts.restored == 2);
  CHECK(counts.inserted == 1);
  const auto back = world.record("gone");
  CHECK_FALSE(back.is_tombstone());
  CHECK(back.reason == core::deletion_reason::none);
  CHECK(back.content_changed_at == at(3));
}

TEST_CASE("a deletion turns live records into tombstones of the source's making, once") {
  delivery_world world(GENERATE(from_range(engines())));
  world.put({"a", "b", "c"}, at(1));
  consume(world);
  CHECK(world.bury({"a", "b"}, at(2)) == 2);
  const auto tombstone = world.record("a");
  CHECK(tombstone.deleted_at == at(2));
  CHECK(tombstone.reason == core::deletion_reason::source_event);
  CHECK(tombstone.content_changed_at == at(2));
  CHECK(must(storage::has_markers(world.db())));
  CHECK(must(storage::count_records(world.db(), world.rule.source, world.rule.domain)) == 1);
  CHECK(world.bury({"a", "b"}, at(3)) == 0);
  CHECK(world.record("a").deleted_at == at(2));
}

TEST_CASE("an empty batch writes nothing") {
  delivery_world world(GENERATE(from_range(engines())));
  CHECK(world.put({}, at(1)).inserted == 0);
  CHECK(world.bury({}, at(1)) == 0);
  CHECK_FALSE(must(storage::find_record(world.db(), world.rule.source, world.rule.domain, "a")));
}

TEST_CASE("domains do not see each other's records") {
  delivery_world world(GENERATE(from_range(engines())));
  world.put({"a"}, at(9));
  const auto counts = committed(world.db(), [&](storage::session& db) {
    return storage::upsert_records(db, world.rule.source, "orders", std::vector<incoming_record>{{"a", "{}"}},
                                   at(1));
  });
  CHECK(counts.inserted == 1);
  CHECK(must(storage::find_record(world.db(), world.rule.source, "orders", "a"))->content_changed_at
        == at(1));
}

TEST_CASE("a large batch is written whole and in order") {
  delivery_world world(GENERATE(from_range(engines())));
  std::vector<std::string> ids;
  for (int n = 0; n < 3000; ++n)
    ids.push_back("record-" + std::to_string((n * 7) % 3001));
  CHECK(world.put(ids, at(1)).inserted == 3000);
  CHECK(world.record(ids[10]).id < world.record(ids[11]).id);
  CHECK(must(storage::count_records(world.db(), world.rule.source, world.rule.domain)) == 3000);
}

namespace {

core::incoming_counts write(delivery_world& world, const std::vector<core::incoming_change>& changes,
                            core::timestamp now) {
  return committed(world.db(), [&](storage::session& db) {
    return storage::write_changes(db, world.rule.source, world.rule.domain, changes, now);
  });
}

} // namespace

TEST_CASE("a batch of changes writes records and buries those that are gone") {
  delivery_world world(GENERATE(from_range(engines())));
  world.put({"a", "b", "c"}, at(1));
  world.bury({"c"}, at(2));
  const auto counts = write(
      world, {{{"a", "{}"}}, {{"b", ""}, true}, {{"c", "{}"}}, {{"d", "{}"}}, {{"x", ""}, true}}, at(3));
  CHECK(counts == core::incoming_counts{1, 0, 1, 1, 1, 1});
  CHECK(world.record("b").is_tombstone());
  CHECK_FALSE(world.record("c").is_tombstone());
}

TEST_CASE("of a record that a batch names more than once the last change counts") {
  delivery_world world(GENERATE(from_range(engines())));
  world.put({"a", "b"}, at(1));
  const auto counts = write(world,
                            {{{"a", "{\"n\":1}"}},
                             {{"a", ""}, true},
                             {{"b", ""}, true},
                             {{"b", "{\"n\":2}"}},
                             {{"b", "{\"n\":3}"}}},
                            at(2));
  CHECK(counts == core::incoming_counts{0, 1, 0, 0, 1, 0});
  CHECK(world.record("a").is_tombstone());
  CHECK(world.record("b").payload == "{\"n\":3}");
}

TEST_CASE("into a source that is not there nothing is written") {
  delivery_world world(GENERATE(from_range(engines())));
  const auto refused = storage::transact(world.db(), [&](storage::session& db) {
    return storage::write_changes(db, core::connection_id{999}, "customers",
                                  std::vector<core::incoming_change>{{{"a", "{}"}}}, at(1));
  });
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == storage::error::not_found);
}
