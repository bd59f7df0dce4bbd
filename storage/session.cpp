#include "storage/soci_session.hpp"

#include <algorithm>
#include <array>
#include <cassert>

namespace sluice::storage {
namespace {

constexpr const char* sqlite_settings = "PRAGMA journal_mode = WAL;"
                                        "PRAGMA synchronous = FULL;"
                                        "PRAGMA foreign_keys = ON;"
                                        "PRAGMA temp_store = MEMORY;"
                                        "PRAGMA journal_size_limit = 67108864;" // bytes
                                        "PRAGMA cache_size = -8192;";           // KiB a session

/// SOCI splits "key=value" at blanks and takes values in double quotes; a path with both cannot be written.
std::string sqlite_parameters(const std::string& target) {
  if (target.starts_with(memory_prefix))
    return "dbname=\"/" + target.substr(memory_prefix.size()) + "\" vfs=memdb";
  return "dbname=\"" + target + "\"";
}

/// A server that never answers, or is gone without a word, must not hold a thread for the kernel's minutes.
constexpr std::array<std::pair<std::string_view, std::string_view>, 4> connection_defaults{{
    {"connect_timeout", "10"},     // s
    {"keepalives_idle", "30"},     // s
    {"keepalives_interval", "10"}, // s
    {"keepalives_count", "3"},
}};

/// What the given text does not set itself; libpq takes it as key=value words or as a URI.
std::string postgresql_parameters(std::string conninfo) {
  const bool uri = conninfo.starts_with("postgresql://") || conninfo.starts_with("postgres://");
  for (const auto& [name, value] : connection_defaults) {
    if (conninfo.find(name) != std::string::npos)
      continue;
    conninfo += !uri ? " " : conninfo.find('?') == std::string::npos ? "?" : "&";
    conninfo += std::string(name) + "=" + std::string(value);
  }
  return conninfo;
}

std::int64_t milliseconds(core::duration duration) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(duration).count();
}

/// A writer's statements find their rows by key, whatever the values: planning them again for each batch of
/// values cost as much as a tenth of their work.
std::string postgresql_settings(const database& where, access mode) {
  const std::string plans = mode == access::write ? "SET plan_cache_mode = force_generic_plan;" : "";
  return plans
         + "SET client_encoding = 'UTF8'; SET standard_conforming_strings = on; SET timezone = 'UTC';"
           "SET client_min_messages = warning; SET jit = off;"
           "SET lock_timeout = "
         + std::to_string(std::max<std::int64_t>(milliseconds(where.busy_timeout), 1))
         + "; SET idle_in_transaction_session_timeout = "
         + std::to_string(milliseconds(where.idle_in_transaction_max));
}

void ignore_notice(void*, const PGresult*) {}

/// Once a process, before the first database is opened: a session is one thread's at a time, so SQLite need
/// not lock each of its calls, and nobody asks how much memory it has taken. Both cost as much as the work
/// they would guard.
void prepare_sqlite() {
  static const bool done = [] {
    sqlite_api::sqlite3_config(SQLITE_CONFIG_MULTITHREAD);
    sqlite_api::sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
    return true;
  }();
  static_cast<void>(done);
}

} // namespace

std::expected<database, std::string> parse_database(std::string_view text) {
  database parsed;
  if (text.starts_with("postgresql://") || text.starts_with("postgres://")) {
    parsed.kind = engine::postgresql;
    parsed.target = text;
  } else if (text.starts_with("postgresql:")) {
    parsed.kind = engine::postgresql;
    parsed.target = text.substr(std::string_view("postgresql:").size());
  } else if (text.starts_with("sqlite:")) {
    parsed.target = text.substr(std::string_view("sqlite:").size());
  }
  if (parsed.target.empty())
    return std::unexpected{"a database is \"sqlite:PATH\", \"postgresql://HOST/NAME\" or "
                           "\"postgresql:key=value …\""};
  if (parsed.kind == engine::sqlite && parsed.target.find('"') != std::string::npos)
    return std::unexpected{"the path of a SQLite database may not hold a double quote"};
  return parsed;
}

session::implementation::~implementation() {
  disconnect();
}

sqlite_api::sqlite3* session::implementation::sqlite() const {
  return static_cast<soci::sqlite3_session_backend*>(sql->get_backend())->conn_;
}

PGconn* session::implementation::postgresql() const {
  return static_cast<soci::postgresql_session_backend*>(sql->get_backend())->conn_;
}

