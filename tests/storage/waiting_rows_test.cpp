#include "storage/intents.hpp"
#include "storage/waiting_rows.hpp"
#include "tests/storage/delivery_world.hpp"

using namespace sluice;
using namespace sluice::tests;
using core::delivery_status;

namespace {

core::ledger_row ended_row(const std::string& id, delivery_status status,
                           const std::string& error_class = "http_500") {
  auto row = delivered_row(id, at(1));
  row.status = status;
  row.error_class = error_class;
  row.attempts = 5;
  return row;
}

core::ledger_row row_of(delivery_world& world, const std::string& id) {
  return *must(storage::find_ledger_row(world.db(), world.rule.id, id));
}

core::reopening all_of(const delivery_world& world) {
  core::reopening which;
  which.rule = world.rule.id;
  return which;
}

} // namespace

TEST_CASE("ambiguous rows are listed by the page, each with what is known of its create") {
  delivery_world world(GENERATE(from_range(engines())));
  world.put({"a", "b", "c"}, at(1));
  world.write({ended_row("a", delivery_status::ambiguous), ended_row("b", delivery_status::delivered),
               ended_row("c", delivery_status::ambiguous)},
              at(4));
  core::intent made;
  made.record = world.record("a").id;
  made.source_id = "a";
  made.made_at = at(3);
  made.idempotency_key = "key";
  made.body = "a secret";
  must(storage::write_intents(world.db(), world.rule.id, std::vector{made}, world.keys()));

  auto listed = must(storage::list_ambiguous(world.db(), {world.rule.id, "", 1}));
  REQUIRE(listed.size() == 1);
  CHECK(listed[0].row.source_id == "a");
  CHECK(listed[0].since == at(4));
  REQUIRE(listed[0].made);
  CHECK(listed[0].made->record == made.record);
  CHECK(listed[0].made->made_at == at(3));
  CHECK(listed[0].made->idempotency_key == "key");
  CHECK(listed[0].made->body.empty());
  listed = must(storage::list_ambiguous(world.db(), {world.rule.id, "a", 9}));
  REQUIRE(listed.size() == 1);
  CHECK(listed[0].row.source_id == "c");
  CHECK_FALSE(listed[0].made);
}

TEST_CASE("a terminal row that is reopened is due at once with its attempts counted anew") {
  delivery_world world(GENERATE(from_range(engines())));
  const auto status = GENERATE(delivery_status::remote_gone, delivery_status::exhausted);
  const auto before = ended_row("a", status);
  world.write({before, ended_row("b", status)});
  auto which = all_of(world);
  which.source_id = "a";
  const auto done = must(storage::reopen_rows(world.db(), which, at(9)));
  CHECK(done.rows == 1);
  CHECK(done.through);
  const auto row = row_of(world, "a");
  CHECK(row.status == delivery_status::failed);
  CHECK(row.attempts == 0);
  CHECK(row.next_attempt_at == at(9));
  CHECK(row.row_version == before.row_version + 1);
  CHECK(row.target == before.target);
  CHECK(row_of(world, "b").status == status);
  CHECK(must(storage::next_due(world.db(), world.rule.id)) == at(9));
}

TEST_CASE("a row that is not terminal, or trashed, or nobody's cannot be reopened by name") {
  delivery_world world(GENERATE(from_range(engines())));
  auto trashed = ended_row("trashed", delivery_status::exhausted);
  trashed.trashed = true;
  world.write({ended_row("failed", delivery_status::failed), trashed});
  for (const auto* id : {"failed", "trashed", "nobody"}) {
    auto which = all_of(world);
    which.source_id = id;
    const auto refused = storage::reopen_rows(world.db(), which, at(9));
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == storage::error::not_found);
  }
}

TEST_CASE("rows are reopened in bulk by error and time, in bounded batches") {
  delivery_world world(GENERATE(from_range(engines())));
  std::vector<core::ledger_row> rows;
  for (int n = 0; n < 5; ++n)
    rows.push_back(ended_row("r" + std::to_string(n), delivery_status::exhausted));
  world.write(rows, at(5));
  world.write({ended_row("other-error", delivery_status::exhausted, "http_404"),
               ended_row("done", delivery_status::delivered)},
              at(5));
  world.write({ended_row("too-early", delivery_status::exhausted)}, at(4));
  world.write({ended_row("too-late", delivery_status::exhausted)}, at(6));
  auto which = all_of(world);
  which.error_class = "http_500";
  which.from = at(5);
  which.until = at(6);
  which.limit = 2;
  std::vector<std::int64_t> batches;
  for (bool through = false; !through && batches.size() < 9;) {
    const auto done = must(storage::reopen_rows(world.db(), which, at(9)));
    batches.push_back(done.rows);
    which.after_source_id = done.last_source_id;
    through = done.through;
  }
  CHECK(batches == std::vector<std::int64_t>{2, 2, 1});
  for (const auto* id : {"other-error", "too-early", "too-late"})
    CHECK(row_of(world, id).status == delivery_status::exhausted);
  CHECK(row_of(world, "done").status == delivery_status::delivered);
  CHECK(row_of(world, "r4").status == delivery_status::failed);
}
