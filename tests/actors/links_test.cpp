#include "tests/harness/adapter/catch_world.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

using namespace sluice;
using namespace std::chrono_literals;
using Catch::Matchers::Contains;
using tests::catch_world;
namespace m = messages;

namespace {

/// A rule that may not deliver yet, and three records that its target has already.
struct link_world : catch_world {
  explicit link_world(core::update_mode updates = core::update_mode::overwrite) {
    add_target("crm", {.lookup = false, .idempotency_key = false});
    harness::rule_options options;
    options.updates = updates;
    add_rule("customers", options);
    settle();
    set_connection_status("crm", core::connection_status::inactive);
    put_records(3);
    settle();
    for (const auto* id : {"c-1", "c-2", "c-3"})
      links.push_back({id, target().hold(id)});
  }

  core::links_recorded link(const std::vector<core::record_link>& given, bool skip_invalid = false) {
    auto asked =
        ask<core::links_recorded>(dispatcher(), m::link_records{rule_id(), given, skip_invalid, "ada"});
    settle();
    REQUIRE(asked.answered());
    return asked.value();
  }

  void deliver() {
    set_connection_status("crm", core::connection_status::active);
    settle();
  }

  std::vector<core::record_link> links;
};

} // namespace

TEST_CASE("records whose remote ids are told before the first delivery are updated, and none is created") {
  link_world w;
  const auto done = w.link(w.links);
  CHECK(done.stored);
  CHECK(done.linked == 3);
  CHECK(done.refused.empty());
  CHECK(w.cursor().known_records == 3);
  CHECK(w.row("c-2")->target == core::target_state::active);
  CHECK(w.row("c-2")->remote_id == w.links[1].remote_id);
  CHECK_FALSE(w.row("c-2")->delivered_content_changed_at);

  w.deliver();

  CHECK(w.count_rows(core::delivery_status::delivered) == 3);
  CHECK(w.target().count("POST") == 0);
  CHECK(w.target().count("PATCH") == 3);
  CHECK(w.target().objects().size() == 3);
  CHECK(w.cursor().known_records == 3);
}

TEST_CASE("a rule that only creates leaves alone what is linked") {
  link_world w{core::update_mode::create_only};
  w.link(w.links);
  w.deliver();
  CHECK(w.count_rows(core::delivery_status::suppressed) == 3);
  CHECK(w.target().count("POST") == 0);
  CHECK(w.target().count("PATCH") == 0);
}

TEST_CASE("links are told twice without harm, before and after their delivery") {
  link_world w;
  w.link(w.links);
  const auto again = w.link(w.links);
  CHECK(again.stored);
  CHECK(again.linked == 0);
  CHECK(again.unchanged == 3);
  w.deliver();
  const auto before = w.row("c-1");
  CHECK(w.link(w.links).unchanged == 3);
  CHECK(w.row("c-1") == before);
  CHECK(w.cursor().known_records == 3);
}

TEST_CASE("one link that cannot be made keeps the others from being made, unless it is to be left out") {
  link_world w;
  auto links = w.links;
  links.push_back({"nobody", "r-77"});
  const auto refused = w.link(links);
  CHECK_FALSE(refused.stored);
  CHECK(refused.linked == 0);
  REQUIRE(refused.refused.size() == 1);
  CHECK(refused.refused[0].line == 4);
  CHECK_THAT(refused.refused[0].reason, Contains("nobody"));
  CHECK(w.status("c-1") == "none");
  CHECK(w.cursor().known_records == 0);

  const auto rest = w.link(links, true);
  CHECK(rest.stored);
  CHECK(rest.linked == 3);
  CHECK(rest.refused.size() == 1);
  CHECK(w.cursor().known_records == 3);
}

TEST_CASE("a remote id belongs to one record of the rule") {
  link_world w;
  REQUIRE(w.link({w.links[0]}).stored);
  const auto refused = w.link({{"c-2", w.links[0].remote_id}});
  CHECK_FALSE(refused.stored);
  CHECK_THAT(refused.refused.at(0).reason, Contains("c-1"));
  CHECK(w.status("c-2") == "none");
}

TEST_CASE("an unknown create that is among the links is settled by it") {
  catch_world w;
  w.add_target("crm", {.lookup = false, .idempotency_key = false});
  w.add_rule();
  w.settle();
  w.target().next(harness::lose_the_reply());
  w.put_record("c-1");
  w.settle();
  REQUIRE(w.status("c-1") == "ambiguous");

  auto asked = w.ask<core::links_recorded>(
      w.dispatcher(), m::link_records{w.rule_id(), {{"c-1", w.target().object_of("c-1")->id}}, false, "ada"});
  w.settle();

  REQUIRE(asked.answered());
  CHECK(asked.value().linked == 1);
  CHECK(w.status("c-1") == "delivered");
  CHECK(w.intents().empty());
  CHECK(w.target().objects().size() == 1);
  CHECK(w.cursor().known_records == 1);
}

TEST_CASE("links are refused while the rule delivers, for what it has in hand may be one of them") {
  catch_world w;
  w.add_rule();
  w.target().take(5s);
  w.put_record("c-1");
  w.settle();
  REQUIRE(w.target().calls().size() == 1);

  auto asked = w.ask<core::links_recorded>(w.dispatcher(),
                                           m::link_records{w.rule_id(), {{"c-1", "r-1"}}, false, "ada"});
  w.settle();

  REQUIRE(asked.failed());
  CHECK_THAT(asked.error().context().get_as<std::string>(0), Contains("delivering"));
  w.advance(10s);
  CHECK(w.status("c-1") == "delivered");
}