void session::implementation::connect() {
  if (where.kind == engine::sqlite) {
    prepare_sqlite();
    sql = std::make_unique<soci::session>(*soci::factory_sqlite3(), sqlite_parameters(where.target));
    sqlite_api::sqlite3_busy_timeout(sqlite(), static_cast<int>(milliseconds(where.busy_timeout)));
    execute(sqlite_settings);
  } else {
    sql = std::make_unique<soci::session>(*soci::factory_postgresql(), postgresql_parameters(where.target));
    PQsetNoticeReceiver(postgresql(), ignore_notice, nullptr);
    execute(postgresql_settings(where, mode));
  }
  lost = false;
  broken.reset();
  in_transaction = false;
}

void session::implementation::disconnect() noexcept {
  if (in_transaction && sql && !lost) {
    try {
      execute("ROLLBACK");
    } catch (...) {
      lost = true; // closing the connection ends the transaction as well
    }
  }
  in_transaction = false;
  for (auto& [text, statement] : direct_statements)
    sqlite_api::sqlite3_finalize(statement);
  direct_statements.clear();
  statements.clear();
  sql.reset();
}

void session::implementation::execute(const std::string& text) {
  if (where.kind == engine::sqlite) {
    const int code = sqlite_api::sqlite3_exec(sqlite(), text.c_str(), nullptr, nullptr, nullptr);
    if (code != SQLITE_OK)
      throw soci::sqlite3_soci_error("", code);
    return;
  }
  const std::unique_ptr<PGresult, decltype(&PQclear)> answer(PQexec(postgresql(), text.c_str()), &PQclear);
  const auto status = PQresultStatus(answer.get());
  if (status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK)
    return;
  const char* state = PQresultErrorField(answer.get(), PG_DIAG_SQLSTATE);
  throw soci::postgresql_soci_error("", state == nullptr ? "     " : state);
}

session::session(std::unique_ptr<implementation> made) : implementation_(std::move(made)) {}
session::session(session&&) noexcept = default;
session& session::operator=(session&&) noexcept = default;
session::~session() = default;

result<session> session::open(const database& where, access mode) {
  session opened(std::make_unique<implementation>(where, mode));
  if (auto connected = opened.reopen(); !connected)
    return std::unexpected{std::move(connected.error())};
  return opened;
}

engine session::kind() const noexcept {
  return implementation_->where.kind;
}

result<void> session::reopen() {
  auto& inner = *implementation_;
  inner.disconnect();
  try {
    inner.connect();
    return {};
  } catch (...) {
    auto failed = inner.translate("Opening the database");
    inner.disconnect();
    return std::unexpected{std::move(failed)};
  }
}

namespace {

/// Every transaction says these words: SQLite is not to read them anew each time.
void say(session& db, const std::string& words) {
  if (db.kind() == engine::sqlite)
    direct_statement(db, words).run();
  else
    db.raw().execute(words);
}

} // namespace

result<void> session::begin() {
  auto& inner = *implementation_;
  assert(!inner.in_transaction);
  return guarded(*this, "Beginning a transaction", [&] {
    const bool reads = inner.mode == access::read;
    if (inner.where.kind == engine::sqlite)
      say(*this, reads ? "BEGIN" : "BEGIN IMMEDIATE");
    else
      say(*this, reads ? "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY" : "BEGIN");
    inner.in_transaction = true;
  });
}

result<void> session::commit() {
  auto& inner = *implementation_;
  if (auto refused = inner.refusal()) {
    rollback();
    return std::unexpected{std::move(*refused)};
  }
  auto committed = guarded(*this, "Committing", [&] { say(*this, "COMMIT"); });
  if (committed)
    inner.in_transaction = false;
  else
    rollback();
  return committed;
}

void session::rollback() noexcept {
  auto& inner = *implementation_;
  if (!inner.in_transaction)
    return;
  inner.in_transaction = false;
  inner.broken.reset();
  if (inner.lost || !inner.sql)
    return;
  try {
    // SQLite ends the transaction by itself after some errors; a second ROLLBACK would be one more.
    if (inner.where.kind == engine::postgresql || sqlite_api::sqlite3_get_autocommit(inner.sqlite()) == 0)
      inner.execute("ROLLBACK");
  } catch (...) {
    inner.lost = true; // nothing is known of this connection's state any more
  }
}

bool session::in_transaction() const noexcept {
  return implementation_->in_transaction;
}

} // namespace sluice::storage
