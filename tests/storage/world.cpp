#include "tests/storage/world.hpp"

#include "storage/rules.hpp"
#include "storage/schema.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <expected>
#include <filesystem>
#include <fstream>
#include <libpq-fe.h>
#include <sqlite3.h>
#include <unistd.h>
#include <utility>

namespace sluice::tests {
namespace {

std::string cluster() {
  if (const char* named = std::getenv("SLUICE_TEST_POSTGRESQL"); named != nullptr && *named != '\0')
    return named;
  std::string conninfo;
  std::ifstream file(SLUICE_POSTGRESQL_CONNINFO);
  std::getline(file, conninfo);
  return conninfo;
}

/// The first value, empty when there is none; the error is the engine's sentence.
using answer = std::expected<std::string, std::string>;

answer on_postgresql(const std::string& conninfo, const std::string& text) {
  const std::unique_ptr<PGconn, decltype(&PQfinish)> connection(PQconnectdb(conninfo.c_str()), &PQfinish);
  PQsetNoticeReceiver(connection.get(), [](void*, const PGresult*) {}, nullptr);
  const std::unique_ptr<PGresult, decltype(&PQclear)> rows(PQexec(connection.get(), text.c_str()), &PQclear);
  const auto status = PQresultStatus(rows.get());
  if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK)
    return std::unexpected{PQerrorMessage(connection.get())};
  return PQntuples(rows.get()) == 0 ? "" : PQgetvalue(rows.get(), 0, 0);
}

int keep_first(void* into, int columns, char** values, char**) {
  auto& kept = *static_cast<std::string*>(into);
  if (kept.empty() && columns > 0 && values[0] != nullptr)
    kept = values[0];
  return 0;
}

answer on_sqlite(const std::string& path, const std::string& text) {
  sqlite3* opened = nullptr;
  const int code = sqlite3_open(path.c_str(), &opened);
  const std::unique_ptr<sqlite3, decltype(&sqlite3_close)> database(opened, &sqlite3_close);
  sqlite3_busy_timeout(opened, 5000);
  std::string first;
  if (code != SQLITE_OK || sqlite3_exec(opened, text.c_str(), keep_first, &first, nullptr) != SQLITE_OK)
    return std::unexpected{sqlite3_errmsg(opened)};
  return first;
}

answer on(const storage::database& where, const std::string& text) {
  return where.kind == storage::engine::sqlite ? on_sqlite(where.target, text)
                                               : on_postgresql(where.target, text);
}

std::string must_answer(answer given) {
  if (!given)
    FAIL(given.error());
  return std::move(*given);
}

std::string fresh_name() {
  std::string folder = (std::filesystem::temp_directory_path() / "sluice-storage-XXXXXX").string();
  if (::mkdtemp(folder.data()) == nullptr)
    FAIL("no temporary folder could be made");
  return folder;
}

crypto::key_ring test_keys() {
  const std::vector<crypto::named_key> keys{{"test", std::string(64, '7')}};
  auto ring = crypto::key_ring::read(keys);
  if (!ring)
    FAIL(ring.error());
  return std::move(*ring);
}

} // namespace

std::vector<storage::engine> engines() {
  if (!cluster().empty())
    return {storage::engine::sqlite, storage::engine::postgresql};
  static bool said = false;
  if (!std::exchange(said, true))
    WARN("skipped on PostgreSQL: neither SLUICE_TEST_POSTGRESQL nor " SLUICE_POSTGRESQL_CONNINFO
         " names a cluster");
  return {storage::engine::sqlite};
}

core::timestamp at(double seconds) {
  using namespace std::chrono;
  return core::timestamp{sys_days{2026y / January / 31} + hours{8}}
         + duration_cast<core::duration>(duration<double>{seconds});
}

/// The folder's name is unique on this machine; the schema on PostgreSQL takes it over.
struct world::home {
  explicit home(storage::engine kind) : folder(fresh_name()) {
    if (kind == storage::engine::postgresql) {
      conninfo = cluster();
      schema = "t" + folder.substr(folder.size() - 6) + std::to_string(::getpid());
      std::ranges::transform(schema, schema.begin(), [](unsigned char c) { return std::tolower(c); });
      must_answer(on_postgresql(conninfo, "CREATE SCHEMA " + schema));
    }
  }
  ~home() {
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
    if (!schema.empty())
      static_cast<void>(on_postgresql(conninfo, "DROP SCHEMA " + schema + " CASCADE"));
  }
  home(const home&) = delete;
  home& operator=(const home&) = delete;

  std::string folder;
  std::string conninfo;
  std::string schema;
};

world::world(world_options options) : home_(std::make_unique<home>(options.kind)), keys_(test_keys()) {
  where_.kind = options.kind;
  where_.busy_timeout = options.busy_timeout;
  where_.target = options.kind == storage::engine::sqlite
                      ? home_->folder + "/sluice.db"
                      : home_->conninfo + " options='-csearch_path=" + home_->schema
                            + " -csynchronous_commit=off'"; // no test here crashes the server
  db_ = std::make_unique<storage::session>(session());
  if (options.migrated)
    must(storage::migrate(*db_, at()));
}

world::~world() = default;

storage::session world::session(storage::access mode) const {
  return must(storage::session::open(where_, mode));
}

std::string world::value(const std::string& text) const {
  return must_answer(on(where_, text));
}

bool world::refuses(const std::string& text) const {
  return !on(where_, text);
}

void world::execute(const std::string& text) const {
  static_cast<void>(must_answer(on(where_, text)));
}

core::sync_rule world::add_rule(const rule_options& options) {
  storage::configuration plan;
  plan.tenants = {"acme"};
  const auto add_connection = [&](const std::string& name, const std::string& driver) {
    core::connection one;
    one.tenant = "acme";
    one.name = name;
    one.driver = driver;
    one.settings = driver == "rest" ? R"({"base_url":"http://127.0.0.1:9"})" : "{}";
    one.credentials = driver == "rest" ? R"({"token":"t"})" : "";
    plan.connections.push_back(std::move(one));
  };
  add_connection(options.source, "mirror");
  add_connection(options.target, "rest");
  storage::configuration::rule rule;
  rule.source_name = options.source;
  rule.target_name = options.target;
  rule.rule.name = options.name;
  rule.rule.domain = options.domain;
  rule.rule.deletes = options.deletes;
  rule.rule.mapping = R"({"email":"/email"})";
  plan.rules.push_back(std::move(rule));
  committed(*db_, [&](storage::session& db) {
    return storage::apply_configuration(db, plan, keys_, options.now, true);
  });
  return *must(storage::find_rule(*db_, options.name));
}

} // namespace sluice::tests
