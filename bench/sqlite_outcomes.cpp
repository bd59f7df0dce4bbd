#include "bench/outcome_writer.hpp"
#include "bench/records.hpp"

#include <sqlite3.h>

namespace sluice::bench {
namespace {

constexpr std::int64_t rule = 1;
constexpr const char* status = "delivered";

// The key is the table itself: one tree to write, as few pages as a row a record can have.
constexpr const char* schema = R"(
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    DROP TABLE IF EXISTS ceiling_outcomes;
    CREATE TABLE ceiling_outcomes(
        rule_id BIGINT NOT NULL, source_id TEXT NOT NULL, remote_id TEXT NOT NULL, version BIGINT NOT NULL,
        status TEXT NOT NULL, PRIMARY KEY (rule_id, source_id)) WITHOUT ROWID)";

class sqlite_outcomes final : public outcome_store {
public:
  explicit sqlite_outcomes(sqlite3* database) : database_(database) {}

  ~sqlite_outcomes() override {
    sqlite3_finalize(begin_);
    sqlite3_finalize(insert_);
    sqlite3_finalize(commit_);
    sqlite3_close(database_);
  }
  sqlite_outcomes(const sqlite_outcomes&) = delete;
  sqlite_outcomes& operator=(const sqlite_outcomes&) = delete;

  bool prepare() {
    return sqlite3_exec(database_, schema, nullptr, nullptr, nullptr) == SQLITE_OK
           && prepare("BEGIN IMMEDIATE", begin_) && prepare("COMMIT", commit_)
           && prepare("INSERT INTO ceiling_outcomes VALUES (?1, ?2, ?3, ?4, ?5)", insert_);
  }

  std::expected<void, std::string> write(std::span<const outcome> outcomes) override {
    if (!step(begin_)) {
      return failure();
    }
    sqlite3_bind_int64(insert_, 1, rule);
    sqlite3_bind_text(insert_, 5, status, -1, SQLITE_STATIC);
    for (const auto& one : outcomes) {
      const auto source_id = make_source_id(one.number);
      sqlite3_bind_text(insert_, 2, source_id.data(), static_cast<int>(source_id.size()), SQLITE_STATIC);
      sqlite3_bind_text(insert_, 3, one.remote_id.data(), static_cast<int>(one.remote_id.size()),
                        SQLITE_STATIC);
      sqlite3_bind_int64(insert_, 4, one.version);
      if (!step(insert_)) {
        return failure();
      }
    }
    if (!step(commit_)) {
      return failure();
    }
    return {};
  }

  [[nodiscard]] std::unexpected<std::string> failure() const {
    return std::unexpected(std::string("SQLite: ") + sqlite3_errmsg(database_));
  }

private:
  bool prepare(const char* sql, sqlite3_stmt*& statement) {
    return sqlite3_prepare_v3(database_, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, nullptr)
           == SQLITE_OK;
  }

  static bool step(sqlite3_stmt* statement) {
    const int code = sqlite3_step(statement);
    sqlite3_reset(statement);
    return code == SQLITE_DONE;
  }

  sqlite3* database_;
  sqlite3_stmt* begin_ = nullptr;
  sqlite3_stmt* insert_ = nullptr;
  sqlite3_stmt* commit_ = nullptr;
};

} // namespace

std::expected<std::unique_ptr<outcome_store>, std::string> open_sqlite_outcomes(const std::string& path) {
  sqlite3* database = nullptr;
  constexpr int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
  sqlite3_open_v2(path.c_str(), &database, flags, nullptr);
  auto store = std::make_unique<sqlite_outcomes>(database);
  if (!store->prepare()) {
    return store->failure();
  }
  return store;
}

} // namespace sluice::bench
