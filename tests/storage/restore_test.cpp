#include "storage/cursor.hpp"
#include "storage/restore.hpp"
#include "tests/storage/world.hpp"

using namespace sluice;
using namespace sluice::tests;

TEST_CASE(
    "a restored database has creates looked up first, of rules that begin later too, until it is over") {
  world here(GENERATE(from_range(engines())));
  const auto rule = here.add_rule();
  const auto looks_first = [&](core::rule_id id) {
    return must(storage::find_cursor(here.db(), id))->looks_first;
  };
  CHECK_FALSE(looks_first(rule.id));
  CHECK_FALSE(must(storage::restored_at(here.db())));

  must(storage::note_restore(here.db(), at(10)));
  must(storage::note_restore(here.db(), at(20)));
  CHECK(must(storage::restored_at(here.db())) == at(10));
  CHECK(looks_first(rule.id));
  CHECK(looks_first(here.add_rule({.name = "orders-to-crm", .domain = "orders"}).id));

  CHECK(must(storage::end_restore(here.db())));
  CHECK_FALSE(must(storage::end_restore(here.db())));
  CHECK_FALSE(looks_first(rule.id));
}
