#include "tests/app/notification_world.hpp"

namespace sluice::app {
namespace {

using tests::json;
using tests::notification_world;

TEST_CASE("what a provider told is listed by profile, message and progress") {
  notification_world w;
  const auto hooks = w.made_profile();
  const auto other = w.made_profile("other");
  w.told(hooks, "m-1");
  w.told(hooks, "m-1");
  w.told(other, "m-2");
  const auto listed = [&](const std::string& query) {
    return w.ask("GET", "/v1/provider-events" + query).document.at("events");
  };
  CHECK(listed("").size() == 3);
  const auto of_hooks = listed("?profile=" + w.id_of(hooks));
  REQUIRE(of_hooks.size() == 2);
  CHECK(of_hooks[0].at("progress") == "duplicate");
  CHECK(of_hooks[0].at("duplicate_of") == of_hooks[1].at("id"));
  CHECK(of_hooks[1].at("type") == "delivered");
  CHECK(of_hooks[1].at("profile") == hooks.at("id"));
  CHECK(listed("?progress=duplicate").size() == 1);
  CHECK(listed("?profile=" + w.id_of(other) + "&provider_message_id=m-2").size() == 1);
  CHECK(w.ask("GET", "/v1/provider-events?provider_message_id=m-2").status == 422);
  CHECK(w.ask("GET", "/v1/provider-events?profile=nobody").status == 404);
  CHECK(w.ask("GET", "/v1/provider-events?progress=lost").status == 422);
}

TEST_CASE("projections are made anew step by step, and the audit has it once") {
  notification_world w;
  const auto hooks = w.made_profile();
  const auto usual = w.made_route();
  (void)w.made_ambiguous(hooks, w.made_contact());
  const auto step = w.ask("POST", "/v1/provider-events/replay", {{"by", "ann"}});
  CHECK(step.status == 200);
  CHECK(step.document.at("next").is_null());
  CHECK(w.ask("POST", "/v1/provider-events/replay", {{"after", 1}}).status == 200);
  CHECK(w.ask("GET", "/v1/audit?act=replay_callbacks").document.at("entries").size() == 1);
}

TEST_CASE("refused callbacks are an admin's to see") {
  notification_world w;
  const auto hooks = w.made_profile();
  w.refuse(hooks);
  const auto refused = w.ask("GET", "/v1/refused-callbacks?profile=" + w.id_of(hooks)).document.at("refused");
  REQUIRE(refused.size() == 1);
  CHECK(refused[0].at("kind") == "bad_signature");
  CHECK(refused[0].at("source") == "203.0.113.7");
  CHECK(refused[0].at("profile") == hooks.at("id"));
}

} // namespace
} // namespace sluice::app
