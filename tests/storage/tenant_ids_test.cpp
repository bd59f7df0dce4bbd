#include "storage/lifecycle.hpp"
#include "storage/rules.hpp"
#include "storage/schema.hpp"
#include "tests/storage/world.hpp"

#include <regex>

using namespace sluice;
using namespace sluice::tests;

namespace {

bool is_uuid_v7(const std::string& text) {
  static const std::regex form{"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"};
  return std::regex_match(text, form);
}

} // namespace

TEST_CASE("connections tell whose they are, and each tenant has an id of its own") {
  world here(GENERATE(from_range(engines())));
  here.add_rule();
  core::configuration plan;
  plan.tenants = {"bolt"};
  auto& shop = plan.connections.emplace_back();
  shop.tenant = "bolt";
  shop.name = "bolt-shop";
  shop.driver = "mirror";
  shop.settings = "{}";
  committed(here.db(), [&](storage::session& db) {
    return storage::apply_configuration(db, plan, here.keys(), at(), true);
  });
  const auto lives = must(storage::list_connection_lives(here.db()));
  REQUIRE(lives.size() == 3);
  CHECK(is_uuid_v7(lives[0].tenant_public_id));
  for (const auto& one : lives) {
    const auto same_tenant = one.connection.tenant == lives[0].connection.tenant;
    CHECK((one.tenant_public_id == lives[0].tenant_public_id) == same_tenant);
  }
}

TEST_CASE("a tenant that was there before tenants had public ids gets one of the moment it was made") {
  world here({.kind = GENERATE(from_range(engines())), .migrated = false});
  must(storage::migrate(here.db(), at(), 5));
  here.execute("INSERT INTO tenants (name, created_at) VALUES ('acme', 1700000000000000), "
               "('bolt', 1700000000000000)");
  must(storage::migrate(here.db(), at()));
  const auto id = here.value("SELECT public_id FROM tenants WHERE name = 'acme'");
  CHECK(is_uuid_v7(id));
  CHECK(id.substr(0, 13) == "018bcfe5-6800");
  CHECK(id != here.value("SELECT public_id FROM tenants WHERE name = 'bolt'"));
}
