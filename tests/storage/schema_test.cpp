#include "storage/migrations.hpp"
#include "storage/node_state.hpp"
#include "storage/schema.hpp"
#include "tests/storage/world.hpp"

#include <array>
#include <thread>

using namespace sluice;
using namespace sluice::tests;

TEST_CASE("migrating an empty database names what was applied, and a second time nothing") {
  world here({.kind = GENERATE(from_range(engines())), .migrated = false});
  const auto before = storage::check_schema(here.db());
  REQUIRE_FALSE(before.has_value());
  CHECK(before.error().code == storage::error::schema);
  CHECK_THAT(before.error().detail, Catch::Contains("sluice migrate"));
  CHECK_FALSE(must(storage::migrate(here.db(), at())).empty());
  CHECK(must(storage::migrate(here.db(), at(1))).empty());
  must(storage::check_schema(here.db()));
  CHECK(here.value("SELECT applied_at FROM schema_migrations") == std::to_string(core::to_us(at())));
}

TEST_CASE("a database newer than the program is refused and left alone") {
  world here(GENERATE(from_range(engines())));
  here.execute("INSERT INTO schema_migrations (version, name, applied_at) VALUES (999, 'later', 0)");
  for (const auto& refused : {storage::check_schema(here.db()), [&]() -> storage::result<void> {
                                auto migrated = storage::migrate(here.db(), at());
                                if (!migrated)
                                  return std::unexpected{migrated.error()};
                                return {};
                              }()}) {
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().code == storage::error::schema);
    CHECK_THAT(refused.error().detail, Catch::Contains("999") && Catch::Contains("newer"));
  }
  CHECK_FALSE(here.db().in_transaction());
}

TEST_CASE("two that migrate at once apply each migration once") {
  world here({.kind = GENERATE(from_range(engines())), .migrated = false});
  std::array<storage::result<std::vector<std::string>>, 2> applied;
  auto other = here.session();
  {
    std::jthread first([&] { applied[0] = storage::migrate(here.db(), at()); });
    std::jthread second([&] { applied[1] = storage::migrate(other, at()); });
  }
  REQUIRE(applied[0].has_value());
  REQUIRE(applied[1].has_value());
  CHECK(applied[0]->size() + applied[1]->size() == storage::migrations().size());
  must(storage::check_schema(here.db()));
}

TEST_CASE("the mirror's triggers leave markers for change signals that are new") {
  world here(GENERATE(from_range(engines())));
  const auto rule = here.add_rule();
  const auto source = std::to_string(rule.source.value);
  const auto least = [&] { return here.value("SELECT min(least_changed_at) FROM change_markers"); };
  const auto insert = "INSERT INTO mirror_records (source_connection_id, domain, source_id, payload, "
                      "content_changed_at) VALUES ";
  here.execute(insert + std::string("(") + source + ", 'customers', 'a', '{}', 70), (" + source
               + ", 'customers', 'b', '{}', 50), (" + source + ", 'customers', 'c', '{}', 60)");
  CHECK(least() == "50");

  here.execute("DELETE FROM change_markers");
  here.execute("UPDATE mirror_records SET deleted_at = 1, deletion_reason = 'disconnect'");
  CHECK(least().empty());
  here.execute("UPDATE mirror_records SET content_changed_at = content_changed_at + 100 "
               "WHERE source_id IN ('a', 'c')");
  CHECK(least() == "160");
}
