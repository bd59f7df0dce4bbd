#include "storage/lifecycle.hpp"
#include "tests/storage/delivery_world.hpp"

#include <array>
#include <map>
#include <random>

using namespace sluice;
using namespace sluice::tests;
using core::delivery_status;

namespace {

using counts = std::map<delivery_status, std::int64_t>;

counts told(delivery_world& world) {
  return must(storage::count_ledger(world.db(), world.rule.id));
}

/// Row by row, from what the ledger lists.
counts counted(delivery_world& world) {
  counts found;
  for (const auto& one : must(storage::list_ledger(world.db(), {.rule = world.rule.id,
                                                                .status = {},
                                                                .error_class = {},
                                                                .source_id = {},
                                                                .after_source_id = {},
                                                                .limit = 10'000})))
    if (!one.row.trashed)
      ++found[one.row.status];
  return found;
}

constexpr std::array statuses{delivery_status::delivered, delivery_status::suppressed,
                              delivery_status::filtered, delivery_status::exhausted};

} // namespace

TEST_CASE("the counts of a ledger are those of its rows, whatever is written") {
  delivery_world world(GENERATE(from_range(engines())));
  std::mt19937 dice(GENERATE(1U, 2U, 3U));
  const auto throw_to = [&](std::size_t sides) { return dice() % sides; };
  std::map<std::string, core::ledger_row> rows;
  for (int batch = 0; batch < 40; ++batch) {
    std::vector<core::ledger_row> writes;
    for (auto left = throw_to(12) + 1; left > 0; --left) {
      const auto id = std::to_string(throw_to(30));
      const auto [known, is_new] = rows.try_emplace(id, delivered_row(id, at(1)));
      auto& row = known->second;
      row.row_version += is_new ? 0 : 1;
      row.status = statuses[throw_to(statuses.size())];
      row.trashed = throw_to(5) == 0;
      writes.push_back(row);
    }
    auto stale = writes.front(); // nobody's version any more: it changes nothing
    stale.status = delivery_status::ambiguous;
    writes.push_back(stale);
    world.write(writes);
    REQUIRE(told(world) == counted(world));
  }
}

TEST_CASE("rows that are removed are no longer counted, and a rule that goes takes its counts along") {
  delivery_world world(GENERATE(from_range(engines())));
  world.write({delivered_row("a", at(1)), delivered_row("b", at(1)), delivered_row("c", at(1))});
  world.execute("DELETE FROM outbound_deliveries WHERE source_id <> 'b'");
  CHECK(told(world) == counts{{delivery_status::delivered, 1}});
  world.execute("DELETE FROM outbound_deliveries");
  CHECK(told(world).empty());
  world.write({delivered_row("d", at(1))});
  must(storage::uninstall_connection(world.db(), "crm", at(2), 10));
  CHECK(world.value("SELECT count(*) FROM ledger_counts") == "0");
}

TEST_CASE("a transaction that is rolled back leaves the counts as they were") {
  delivery_world world(GENERATE(from_range(engines())));
  world.write({delivered_row("a", at(1))});
  const auto undone = storage::transact(world.db(), [&](storage::session& within) -> storage::result<int> {
    must(storage::write_ledger(within, world.rule.id, std::array{delivered_row("b", at(1))}, at(2)));
    return std::unexpected{storage::failure{}};
  });
  CHECK_FALSE(undone);
  CHECK(told(world) == counts{{delivery_status::delivered, 1}});
}
