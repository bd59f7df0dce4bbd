#include "storage/node_state.hpp"
#include "tests/storage/world.hpp"

using namespace sluice;
using namespace sluice::tests;

TEST_CASE("a request window is read back as saved last, per connection") {
  world here(GENERATE(from_range(engines())));
  const auto rule = here.add_rule();
  CHECK_FALSE(must(storage::load_window(here.db(), rule.target)).has_value());
  must(storage::save_window(here.db(), rule.target, "first", at(1)));
  must(storage::save_window(here.db(), rule.target, "second", at(2)));
  CHECK(must(storage::load_window(here.db(), rule.target)) == "second");
  CHECK_FALSE(must(storage::load_window(here.db(), rule.source)).has_value());
}

TEST_CASE("heartbeats are kept by name") {
  world here(GENERATE(from_range(engines())));
  CHECK_FALSE(must(storage::read_heartbeat(here.db(), "dispatcher")).has_value());
  must(storage::write_heartbeat(here.db(), "dispatcher", at(1)));
  must(storage::write_heartbeat(here.db(), "other", at(5)));
  must(storage::write_heartbeat(here.db(), "dispatcher", at(2.000001)));
  CHECK(must(storage::read_heartbeat(here.db(), "dispatcher")) == at(2.000001));
}
