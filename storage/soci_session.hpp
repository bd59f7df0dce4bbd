#pragma once

#include "core/ids.hpp"
#include "core/time.hpp"
#include "storage/session.hpp"

#include <soci/postgresql/soci-postgresql.h>
#include <soci/soci.h>
#include <soci/sqlite3/soci-sqlite3.h>

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

// For storage's own sources alone: the only header in which SOCI shows.
//
// <sqlite3.h> must not be included before this: SOCI declares it inside namespace sqlite_api.

namespace sluice::storage {

/// Begins the target of an in-memory SQLite database.
inline constexpr std::string_view memory_prefix = "memory:";

/// Carries a failure of our own out of a query's work to the `guarded` around it; never leaves this layer.
struct abandoned {
  failure why;
};

struct text_hash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const noexcept { return std::hash<std::string_view>{}(text); }
};

struct session::implementation {
  implementation(database target, access wanted) : where(std::move(target)), mode(wanted) {}
  ~implementation();
  implementation(const implementation&) = delete;
  implementation& operator=(const implementation&) = delete;

  database where;
  access mode;
  std::unique_ptr<soci::session> sql;
  /// Prepared statements by their text; one that is in use is not in here. They die with `sql`.
  using statement_cache =
      std::unordered_map<std::string, std::unique_ptr<soci::statement>, text_hash, std::equal_to<>>;
  statement_cache statements;
  std::unordered_map<std::string, sqlite_api::sqlite3_stmt*, text_hash, std::equal_to<>> direct_statements;
  bool in_transaction = false;
  /// An error inside a transaction abandons it: PostgreSQL would answer a later commit with silence.
  std::optional<failure> broken;
  bool lost = false; ///< the connection is gone; only reopen helps

  void connect(); ///< throws what SOCI throws
  void disconnect() noexcept;
  /// Control statements and migrations: any number of statements without parameters.
  void execute(const std::string& text);

  [[nodiscard]] sqlite_api::sqlite3* sqlite() const;
  [[nodiscard]] PGconn* postgresql() const;

  /// Why no statement may run now: connection lost, transaction broken.
  [[nodiscard]] std::optional<failure> refusal() const;
  /// Inside a catch block: turns what was thrown into a failure and marks transaction and connection.
  [[nodiscard]] failure translate(std::string_view doing);
};

/// Runs `work`, which returns a value, nothing, or a result; whatever it throws becomes a failure.
/// `doing` completes the sentence "… failed": "Writing the ledger".
template <std::invocable Work>
[[nodiscard]] auto guarded(session& db, std::string_view doing, Work&& work) {
  using answer = std::invoke_result_t<Work>;
  constexpr bool wrapped = requires(answer a) { a.error().detail; };
  using outcome = std::conditional_t<wrapped, answer, result<answer>>;
  if (auto refused = db.raw().refusal())
    return outcome{std::unexpected{std::move(*refused)}};
  try {
    if constexpr (std::is_void_v<answer>) {
      std::forward<Work>(work)();
      return outcome{};
    } else {
      return outcome{std::forward<Work>(work)()};
    }
  } catch (...) {
    return outcome{std::unexpected{db.raw().translate(doing)}};
  }
}

/// `guarded` for several queries that answer one question: they see the same moment.
template <std::invocable Work>
[[nodiscard]] auto in_snapshot(session& db, std::string_view doing, Work&& work) {
  auto guarded_work = [&](session& within) { return guarded(within, doing, work); };
  return db.in_transaction() ? guarded_work(db) : transact(db, guarded_work);
}

/// The value of a result; a failure abandons the work around it.
template <class T>
[[nodiscard]] T needed(result<T> answer) {
  if (!answer)
    throw abandoned{std::move(answer.error())};
  return std::move(*answer);
}

inline void needed(result<void> answer) {
  if (!answer)
    throw abandoned{std::move(answer.error())};
}

/// A value parsed out of a column; one that is not allowed there abandons the work as corrupt.
template <class T>
[[nodiscard]] T known(std::optional<T> parsed, std::string_view column) {
  if (!parsed)
    throw abandoned{
        {error::corrupt, "The database holds a value that is not allowed in " + std::string(column) + "."}};
  return std::move(*parsed);
}

