#include "app/doctor.hpp"
#include "app/doctor_database.hpp"
#include "app/doctor_delivery.hpp"
#include "app/doctor_machine.hpp"
#include "tests/app/command_world.hpp"

#include <catch2/catch.hpp>

#include <fstream>

namespace sluice::app {
namespace {

using namespace std::chrono_literals;
using gravity = finding::gravity;

constexpr std::uint64_t gibibyte = std::uint64_t{1} << 30;

int examine(const tests::command_world& w) {
  return doctor(w.context.settings, {}, w.context.style);
}

bool any_wrong(const findings& found) {
  return std::ranges::any_of(found, [](const finding& one) { return one.what == gravity::wrong; });
}

/// What is wrong says what to do about it.
bool is_wrong(const finding& one) {
  return one.what == gravity::wrong && !one.says.empty() && !one.to_do.empty();
}

TEST_CASE("doctor is content with a fresh installation, as a table and as a document") {
  tests::command_world w;
  CHECK(examine(w) == exit_ok);
  w.context.style = {.json = false, .colour = true};
  CHECK(examine(w) == exit_ok);
}

TEST_CASE("doctor names every fault of the settings") {
  CHECK(doctor(std::unexpected{std::vector<std::string>{"one", "two"}}, {}, {.json = true}) == exit_refused);
}

TEST_CASE("doctor makes no database where there is none") {
  tests::command_world w;
  const auto path = w.folder.path("elsewhere.db");
  w.context.settings.database.url = "sqlite:" + path;
  CHECK(examine(w) == exit_refused);
  CHECK_FALSE(std::ifstream{path}.is_open());
  w.context.settings.database.url = "postgresql:host=127.0.0.1 port=1";
  CHECK(examine(w) == exit_refused);
  w.context.settings.database.url = "mysql:x";
  CHECK(examine(w) == exit_refused);
}

TEST_CASE("doctor asks for a migration of an older database and refuses a newer one") {
  CHECK(judge_schema({4, 4}).what == gravity::well);
  CHECK(is_wrong(judge_schema({3, 4})));
  CHECK_THAT(judge_schema({3, 4}).to_do, Catch::Contains("sluice migrate"));
  CHECK(is_wrong(judge_schema({5, 4})));
  CHECK_THAT(judge_schema({5, 4}).says, Catch::Contains("newer"));
}

TEST_CASE("doctor sees a disk that fills up") {
  CHECK(judge_disk({"/data", 50 * gibibyte, 100 * gibibyte}).what == gravity::well);
  CHECK(is_wrong(judge_disk({"/data", gibibyte / 4, gibibyte})));
  CHECK(is_wrong(judge_disk({"/data", 4 * gibibyte, 100 * gibibyte})));
  CHECK(read_disk("/tmp/x.db"));
  CHECK_FALSE(read_disk("/nowhere/at/all/x.db"));
}

TEST_CASE("doctor compares the open files a process may have with the calls a node may make") {
  config::settings settings;
  CHECK(judge_open_files(65536, settings).what == gravity::well);
  CHECK(is_wrong(judge_open_files(256, settings)));
  settings.api.listen = "8400";
  settings.api.connections_max = 100'000;
  CHECK(is_wrong(judge_open_files(65536, settings)));
  CHECK(open_files_limit() > 0);
}

TEST_CASE("doctor sees clocks that disagree, in both directions") {
  CHECK(judge_clock(1s).what == gravity::well);
  CHECK(is_wrong(judge_clock(5s)));
  CHECK(is_wrong(judge_clock(-5s)));
  CHECK_THAT(judge_clock(-5s).says, Catch::Contains("5s behind"));
}

TEST_CASE("doctor looks at the address of the API") {
  config::settings settings;
  auto& api = settings.api;
  CHECK(judge_address(settings, listening::free, false).what == gravity::well); // by its socket
  api.socket = "none";
  CHECK(judge_address(settings, listening::free, false).what == gravity::noted);
  api.listen = "127.0.0.1:8400";
  CHECK(judge_address(settings, listening::free, false).what == gravity::well);
  CHECK(judge_address(settings, listening::taken, true).what == gravity::well);
  CHECK(is_wrong(judge_address(settings, listening::taken, false)));
  CHECK(is_wrong(judge_address(settings, listening::refused, true)));
  api.listen = "0.0.0.0:8400";
  CHECK(judge_address(settings, listening::free, false).what == gravity::noted);
  CHECK(look_at_address("127.0.0.1:0") == listening::free);
  CHECK(look_at_address("[::1]:0") != listening::taken);
  CHECK(look_at_address("192.0.2.1:1") == listening::refused); // TEST-NET-1 is no machine's
}

TEST_CASE("doctor sees a database file that is damaged, has no write-ahead log, or too long a one") {
  CHECK_FALSE(any_wrong(judge_sqlite({"wal", 1000, {}})));
  CHECK(any_wrong(judge_sqlite({"delete", 1000, {}})));
  CHECK(any_wrong(judge_sqlite({"wal", std::int64_t{2} << 30, {}})));
  CHECK(any_wrong(judge_sqlite({"wal", 1000, {"row 3 is missing from an index"}})));
}

TEST_CASE("doctor sees a PostgreSQL that is old, takes no writes, sorts otherwise, is full or unsafe") {
  const config::settings settings;
  storage::postgresql_facts facts{150004, "UTF8", false, false, true, 90, {}};
  const auto faulty = [&](auto change) {
    auto changed = facts;
    change(changed);
    return any_wrong(judge_postgresql(changed, settings));
  };
  CHECK_FALSE(faulty([](auto&) {}));
  CHECK(faulty([](auto& f) { f.version = 140010; }));
  CHECK(faulty([](auto& f) { f.encoding = "LATIN1"; }));
  CHECK(faulty([](auto& f) { f.read_only = true; }));
  CHECK(faulty([](auto& f) { f.sorts_by_bytes = false; }));
  CHECK(faulty([](auto& f) { f.free_sessions = 1; }));
  CHECK(faulty([](auto& f) { f.unsafe = {"fsync = off"}; }));
  facts.pooled = true;
  CHECK_FALSE(any_wrong(judge_postgresql(facts, settings)));
}

TEST_CASE("doctor tells who works on the database, and that its dispatcher is silent") {
  const config::settings settings;
  CHECK(judge_node({}, settings).what == gravity::noted);
  CHECK(judge_node({"4711", {}, 1s}, settings).what == gravity::well);
  CHECK(is_wrong(judge_node({"4711", {}, 10min}, settings)));
  const storage::lease_state held{"node-a", 3, false, 10s};
  CHECK(judge_node({{}, held, 1s}, settings).what == gravity::well);
  const storage::lease_state run_out{"node-a", 3, false, -10s};
  CHECK_FALSE(node_facts{{}, run_out, 1s}.running());
  CHECK_THAT(judge_node({{}, run_out, 1s}, settings).says, Catch::Contains("without giving its lease back"));
}

TEST_CASE("doctor names a trigger that is not as it was made") {
  CHECK(judge_deviations({}).what == gravity::well);
  const auto found =
      judge_deviations({{"mirror_records_inserted", storage::schema_deviation::kind::missing},
                        {"mirror_records_updated", storage::schema_deviation::kind::disabled}});
  CHECK(is_wrong(found));
  CHECK_THAT(found.says, Catch::Contains("mirror_records_inserted is missing")
                             && Catch::Contains("mirror_records_updated is disabled"));
  tests::command_world w;
  {
    auto db = w.open(storage::access::write);
    REQUIRE(storage::read_schema_deviations(db)->empty());
  }
}

TEST_CASE("doctor names credentials that do not open, and keys that are still needed") {
  CHECK_FALSE(any_wrong(judge_credentials({{"crm", "new", {}}}, "new")));
  CHECK_FALSE(any_wrong(judge_credentials({}, "")));
  CHECK_FALSE(any_wrong(judge_credentials({}, "new")));
  CHECK(any_wrong(judge_credentials({{"crm", "lost", "no such key"}}, "new")));
  const auto old = judge_credentials({{"crm", "old", {}}, {"erp", "old", {}}}, "new");
  REQUIRE(old.size() == 1);
  CHECK(old.front().what == gravity::noted);
  CHECK_THAT(old.front().says, Catch::Contains("\"old\" opens the credentials of 2 connections"));
}

TEST_CASE("doctor names rules that lack a connection, and records that were passed by") {
  storage::rule_between one;
  one.rule.name = "to-crm";
  one.rule.domain = "customers";
  one.source = "shop";
  one.target = "crm";
  CHECK(judge_rule(one, {}, 5min).empty());
  CHECK(any_wrong(judge_rule(one, {2, {"a", "b"}}, 5min)));
  auto changed = one;
  changed.has_records = false;
  CHECK_FALSE(any_wrong(judge_rule(changed, {}, 5min)));
  CHECK_FALSE(judge_rule(changed, {}, 5min).empty());
  changed = one;
  changed.target_connected = false;
  CHECK(any_wrong(judge_rule(changed, {}, 5min)));
  changed = one;
  changed.target_status = core::connection_status::error;
  changed.target_reason = "401";
  CHECK(any_wrong(judge_rule(changed, {}, 5min)));
  changed = one;
  changed.source_status = core::connection_status::inactive;
  CHECK(any_wrong(judge_rule(changed, {}, 5min)));
}

} // namespace
} // namespace sluice::app
