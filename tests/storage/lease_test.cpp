#include "storage/lease.hpp"
#include "storage/node_state.hpp"
#include "tests/storage/world.hpp"

#include <filesystem>
#include <fstream>

using namespace sluice;
using namespace sluice::tests;
using namespace std::chrono_literals;

TEST_CASE("a free shard is granted with epoch one, and waited for while its lease runs") {
  world here(GENERATE(from_range(engines())));
  const auto mine = must(storage::acquire_lease(here.db(), "crm", "node-a", 1h));
  REQUIRE(mine.granted);
  CHECK(mine.mine.epoch == 1);
  // Under our own name as well: another process may still run under it.
  for (const auto* node : {"node-b", "node-a"}) {
    const auto other = must(storage::acquire_lease(here.db(), "crm", node, 1h));
    CHECK_FALSE(other.granted);
    CHECK(other.holder == "node-a");
    CHECK(other.remaining > 59min);
    CHECK(other.remaining <= 1h);
  }
  CHECK(must(storage::acquire_lease(here.db(), "erp", "node-b", 1h)).granted);
}

TEST_CASE("a lease that ran out or was released goes to the next with a higher epoch") {
  world here(GENERATE(from_range(engines())));
  const auto first = must(storage::acquire_lease(here.db(), "crm", "node-a", 0s));
  const auto second = must(storage::acquire_lease(here.db(), "crm", "node-b", 1h));
  REQUIRE(second.granted);
  CHECK(second.mine.epoch == first.mine.epoch + 1);

  must(storage::release_lease(here.db(), first.mine)); // not ours any more: nothing happens
  CHECK_FALSE(must(storage::acquire_lease(here.db(), "crm", "node-c", 1h)).granted);
  must(storage::release_lease(here.db(), second.mine));
  const auto third = must(storage::acquire_lease(here.db(), "crm", "node-c", 1h));
  REQUIRE(third.granted);
  CHECK(third.mine.epoch == second.mine.epoch + 1);
}

TEST_CASE("renewing prolongs a lease still ours and is fenced when it is not") {
  world here(GENERATE(from_range(engines())));
  const auto first = must(storage::acquire_lease(here.db(), "crm", "node-a", 0s));
  must(storage::renew_lease(here.db(), first.mine, 1h));
  CHECK_FALSE(must(storage::acquire_lease(here.db(), "crm", "node-b", 1h)).granted);
  must(storage::release_lease(here.db(), first.mine));
  const auto released = storage::renew_lease(here.db(), first.mine, 1h);
  REQUIRE_FALSE(released.has_value());
  CHECK(released.error().code == storage::error::fenced);

  REQUIRE(must(storage::acquire_lease(here.db(), "crm", "node-b", 1h)).granted);
  const auto late = storage::renew_lease(here.db(), first.mine, 1h);
  REQUIRE_FALSE(late.has_value());
  CHECK(late.error().code == storage::error::fenced);
}

TEST_CASE("the epoch cannot be raised between an owner's check and its commit") {
  world here({.kind = GENERATE(from_range(engines())), .busy_timeout = 100ms});
  auto next = here.session();
  const auto old = must(storage::acquire_lease(here.db(), "crm", "node-a", 0s)); // run out already

  must(here.db().begin());
  must(storage::check_fence(here.db(), old.mine));
  const auto blocked = storage::acquire_lease(next, "crm", "node-b", 1h);
  REQUIRE_FALSE(blocked.has_value());
  CHECK(blocked.error().code == storage::error::busy);
  must(storage::write_heartbeat(here.db(), "dispatcher", at(1)));
  must(here.db().commit());

  REQUIRE(must(storage::acquire_lease(next, "crm", "node-b", 1h)).granted);
  const auto stale = storage::transact(here.db(), [&](storage::session& db) -> storage::result<void> {
    if (auto written = storage::write_heartbeat(db, "dispatcher", at(2)); !written)
      return written;
    return storage::check_fence(db, old.mine);
  });
  REQUIRE_FALSE(stale.has_value());
  CHECK(stale.error().code == storage::error::fenced);
  CHECK(must(storage::read_heartbeat(here.db(), "dispatcher")) == at(1));
}

TEST_CASE("owners of one shard check their fence side by side") {
  const auto kinds = engines();
  if (kinds.size() < 2)
    return;
  world here({.kind = storage::engine::postgresql, .busy_timeout = 100ms});
  auto beside = here.session();
  const auto mine = must(storage::acquire_lease(here.db(), "crm", "node-a", 1h)).mine;
  must(here.db().begin());
  must(beside.begin());
  must(storage::check_fence(here.db(), mine));
  must(storage::check_fence(beside, mine));
  must(here.db().commit());
  must(beside.commit());
}

TEST_CASE("a lease is renewed beside writes that have checked their fence, and looked at by another node") {
  const auto kinds = engines();
  if (kinds.size() < 2)
    return;
  world here({.kind = storage::engine::postgresql, .busy_timeout = 100ms});
  auto beside = here.session();
  const auto mine = must(storage::acquire_lease(here.db(), "crm", "node-a", 1h)).mine;
  must(here.db().begin());
  must(storage::check_fence(here.db(), mine));
  must(storage::renew_lease(beside, mine, 2h));
  const auto other = must(storage::acquire_lease(beside, "crm", "node-b", 1h));
  CHECK_FALSE(other.granted);
  CHECK(other.remaining > 1h);
  must(storage::check_fence(here.db(), mine));
  must(here.db().commit());
}

TEST_CASE("a shard nobody ever owned lets nobody write") {
  world here(GENERATE(from_range(engines())));
  const auto nobody = storage::check_fence(here.db(), {"crm", 1});
  REQUIRE_FALSE(nobody.has_value());
  CHECK(nobody.error().code == storage::error::fenced);
}

TEST_CASE("a second node on one SQLite file is refused and told who has it") {
  world here(storage::engine::sqlite);
  const auto& path = here.where().target;
  {
    const auto first = must(storage::file_lock::take(path));
    const auto second = storage::file_lock::take(path);
    REQUIRE_FALSE(second.has_value());
    CHECK(second.error().code == storage::error::refused);
    std::string holder;
    std::ifstream(path + ".lock") >> holder;
    CHECK_THAT(second.error().detail, Catch::Contains("process " + holder));
    std::ifstream(path + ".lock").get(); // opening and closing the file elsewhere does not lose the lock
    CHECK_FALSE(storage::file_lock::take(path).has_value());
  }
  CHECK(storage::file_lock::take(path).has_value());
}
