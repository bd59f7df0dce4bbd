#include "api/reconciliation_views.hpp"

#include <catch2/catch.hpp>

namespace sluice::api {
namespace {

TEST_CASE("what is still to be found out names its kind, its looks and whose it is by now") {
  core::named_reconciliation_item one;
  one.item.key = {core::reconciliation_target::ambiguous_submission, 7};
  one.item.looks = 2;
  one.item.verdict = core::reconciliation_verdict::not_found;
  one.item.needs_person = true;
  one.item.number = 3;
  one.notification = "n-1";
  one.profile_name = "mail";
  auto view = unsettled_view(one);
  CHECK(view.at("kind") == "ambiguous_submission");
  CHECK(view.at("looks") == 2);
  CHECK(view.at("verdict") == "not_found");
  CHECK(view.at("next_look_at").is_null());
  CHECK(view.at("needs_person") == true);
  CHECK(view.at("attempt") == 3);
  CHECK(view.at("event").is_null());
  CHECK(view.at("provider_message_id").is_null());
  one.item.key = {core::reconciliation_target::unmatched_event, 7};
  one.item.number = 0;
  one.notification.clear();
  view = unsettled_view(one);
  CHECK(view.at("event") == 7);
  CHECK(view.at("attempt").is_null());
}

TEST_CASE("items of every kind have the same members") {
  core::lapsed_attempt lapsed;
  lapsed.notification = "n-1";
  lapsed.number = 2;
  core::unknown_create create;
  create.rule_name = "to-crm";
  create.source_id = "c-1";
  const auto of_attempt = unsettled_view(lapsed);
  const auto of_create = unsettled_view(create);
  CHECK(of_attempt.at("kind") == "lapsed_attempt");
  CHECK(of_attempt.at("attempt") == 2);
  CHECK(of_create.at("kind") == "unknown_create");
  CHECK(of_create.at("record") == "c-1");
  const auto of_target = unsettled_view(core::named_reconciliation_item{});
  for (const auto& [member, value] : of_target.items()) {
    CHECK(of_attempt.contains(member));
    CHECK(of_create.contains(member));
  }
  CHECK(of_attempt.size() == of_target.size());
  CHECK(of_create.size() == of_target.size());
}

TEST_CASE("every kind shows how much of it is left, also where that is nothing") {
  core::unsettled_counts counts;
  counts.ambiguous = 2;
  counts.kinds[0] = {.targets = 5, .for_people = 2};
  counts.lapsed.targets = 1;
  const auto view = unsettled_counts_view(counts);
  CHECK(view.at("ambiguous_notifications") == 2);
  REQUIRE(view.at("kinds").size() == core::reconciliation_targets + 2);
  CHECK(view.at("kinds")[0].at("left") == 1);
  CHECK(view.at("kinds")[1].at("left") == 5);
  CHECK(view.at("kinds")[1].at("for_people") == 2);
  CHECK(view.at("kinds")[4].at("left") == 0);
}

} // namespace
} // namespace sluice::api
