#pragma once

#include "core/time.hpp"
#include "storage/error.hpp"

#include <concepts>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace sluice::storage {

enum class engine : std::uint8_t { sqlite, postgresql };
enum class access : std::uint8_t { read, write };

/// Where the data is.
struct database {
  engine kind = engine::sqlite;
  std::string
      target; ///< SQLite: a file path or ":memory:" (see session::open); PostgreSQL: a conninfo string or URI
  core::duration busy_timeout = std::chrono::seconds{5};
  /// PostgreSQL ends a session whose open transaction lies idle so long; zero: never. A paused process must
  /// not keep its locks.
  core::duration idle_in_transaction_max{};
};

/// Reads "sqlite:PATH", "postgresql://…" or "postgresql:CONNINFO". The error names what is allowed.
[[nodiscard]] std::expected<database, std::string> parse_database(std::string_view text);

/// One database session, for one thread at a time. Everything that touches the database takes one.
///
/// SQLite is opened with WAL, synchronous=FULL, foreign_keys on and the busy timeout; a target of the form
/// "memory:NAME" is a shared in-memory database that lives while a session of that name is open (the
/// harness): there readers and the writer take turns, so on one thread a read beside another session's open
/// write transaction ends as `busy` after the busy timeout. Cached statements live and die with the session.
/// A session whose connection was lost answers `unavailable` until `reopen` succeeds.
class session {
public:
  struct implementation; ///< SOCI lives here, seen by storage's own sources alone

  [[nodiscard]] static result<session> open(const database& where, access mode);

  session(session&&) noexcept;
  session& operator=(session&&) noexcept;
  ~session();

  [[nodiscard]] engine kind() const noexcept;
  [[nodiscard]] result<void> reopen();

  /// SQLite writers BEGIN IMMEDIATE; a reader gets one snapshot (PostgreSQL: REPEATABLE READ READ ONLY).
  [[nodiscard]] result<void> begin();
  [[nodiscard]] result<void> commit();
  void rollback() noexcept; ///< also what the destructor does to an open transaction
  [[nodiscard]] bool in_transaction() const noexcept;

  [[nodiscard]] implementation& raw() noexcept { return *implementation_; }

private:
  explicit session(std::unique_ptr<implementation> implementation);
  std::unique_ptr<implementation> implementation_;
};

/// Runs `work(session)` in a transaction: commits when it returns a value, rolls back when it returns a
/// failure.
template <std::invocable<session&> Work>
[[nodiscard]] auto transact(session& db, Work&& work) -> std::invoke_result_t<Work, session&> {
  if (auto begun = db.begin(); !begun)
    return std::unexpected{begun.error()};
  auto outcome = std::forward<Work>(work)(db);
  if (!outcome) {
    db.rollback();
    return outcome;
  }
  if (auto committed = db.commit(); !committed)
    return std::unexpected{committed.error()};
  return outcome;
}

} // namespace sluice::storage
