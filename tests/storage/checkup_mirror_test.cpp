#include "storage/checkup.hpp"
#include "tests/storage/delivery_world.hpp"

using namespace sluice;
using namespace sluice::tests;

namespace {

std::vector<storage::mirror_faults> faults_in(world& here) {
  return must(storage::read_mirror_faults(here.db(), at(10)));
}

} // namespace

TEST_CASE("a mirror that was written as it should be has no fault") {
  delivery_world here(GENERATE(from_range(engines())));
  here.put({"1", "2"}, at(1));
  here.bury({"2"}, at(2));
  CHECK(faults_in(here).empty());
  CHECK(must(storage::read_unread_domains(here.db())).empty());
  CHECK(must(storage::read_removed_records(here.db(), here.rule)).count == 0);
}

TEST_CASE("faults are counted by source, domain and kind, with the first as examples") {
  delivery_world here(GENERATE(from_range(engines())));
  std::vector<std::string> ids;
  for (int i = 0; i < 2500; ++i) // more than one reading takes
    ids.push_back("r" + std::to_string(10'000 + i));
  here.put(ids, at(1));
  here.execute("UPDATE mirror_records SET payload = 'no json' WHERE source_id >= 'r11000'");
  here.execute("UPDATE mirror_records SET deleted_at = 1 WHERE source_id = 'r10007'");
  const auto found = faults_in(here);
  REQUIRE(found.size() == 2);
  CHECK(found[0].source == "shop");
  CHECK(found[0].domain == "customers");
  CHECK(found[0].what == core::mirror_fault::payload);
  CHECK(found[0].records.count == 1500);
  CHECK(found[0].records.examples == std::vector<std::string>{"r11000", "r11001", "r11002"});
  CHECK(found[1].what == core::mirror_fault::tombstone_mute);
  CHECK(found[1].records.examples == std::vector<std::string>{"r10007"});
}

TEST_CASE("a domain that no rule reads is named, until a rule reads it") {
  delivery_world here(GENERATE(from_range(engines())));
  here.put({"1"}, at(1));
  here.execute("UPDATE mirror_records SET domain = 'custmers'");
  const auto unread = must(storage::read_unread_domains(here.db()));
  REQUIRE(unread.size() == 1);
  CHECK(unread.front().source == "shop");
  CHECK(unread.front().domain == "custmers");
  here.execute("UPDATE sync_rules SET domain = 'custmers'");
  CHECK(must(storage::read_unread_domains(here.db())).empty());
}

TEST_CASE("records the target holds whose mirror rows were deleted are counted") {
  delivery_world here(GENERATE(from_range(engines())));
  here.put({"1", "2", "3"}, at(1));
  here.write({delivered_row("1", at(1)), delivered_row("2", at(1)), delivered_row("3", at(1))});
  here.execute("DELETE FROM mirror_records WHERE source_id <> '2'");
  const auto removed = must(storage::read_removed_records(here.db(), here.rule));
  CHECK(removed.count == 2);
  CHECK(removed.examples == std::vector<std::string>{"1", "3"});
}
