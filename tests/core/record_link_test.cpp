#include "core/record_link.hpp"

#include <catch2/catch.hpp>

using namespace sluice::core;
using namespace std::chrono_literals;

namespace {

constexpr timestamp now{1'000s};

link_facts mirrored(const std::string& source_id) {
  link_facts facts;
  facts.about.record.id = record_id{1};
  facts.about.record.source_id = source_id;
  return facts;
}

ledger_row held_row(const std::string& source_id, const std::string& remote_id) {
  ledger_row row;
  row.source_id = source_id;
  row.status = delivery_status::delivered;
  row.target = target_state::active;
  row.remote_id = remote_id;
  row.row_version = 3;
  return row;
}

link_plan plan_of(const std::vector<record_link>& links, const std::vector<link_facts>& facts,
                  const std::multimap<std::string, std::string>& holders = {}) {
  return plan_links(links, facts, holders, now);
}

/// The reason a single link is refused for.
std::string why(const record_link& link, const link_facts& facts,
                const std::multimap<std::string, std::string>& holders = {}) {
  const auto plan = plan_of({link}, {facts}, holders);
  REQUIRE(plan.refused.size() == 1);
  CHECK(plan.refused[0].line == 1);
  CHECK(plan.rows.empty());
  CHECK(plan.known_delta == 0);
  return plan.refused[0].reason;
}

} // namespace

TEST_CASE("a linked record is active under its remote id, with nothing known of its content, and due") {
  const auto plan = plan_of({{"a", "r-a"}}, {mirrored("a")});
  REQUIRE(plan.rows.size() == 1);
  const auto& row = plan.rows[0];
  CHECK(row.source_id == "a");
  CHECK(row.target == target_state::active);
  CHECK(row.remote_id == "r-a");
  CHECK_FALSE(row.delivered_content_changed_at);
  CHECK(row.next_attempt_at == now);
  CHECK(row.row_version == 1);
  CHECK(plan.known_delta == 1);
  CHECK(plan.refused.empty());
}

TEST_CASE("a link that is so already changes nothing, even where another row has the remote id") {
  auto facts = mirrored("a");
  facts.about.row = held_row("a", "r-a");
  const auto plan = plan_of({{"a", "r-a"}}, {facts}, {{"r-a", "a"}});
  CHECK(plan.unchanged == 1);
  CHECK(plan.rows.empty());
  CHECK(plan.known_delta == 0);
}

TEST_CASE("an unknown create is settled by a link, and a terminal row is due again by it") {
  auto unknown = mirrored("a");
  unknown.about.row = held_row("a", "");
  unknown.about.row->target = target_state::absent;
  unknown.about.row->status = delivery_status::ambiguous;
  unknown.intent = record_id{1};
  auto gone = mirrored("b");
  gone.about.row = unknown.about.row;
  gone.about.row->source_id = std::string{"b"};
  gone.about.row->status = delivery_status::remote_gone;
  const auto plan = plan_of({{"a", "r-a"}, {"b", "r-b"}}, {unknown, gone});
  CHECK(plan.rows.size() == 2);
  CHECK(plan.intents_done == std::vector{record_id{1}});
  CHECK(plan.known_delta == 2);
  CHECK(plan.rows[1].status == delivery_status::failed);
}

TEST_CASE("a link that cannot be made is refused with what stands in its way") {
  CHECK(why({"", "r"}, {}) == "a source_id has 1 to 512 bytes, not 0");
  CHECK(why({"a", ""}, mirrored("a")) == "a remote_id has 1 to 512 bytes, not 0");
  CHECK(why({"a", std::string(513, 'x')}, mirrored("a")) == "a remote_id has 1 to 512 bytes, not 513");
  CHECK(why({"a", "r"}, {}) == "the rule's source has no record \"a\"");
  auto held = mirrored("a");
  held.about.row = held_row("a", "r-old");
  CHECK(why({"a", "r"}, held) == "record \"a\": the target holds it already, as r-old");
  auto trashed = held;
  trashed.about.row->trashed = true;
  CHECK(why({"a", "r-old"}, trashed) == "record \"a\": its ledger row is trashed");
  auto out = mirrored("a");
  out.intent = record_id{1};
  CHECK(why({"a", "r"}, out) == "record \"a\": a create of it is on its way: look again once it is answered");
  CHECK(why({"a", "r"}, mirrored("a"), {{"r", "b"}}) == "the remote_id \"r\" is record \"b\"");
}

TEST_CASE("within a batch neither a source id nor a remote id stands twice") {
  const auto plan = plan_of({{"a", "r-1"}, {"a", "r-2"}, {"b", "r-1"}, {"c", "r-3"}},
                            {mirrored("a"), mirrored("a"), mirrored("b"), mirrored("c")});
  CHECK(plan.rows.size() == 2);
  REQUIRE(plan.refused.size() == 2);
  CHECK(plan.refused[0].line == 2);
  CHECK(plan.refused[0].reason == "the source_id \"a\" stands in the batch before");
  CHECK(plan.refused[1].line == 3);
  CHECK(plan.refused[1].reason == "the remote_id \"r-1\" is record \"a\"");
}