/// One execution of a prepared statement, taken from the session's cache and given back at the end.
/// Parameters are ":name" in the text and bound by name (a name may occur more than once). Throws: use inside
/// `guarded`. Every value bound is kept here, every target filled must outlive this.
///
///   query rows(db, "SELECT id, name FROM sync_rules WHERE source_connection_id = :source");
///   rows.use("source", source).into(id).into(name);
///   while (rows.next()) …
class query {
public:
  query(session& db, std::string_view text);
  ~query();
  query(const query&) = delete;
  query& operator=(const query&) = delete;

  query& use(const char* name, std::int64_t value);
  query& use(const char* name, std::string value);
  query& use(const char* name, std::string_view value) { return use(name, std::string(value)); }
  query& use(const char* name, const char* value) { return use(name, std::string(value)); }
  query& use(const char* name, bool value) { return use(name, std::int64_t{value}); }
  query& use(const char* name, core::timestamp value) { return use(name, core::to_us(value)); }
  query& use(const char* name, std::int32_t value) { return use(name, std::int64_t{value}); }
  template <class Tag>
  query& use(const char* name, core::strong_id<Tag> value) {
    return use(name, value.value);
  }
  template <class T>
  query& use(const char* name, const std::optional<T>& value) {
    return value ? use(name, *value) : use_null(name);
  }
  query& use_null(const char* name);

  /// Columns in their order. NULL makes a number 0, a text empty, an optional empty.
  query& into(std::int64_t& target);
  query& into(std::int32_t& target);
  query& into(bool& target);
  query& into(std::string& target);
  query& into(core::timestamp& target);
  query& into(std::optional<std::int64_t>& target);
  query& into(std::optional<std::string>& target);
  query& into(std::optional<core::timestamp>& target);
  template <class Tag>
  query& into(core::strong_id<Tag>& target) {
    return into(target.value);
  }

  /// Executes at the first call. False: no further row, and the statement is at rest.
  bool next();
  /// Executes to the end; returns the rows written.
  std::int64_t run();

private:
  struct slot {
    long long number = 0;
    std::string text;
    soci::indicator indicator = soci::i_ok;
    void* target = nullptr;
    void (*deliver)(slot& from) = nullptr;
  };
  slot& input();
  slot& number_output(void* target, void (*deliver)(slot&));
  void execute();

  session::implementation& session_;
  session::implementation::statement_cache::node_type entry_; ///< out of the cache while in use
  soci::statement* statement_ = nullptr;
  std::deque<slot> slots_; ///< SOCI keeps the addresses
  std::vector<slot*> outputs_;
  bool executed_ = false;
};

/// The hot path of SQLite: a cached statement without SOCI between. Parameters by their number from 1; texts
/// bound must live until `run` or `reset`. Throws like `query`. One use at a time of one text.
class direct_statement {
public:
  direct_statement(session& db, std::string_view text);
  ~direct_statement();
  direct_statement(const direct_statement&) = delete;
  direct_statement& operator=(const direct_statement&) = delete;

  /// The number of a parameter written as ":name".
  [[nodiscard]] int place(const char* name) const;
  direct_statement& bind(int index, std::int64_t value);
  direct_statement& bind(int index, std::string_view value);
  direct_statement& bind_null(int index);
  direct_statement& bind(int index, core::timestamp value) { return bind(index, core::to_us(value)); }
  template <class T>
  direct_statement& bind(int index, const std::optional<T>& value) {
    return value ? bind(index, *value) : bind_null(index);
  }

  bool next(); ///< false: no further row
  [[nodiscard]] bool is_null(int column) const;
  [[nodiscard]] std::int64_t number(int column) const;   ///< columns from 0
  [[nodiscard]] std::string_view text(int column) const; ///< until the next call
  std::int64_t run(); ///< to the end, ready for the next row of values; returns the rows written
  void reset() noexcept;

private:
  sqlite_api::sqlite3* database_;
  sqlite_api::sqlite3_stmt* statement_;
};

} // namespace sluice::storage
