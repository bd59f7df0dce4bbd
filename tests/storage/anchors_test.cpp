#include "storage/anchors.hpp"
#include "storage/cursor.hpp"
#include "storage/rules.hpp"
#include "tests/storage/delivery_world.hpp"

#include <algorithm>

using namespace sluice;
using namespace sluice::tests;
using core::delivery_status;

namespace {

/// Consents that depend on customers; the world's rule and mirror are the consents'.
struct consent_world : delivery_world {
  explicit consent_world(storage::engine kind)
      : delivery_world(kind, {.name = "consents-to-crm", .domain = "consents"}),
        parent(add_rule({.name = "customers-to-crm", .domain = "customers"})) {
    execute("UPDATE sync_rules SET anchor_domain = 'customers', anchor_pointer = '/customer' "
            "WHERE name = 'consents-to-crm'");
    rule = *must(storage::find_rule(db(), "consents-to-crm"));
  }

  void await(const std::string& id, const std::string& customer) {
    put({id}, at(1));
    core::ledger_row row;
    row.source_id = id;
    row.status = delivery_status::awaiting_anchor;
    row.seen_content_changed_at = record(id).content_changed_at;
    row.seen_revision = 1;
    row.anchor_source_id = customer;
    row.row_version = 1;
    write({row});
  }

  void write_parent(const core::ledger_row& row) {
    committed(db(), [&](storage::session& within) {
      return storage::write_ledger(within, parent.id, std::vector{row}, at(2));
    });
  }

  std::vector<std::string> due() {
    core::drain_query query;
    query.rule = rule.id;
    query.source = rule.source;
    query.domain = rule.domain;
    query.target = rule.target;
    query.anchor_domain = rule.anchor_domain;
    query.now = at(10);
    return source_ids(must(storage::read_due(db(), query)).candidates);
  }

  [[nodiscard]] bool due_at_once() {
    const auto dues = must(storage::all_next_due(db()));
    const bool among_all =
        std::ranges::any_of(dues, [&](const core::rule_due& one) { return one.rule == rule.id; });
    const auto own = must(storage::next_due(db(), rule.id));
    CHECK(own.has_value() == among_all);
    return own && *own <= at(0);
  }

  core::sync_rule parent;
};

core::ledger_row without_reference(const std::string& id, delivery_status status) {
  auto row = delivered_row(id, at(1));
  row.status = status;
  row.target = core::target_state::absent;
  row.remote_id.clear();
  return row;
}

} // namespace

TEST_CASE("a dependent rule's parent is the push-out rule of its source, target and anchor domain") {
  consent_world world(GENERATE(from_range(engines())));
  CHECK(must(storage::find_parent_rule(world.db(), world.rule)) == world.parent.id);
  CHECK_FALSE(must(storage::find_parent_rule(world.db(), world.parent)));
  world.execute("UPDATE sync_rules SET direction = 'pull_in' WHERE name = 'customers-to-crm'");
  CHECK_FALSE(must(storage::find_parent_rule(world.db(), world.rule)));
}

TEST_CASE("loading a dependent rule and listing routes names its parent") {
  consent_world world(GENERATE(from_range(engines())));
  CHECK(must(storage::load_rule(world.db(), world.rule.id, world.keys(), at(1))).parent == world.parent.id);
  CHECK_FALSE(must(storage::load_rule(world.db(), world.parent.id, world.keys(), at(1))).parent);
  for (const auto& route : must(storage::list_routes(world.db())))
    CHECK(route.parent == (route.rule == world.rule.id ? std::optional{world.parent.id} : std::nullopt));
}

TEST_CASE("anchors are the references the target holds, active or not") {
  consent_world world(GENERATE(from_range(engines())));
  auto inactive = delivered_row("inactive", at(1));
  inactive.target = core::target_state::inactive;
  auto trashed = delivered_row("trashed", at(1));
  trashed.trashed = true;
  for (const auto& row : {delivered_row("active", at(1)), inactive, trashed,
                          without_reference("failed", delivery_status::failed)})
    world.write_parent(row);
  const std::vector<std::string> asked{"active",  "failed", "inactive", "active",
                                       "trashed", "nobody", "q\"{,}"};
  auto found = must(storage::read_anchors(world.db(), world.parent.id, asked));
  std::ranges::sort(found, {}, &core::anchor::source_id);
  REQUIRE(found.size() == 2);
  CHECK(found[0].source_id == "active");
  CHECK(found[0].remote_id == "remote-active");
  CHECK(found[1].source_id == "inactive");
}

TEST_CASE("a row keeps which parent it waits for, and forgets it") {
  consent_world world(GENERATE(from_range(engines())));
  world.await("a", "c-1");
  auto row = *must(storage::find_ledger_row(world.db(), world.rule.id, "a"));
  CHECK(row.anchor_source_id == "c-1");
  CHECK(world.due().empty());
  row.anchor_source_id.clear();
  row.status = delivery_status::filtered;
  ++row.row_version;
  world.write({row});
  CHECK(must(storage::find_ledger_row(world.db(), world.rule.id, "a"))->anchor_source_id.empty());
}

TEST_CASE("a row that waits is offered and due at once when its parent has a reference, and not before") {
  consent_world world(GENERATE(from_range(engines())));
  world.await("a", "c-1");
  world.await("b", "c-2");
  CHECK(world.due().empty());
  CHECK_FALSE(world.due_at_once());
  world.write_parent(without_reference("c-1", delivery_status::failed));
  CHECK(world.due().empty());
  CHECK_FALSE(world.due_at_once());
  world.write_parent(delivered_row("c-2", at(1)));
  CHECK(world.due() == std::vector<std::string>{"b"});
  CHECK(world.due_at_once());
}

TEST_CASE("a waiting row whose record was deleted is not offered, lest it be so for ever") {
  consent_world world(GENERATE(from_range(engines())));
  world.await("a", "c-1");
  world.write_parent(delivered_row("c-1", at(1)));
  world.bury({"a"}, at(3));
  CHECK(world.due().empty());
  CHECK_FALSE(world.due_at_once());
}

TEST_CASE("a delta offers a waiting row again when its record has changed, parent or not") {
  consent_world world(GENERATE(from_range(engines())));
  world.await("a", "c-1");
  auto query = world.scan();
  query.dependent = true;
  CHECK(must(storage::read_delta(world.db(), query)).candidates.empty());
  world.put({"a"}, at(4), R"({"changed":true})");
  CHECK(source_ids(must(storage::read_delta(world.db(), query)).candidates) == std::vector<std::string>{"a"});
}

TEST_CASE("a dependent rule without a cursor opens one in delta only, and says whether it had a ledger") {
  consent_world world(GENERATE(from_range(engines())));
  const bool had_rows = GENERATE(false, true);
  if (had_rows)
    world.await("a", "c-1");
  world.execute("DELETE FROM delivery_cursors");
  const auto loaded = must(storage::load_rule(world.db(), world.rule.id, world.keys(), at(7)));
  CHECK(loaded.cursor_opened);
  CHECK(loaded.ledger_found == had_rows);
  CHECK_FALSE(loaded.cursor.backfill_until);
  CHECK(loaded.cursor.activated_at == at(7));
  CHECK(loaded.cursor.delta.changed_at == at(7));
  const auto again = must(storage::load_rule(world.db(), world.rule.id, world.keys(), at(8)));
  CHECK_FALSE(again.cursor_opened);
  CHECK(again.cursor == loaded.cursor);
}
