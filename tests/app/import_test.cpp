#include "app/import.hpp"
#include "storage/mirror.hpp"
#include "storage/rules.hpp"
#include "tests/app/command_world.hpp"

#include <catch2/catch.hpp>

#include <fstream>
#include <sstream>

namespace sluice::app {
namespace {

struct world : tests::command_world {
  int import(const std::string& name, const std::string& text, bool skip_invalid = false) {
    return import_records(context, {.file = folder.file(name, text),
                                    .connection = "shop",
                                    .domain = "customers",
                                    .id_field = "id",
                                    .format = {},
                                    .skip_invalid = skip_invalid,
                                    .batch = 2});
  }

  std::int64_t count() {
    auto db = open();
    const auto shop = storage::find_connection(db, "shop").value().value();
    return storage::count_records(db, shop.id, "customers").value();
  }

  core::mirror_record record(const std::string& id) {
    auto db = open();
    const auto shop = storage::find_connection(db, "shop").value().value();
    return storage::find_record(db, shop.id, "customers", id).value().value();
  }

  std::string text_of(const std::string& name) {
    std::stringstream text;
    text << std::ifstream{folder.path(name), std::ios::binary}.rdbuf();
    return text.str();
  }
};

TEST_CASE("an import upserts every record, and the last of an id counts") {
  world w;
  CHECK(w.import("a.csv", "id,name\nA,Ann\nB,Bob\nC,NULL\nA,Anna\n") == exit_ok);
  CHECK(w.count() == 3);
  CHECK(w.record("A").payload == R"({"id":"A","name":"Anna"})");
  CHECK(w.record("C").payload == R"({"id":"C","name":"NULL"})");
}

TEST_CASE("records named as deleted become tombstones of the source, and an import brings them back") {
  world w;
  REQUIRE(w.import("a.csv", "id,name\nA,Ann\nB,Bob\nC,Cid\n") == exit_ok);
  const auto before = w.record("A");
  CHECK(import_records(w.context, {.file = w.folder.file("gone.csv", "id\nA\nZ\nC\nA\n"),
                                   .connection = "shop",
                                   .domain = "customers",
                                   .id_field = "id",
                                   .format = {},
                                   .deleted = true,
                                   .batch = 2})
        == exit_ok);
  CHECK(w.count() == 1);
  const auto buried = w.record("A");
  CHECK(buried.is_tombstone());
  CHECK(buried.reason == core::deletion_reason::source_event);
  CHECK(buried.payload == before.payload);
  CHECK(buried.content_changed_at > before.content_changed_at);
  CHECK(w.import("a.csv", "id,name\nA,Ann\n") == exit_ok);
  CHECK_FALSE(w.record("A").is_tombstone());
  CHECK(w.record("A").content_changed_at > buried.content_changed_at);
  CHECK(w.record("C").is_tombstone());
}

TEST_CASE("an import of the same file again changes nothing") {
  world w;
  CHECK(w.import("a.ndjson", "{\"id\":\"A\",\"n\":1234567890123456789012345678901234567890}\n") == exit_ok);
  const auto before = w.record("A");
  CHECK(w.import("a.ndjson", "{\"id\":\"A\",\"n\":1234567890123456789012345678901234567890}\n") == exit_ok);
  CHECK(w.record("A").content_changed_at == before.content_changed_at);
  CHECK(before.payload == R"({"id":"A","n":1234567890123456789012345678901234567890})");
}

TEST_CASE("a file with one bad line imports nothing") {
  world w;
  CHECK(w.import("a.csv", "id,name\nA,Ann\nB,Bob\nC,Cid\n,nobody\n") == exit_refused);
  CHECK(w.count() == 0);
  CHECK_FALSE(std::filesystem::exists(w.folder.path("a.csv.rejected")));
}

TEST_CASE("with --skip-invalid the rest is imported and the refused lines go to a file of their own") {
  world w;
  CHECK(w.import("a.csv", "id,name\nA,Ann\n,\"no\nbody\"\nB,Bob\nC,Cid,x\n", true) == exit_ok);
  CHECK(w.count() == 2);
  CHECK(w.text_of("a.csv.rejected") == "id,name\n,\"no\nbody\"\nC,Cid,x\n");
}

TEST_CASE("an import into a connection that is unknown, or is no mirror, is refused") {
  world w;
  import_options options{.file = w.folder.file("a.csv", "id\nA\n"),
                         .connection = "nobody",
                         .domain = "customers",
                         .id_field = "id",
                         .format = {}};
  CHECK(import_records(w.context, options) == exit_refused);
  options.connection = "crm";
  CHECK(import_records(w.context, options) == exit_refused);
  options.connection = "shop";
  options.file = w.folder.path("none.csv");
  CHECK(import_records(w.context, options) == exit_refused);
  CHECK(w.count() == 0);
}

TEST_CASE("a database that cannot be reached has an exit code of its own") {
  world w;
  w.context.settings.database.url = "sqlite:/nowhere/at/all.db";
  CHECK(w.import("a.csv", "id\nA\n") == exit_unreachable);
}

} // namespace
} // namespace sluice::app
