#pragma once

#include <condition_variable>
#include <cstdint>
#include <expected>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include <vector>

namespace sluice::bench {

/// One delivered record: a row of the ledger.
struct outcome {
  std::uint64_t number = 0;
  std::int64_t version = 0;
  std::string remote_id;
};

/// A database that keeps outcomes. One call is one durable transaction. Errors are sentences for the person
/// who runs the benchmark.
class outcome_store {
public:
  virtual ~outcome_store() = default;
  [[nodiscard]] virtual std::expected<void, std::string> write(std::span<const outcome> outcomes) = 0;
};

/// SQLite in WAL mode with synchronous=FULL; the table is made new.
[[nodiscard]] std::expected<std::unique_ptr<outcome_store>, std::string>
open_sqlite_outcomes(const std::string& path);

/// PostgreSQL with the server's own durability; the table is made new.
[[nodiscard]] std::expected<std::unique_ptr<outcome_store>, std::string>
open_postgresql_outcomes(const std::string& conninfo);

/// The second thread of the ceiling: takes groups of outcomes and writes each as one transaction.
class outcome_writer {
public:
  explicit outcome_writer(std::unique_ptr<outcome_store> store);
  ~outcome_writer();
  outcome_writer(const outcome_writer&) = delete;
  outcome_writer& operator=(const outcome_writer&) = delete;

  void add(std::vector<outcome> group);

  struct result {
    double cpu_seconds = 0;
    std::string error;
  };
  /// Waits until everything added is durable.
  result finish();

private:
  void run();

  std::unique_ptr<outcome_store> store_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::vector<outcome>> queue_;
  bool closed_ = false;
  result result_;
  std::thread thread_;
};

} // namespace sluice::bench
