#pragma once

#include "app/apply.hpp"
#include "app/command_context.hpp"
#include "app/migrate.hpp"
#include "tests/config/temporary_folder.hpp"

#include <catch2/catch.hpp>

#include <string>

namespace sluice::tests {

/// An installation in a folder of its own: a migrated SQLite database, a source "shop", a target "crm" and a
/// rule "to-crm" for customers.
struct command_world {
  command_world() {
    context.settings.database.url = "sqlite:" + folder.path("test.db");
    context.style.json = true;
    REQUIRE(app::migrate(context) == app::exit_ok);
    REQUIRE(apply(configuration) == app::exit_ok);
  }

  int apply(const std::string& text) {
    return app::apply(context, {.file = folder.file("apply.toml", text), .yes = true});
  }

  storage::session open(storage::access mode = storage::access::read) {
    return app::open_session(context, mode).value();
  }

  static constexpr auto configuration = R"(
[[tenants]]
name = "acme"
[[connections]]
tenant = "acme"
name = "shop"
driver = "mirror"
[[connections]]
tenant = "acme"
name = "crm"
driver = "rest"
[connections.settings]
base_url = "https://crm.example.com"
[connections.settings.operations.create]
path = "/customers"
[connections.settings.operations.update]
path = "/customers/{remote_id}"
[[rules]]
name = "to-crm"
source = "shop"
target = "crm"
domain = "customers"
[rules.mapping]
name = "/name"
)";

  temporary_folder folder;
  app::command_context context;
};

} // namespace sluice::tests
