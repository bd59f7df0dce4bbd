#include "actors/write_group.hpp"
#include "tests/harness/adapter/catch_world.hpp"

#include <catch2/catch.hpp>

#include <numeric>
#include <string>
#include <vector>

using namespace sluice;

namespace {

struct group_world : tests::catch_world {
  group_world() : catch_world({.node = false}), group(std::nullopt, clock(), counted) {}

  void add(const std::string& name, bool alone = false) {
    auto part = [this, name](storage::session&) -> storage::result<void> {
      done.push_back(name);
      return {};
    };
    auto tell = [this](const std::optional<storage::failure>& failed) { failures += failed ? 1 : 0; };
    group.add({[] { return std::size_t{1}; }, std::move(part), std::move(tell), alone});
  }

  /// How many transactions there were.
  [[nodiscard]] std::int64_t commits() const {
    const auto counts = counted.group_rows.value().counts;
    return std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
  }

  telemetry::metrics counted;
  actors::write_group group;
  std::vector<std::string> done;
  int failures = 0;
};

} // namespace

TEST_CASE("writes share a transaction, and one that goes alone parts those before it from those behind") {
  group_world w;
  w.add("a");
  w.add("b");
  w.add("alone", true);
  w.add("c");
  w.add("d");
  w.group.commit_all(w.db(), 100);
  CHECK(w.commits() == 3);
  CHECK(w.done == std::vector<std::string>{"a", "b", "alone", "c", "d"});
  CHECK(w.failures == 0);
}

TEST_CASE("two writes that go alone are two transactions") {
  group_world w;
  w.add("one", true);
  w.add("two", true);
  w.group.commit_all(w.db(), 100);
  CHECK(w.commits() == 2);
}
