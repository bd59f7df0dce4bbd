#include "storage/intents.hpp"
#include "storage/record_links.hpp"
#include "tests/storage/delivery_world.hpp"

using namespace sluice;
using namespace sluice::tests;

TEST_CASE("what is known of linked records comes in the links' order, without their payloads") {
  delivery_world world(GENERATE(from_range(engines())));
  world.put({"a", "b", "123"}, at(1), R"({"much":"payload"})");
  world.bury({"b"}, at(2));
  world.write({delivered_row("a", at(1)), delivered_row("left", at(1))});
  core::intent made;
  made.record = world.record("123").id;
  made.source_id = "123";
  made.made_at = at(3);
  must(storage::write_intents(world.db(), world.rule.id, std::vector{made}, world.keys()));
  const std::vector<core::record_link> links{{"nobody", "1"}, {"123", "2"}, {"b", "3"},
                                             {"left", "4"},   {"a", "5"},   {"a", "6"}};

  const auto found = must(storage::read_link_facts(world.db(), world.rule, links, world.keys()));

  REQUIRE(found.size() == 6);
  CHECK_FALSE(found[0].about.record.id);
  CHECK_FALSE(found[0].about.row);
  CHECK(found[1].about.record.id == made.record);
  CHECK(found[1].about.record.source_id == "123");
  CHECK(found[1].about.record.content_changed_at == at(1));
  CHECK(found[1].about.record.payload.empty());
  CHECK(found[1].intent == made.record);
  CHECK(found[2].about.record.is_tombstone());
  CHECK_FALSE(found[3].about.record.id);
  CHECK(found[3].about.row->remote_id == "remote-left");
  CHECK_FALSE(found[3].intent);
  CHECK(found[4].about.row == must(storage::find_ledger_row(world.db(), world.rule.id, "a")));
  CHECK(found[5].about.row == found[4].about.row);
}

TEST_CASE("who holds a remote id is known of rows that are neither absent nor trashed") {
  delivery_world world(GENERATE(from_range(engines())));
  auto trashed = delivered_row("trashed", at(1));
  trashed.trashed = true;
  auto absent = delivered_row("absent", at(1));
  absent.target = core::target_state::absent;
  absent.remote_id.clear();
  world.write({delivered_row("a", at(1)), delivered_row("b", at(1)), trashed, absent});
  const std::vector<core::record_link> links{
      {"x", "remote-a"}, {"y", "remote-trashed"}, {"z", ""}, {"b", "other"}};

  const auto holders = must(storage::read_remote_id_holders(world.db(), world.rule.id, links));

  CHECK(holders == std::multimap<std::string, std::string>{{"remote-a", "a"}});
}
