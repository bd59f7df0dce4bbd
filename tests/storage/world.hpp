#pragma once

#include "core/rule.hpp"
#include "crypto/key_ring.hpp"
#include "storage/session.hpp"

#include <catch2/catch.hpp>

#include <memory>
#include <string>
#include <vector>

namespace sluice::tests {

/// The engines a contract test runs on: `GENERATE(from_range(engines()))`. PostgreSQL is among them where
/// SLUICE_TEST_POSTGRESQL or the build's file postgresql/conninfo names a cluster; where none does, a warning
/// says that this half is skipped.
[[nodiscard]] std::vector<storage::engine> engines();

/// The moment tests begin at; `at(1)` is a second later.
[[nodiscard]] core::timestamp at(double seconds = 0);

struct world_options {
  storage::engine kind = storage::engine::sqlite;
  bool migrated = true;
  core::duration busy_timeout = std::chrono::seconds{5};
};

/// What a test builds its rule from.
struct rule_options {
  std::string name = "customers-to-crm";
  std::string source = "shop";
  std::string target = "crm";
  std::string domain = "customers";
  core::delete_policy deletes = core::delete_policy::ignore;
  core::timestamp now = at();
};

/// A fresh database of its own (SQLite: a file in a temporary folder; PostgreSQL: a schema), gone with it.
class world {
public:
  explicit world(world_options options);
  explicit world(storage::engine kind) : world(world_options{.kind = kind}) {}
  ~world();
  world(const world&) = delete;
  world& operator=(const world&) = delete;

  [[nodiscard]] const storage::database& where() const noexcept { return where_; }
  /// A further session; every call opens one.
  [[nodiscard]] storage::session session(storage::access mode = storage::access::write) const;
  /// The writer that is open from the start.
  [[nodiscard]] storage::session& db() noexcept { return *db_; }
  [[nodiscard]] const crypto::key_ring& keys() const noexcept { return keys_; }

  /// Statements of the test's own, on a connection beside the session's.
  void execute(const std::string& text) const;
  /// Whether the engine refuses the statements.
  [[nodiscard]] bool refuses(const std::string& text) const;
  /// The first column of the first row.
  [[nodiscard]] std::string value(const std::string& text) const;

  /// Applies tenant "acme", both connections and the rule, opens its cursor; returns the rule as stored.
  core::sync_rule add_rule(const rule_options& options = {});

private:
  struct home;
  std::unique_ptr<home> home_;
  storage::database where_;
  crypto::key_ring keys_;
  std::unique_ptr<storage::session> db_;
};

/// The value of a result, or the test fails here with the failure's sentence.
template <class T>
T must(storage::result<T> outcome) {
  if (!outcome)
    FAIL(storage::to_string(outcome.error().code) << ": " << outcome.error().detail);
  if constexpr (!std::is_void_v<T>)
    return std::move(*outcome);
}

/// Runs `work` in a transaction of the session that must succeed.
template <class Work>
auto committed(storage::session& db, Work&& work) {
  return must(storage::transact(db, std::forward<Work>(work)));
}

} // namespace sluice::tests
