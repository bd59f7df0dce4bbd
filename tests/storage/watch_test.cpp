#include "storage/node_state.hpp"
#include "storage/watch.hpp"
#include "tests/storage/world.hpp"

#include <algorithm>
#include <condition_variable>
#include <mutex>

using namespace sluice;
using namespace sluice::tests;
using namespace std::chrono_literals;

namespace {

/// Counts the calls and lets a test wait for one, without ever sleeping.
class counter {
public:
  void note() { raise_to(calls() + 1); }
  void raise_to(int calls) {
    const std::lock_guard lock(mutex_);
    calls_ = std::max(calls_, calls);
    changed_.notify_all();
  }
  bool reaches(int calls, std::chrono::milliseconds at_most) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, at_most, [&] { return calls_ >= calls; });
  }
  int calls() {
    const std::lock_guard lock(mutex_);
    return calls_;
  }

private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int calls_ = 0;
};

} // namespace

TEST_CASE("a commit to the mirror by somebody else is noticed") {
  world here(GENERATE(from_range(engines())));
  const auto rule = here.add_rule();
  counter seen;
  const auto watching = must(storage::watch::start(here.where(), 1ms, [&] { seen.note(); }));
  const auto insert = [&](const std::string& id) {
    here.execute("INSERT INTO mirror_records (source_connection_id, domain, source_id, payload, "
                 "content_changed_at) VALUES ("
                 + std::to_string(rule.source.value) + ", 'customers', '" + id + "', '{}', 1)");
  };
  insert("a");
  CHECK(seen.reaches(1, 10s));
  const int before = seen.calls();
  insert("b");
  CHECK(seen.reaches(before + 1, 10s));
}

TEST_CASE("a commit that shows just after another one is told of too") {
  world here(GENERATE(from_range(engines())));
  const auto rule = here.add_rule();
  const auto insert = [&](int number) {
    here.execute("INSERT INTO mirror_records (source_connection_id, domain, source_id, payload, "
                 "content_changed_at) VALUES ("
                 + std::to_string(rule.source.value) + ", 'customers', '" + std::to_string(number)
                 + "', '{}', 1)");
  };
  counter records; // as many as showed when a change was told of
  const auto watching = must(storage::watch::start(here.where(), 1ms, [&] {
    records.raise_to(std::stoi(here.value("SELECT count(*) FROM mirror_records")));
  }));
  for (int written = 2; written <= 400; written += 2) {
    insert(written - 1);
    insert(written);
    REQUIRE(records.reaches(written, 5s));
  }
}

TEST_CASE("a burst of commits is told once a quiet interval") {
  world here(GENERATE(from_range(engines())));
  const auto rule = here.add_rule();
  counter seen;
  const auto watching = must(storage::watch::start(here.where(), 1h, [&] { seen.note(); }));
  for (int i = 0; i < 5; ++i)
    here.execute("INSERT INTO mirror_records (source_connection_id, domain, source_id, payload, "
                 "content_changed_at) VALUES ("
                 + std::to_string(rule.source.value) + ", 'customers', '" + std::to_string(i)
                 + "', '{}', 1)");
  CHECK(seen.reaches(1, 10s));
  CHECK_FALSE(seen.reaches(2, 50ms));
}

TEST_CASE("a watch ends at once though nothing ever happened") {
  world here(GENERATE(from_range(engines())));
  counter seen;
  for (int round = 0; round < 20; ++round)
    static_cast<void>(must(storage::watch::start(here.where(), 1h, [&] { seen.note(); })));
  CHECK(seen.calls() == 0);
}

TEST_CASE("a listener whose connection was cut listens again and reports what it may have missed") {
  const auto kinds = engines();
  if (kinds.size() < 2)
    return;
  world here(storage::engine::postgresql);
  counter seen;
  const auto watching = must(storage::watch::start(here.where(), 1ms, [&] { seen.note(); }));
  here.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
               "WHERE datname = current_database() AND pid <> pg_backend_pid() AND query = 'LISTEN "
               "sluice_mirror' AND state = 'idle'");
  CHECK(seen.reaches(1, 10s));
}

TEST_CASE("a database that cannot be opened cannot be watched") {
  const storage::database nowhere{storage::engine::sqlite, "/nowhere/x.db", {}};
  CHECK_FALSE(storage::watch::start(nowhere, 1ms, [] {}).has_value());
}

TEST_CASE("an in-memory database has nothing to watch") {
  const storage::database where{storage::engine::sqlite, "memory:watch-test", {}};
  CHECK(storage::watch::start(where, 1ms, [] {}).has_value());
}
