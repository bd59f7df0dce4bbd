#include "providers/ses_event.hpp"
#include "tests/providers/sns_fixture.hpp"

using namespace sluice;
using core::provider_event_type;
using core::suppression_reason;
using json = nlohmann::json;

namespace {

const std::string attempt = "01920000-0000-7000-8000-000000000001";

json mail() {
  return {
      {"timestamp", "2026-06-01T11:00:00.000Z"},
      {"messageId", "0100018f-abcd-000000"},
      {"source", "news@example.com"},
      {"destination", json::array({"jane@example.com"})},
      {"tags",
       {{"ses:configuration-set", json::array({"watched"})}, {"sluice-attempt", json::array({attempt})}}}};
}

json event(const std::string& type, const std::string& part, const json& contents) {
  return {{"eventType", type}, {"mail", mail()}, {part, contents}};
}

std::vector<core::provider_event> all(const json& document) {
  auto made = providers::read_ses_events(document.dump(), "sns-1", tests::ses_noon);
  REQUIRE(made);
  for (const auto& each : *made) {
    CHECK(each.detail.find("example.com") == std::string::npos);
    CHECK_FALSE(each.provider_type.empty());
  }
  return *made;
}

core::provider_event one(const json& document) {
  const auto made = all(document);
  REQUIRE(made.size() == 1);
  CHECK(made[0].event_id == "sns-1");
  CHECK(made[0].provider_message_id == "0100018f-abcd-000000");
  return made[0];
}

json bounce(const std::string& type, const std::string& sub_type) {
  return event("Bounce", "bounce",
               {{"bounceType", type},
                {"bounceSubType", sub_type},
                {"timestamp", "2026-06-01T11:30:00.000Z"},
                {"bouncedRecipients",
                 json::array({{{"emailAddress", "jane@example.com"},
                               {"status", "5.1.1"},
                               {"action", "failed"},
                               {"diagnosticCode", "smtp; 550 5.1.1 <jane@example.com>... User unknown"}}})}});
}

core::callback_refusal refusal(const std::string& message) {
  const auto made = providers::read_ses_events(message, "sns-1", tests::ses_noon);
  REQUIRE_FALSE(made);
  CHECK(made.error().kind == core::callback_refusal_kind::unidentified);
  return made.error();
}

} // namespace

TEST_CASE("each event of SES has its place in the order of meaning") {
  struct row {
    const char *word, *part;
    provider_event_type type;
  };
  const auto [word, part, type] = GENERATE(values<row>({
      {"Send", "send", provider_event_type::sent},
      {"DeliveryDelay", "deliveryDelay", provider_event_type::delayed},
      {"Delivery", "delivery", provider_event_type::delivered},
      {"Bounce", "bounce", provider_event_type::soft_bounced},
      {"Complaint", "complaint", provider_event_type::complained},
      {"Reject", "reject", provider_event_type::rejected},
      {"Rendering Failure", "failure", provider_event_type::rejected},
      {"Subscription", "subscription", provider_event_type::other},
      {"Open", "open", provider_event_type::other},
      {"Click", "click", provider_event_type::other},
      {"Something Later", "later", provider_event_type::other},
  }));
  const auto made = one(event(word, part, json::object()));
  CHECK(made.type == type);
  CHECK(made.provider_type == word);
  CHECK(made.attempt_id == attempt);
  CHECK(made.occurred_at == core::parse_rfc3339("2026-06-01T11:00:00Z").value());
}

TEST_CASE("a permanent bounce alone suppresses the address") {
  const auto hard = one(bounce("Permanent", "NoEmail"));
  CHECK(hard.type == provider_event_type::bounced);
  CHECK(hard.suppresses == suppression_reason::hard_bounce);
  CHECK(hard.detail == "Permanent, NoEmail, status 5.1.1");
  CHECK(hard.occurred_at == core::parse_rfc3339("2026-06-01T11:30:00Z").value());
  for (const std::string type : {"Transient", "Undetermined", "permanent", ""}) {
    const auto soft = one(bounce(type, "MailboxFull"));
    CHECK(soft.type == provider_event_type::soft_bounced);
    CHECK_FALSE(soft.suppresses);
  }
}

TEST_CASE("a complaint suppresses the address, and its opposite does not") {
  const auto complained = [](const json& contents) { return one(event("Complaint", "complaint", contents)); };
  const auto abuse =
      complained({{"complaintFeedbackType", "abuse"},
                  {"complainedRecipients", json::array({{{"emailAddress", "jane@example.com"}}})}});
  CHECK(abuse.suppresses == suppression_reason::complaint);
  CHECK(abuse.detail == "abuse");
  CHECK(complained(json::object()).suppresses == suppression_reason::complaint);
  const auto relieved = complained({{"complaintFeedbackType", "not-spam"}});
  CHECK(relieved.type == provider_event_type::other);
  CHECK_FALSE(relieved.suppresses);
}

TEST_CASE("who unsubscribes from everything gets nothing more") {
  const auto changed = [](bool all_of_them) {
    return one(
        event("Subscription", "subscription", {{"newTopicPreferences", {{"unsubscribeAll", all_of_them}}}}));
  };
  CHECK(changed(true).suppresses == suppression_reason::unsubscribed);
  CHECK_FALSE(changed(false).suppresses);
}

TEST_CASE("the older feedback notifications are read like the events") {
  auto document = bounce("Permanent", "General");
  document["notificationType"] = document["eventType"];
  document.erase("eventType");
  document["mail"].erase("tags");
  CHECK(one(document).type == provider_event_type::bounced);
  CHECK(one(document).attempt_id.empty());
  document["mail"]["headers"] = json::array({{{"name", "From"}, {"value", "news@example.com"}},
                                             {{"name", "X-Sluice-Attempt"}, {"value", attempt}}});
  CHECK(one(document).attempt_id == attempt);
}

TEST_CASE("several recipients are several events, each with an id of its own") {
  auto document = bounce("Permanent", "General");
  auto& recipients = document["bounce"]["bouncedRecipients"];
  recipients.push_back({{"emailAddress", "joe@example.com"}, {"status", "5.2.1"}});
  const auto made = all(document);
  REQUIRE(made.size() == 2);
  CHECK(made[0].event_id == "sns-1");
  CHECK(made[1].event_id == "sns-1/2");
  CHECK(made[1].detail == "Permanent, General, status 5.2.1");
  for (int more = 0; more < 100; ++more)
    recipients.push_back({{"emailAddress", "x@example.com"}});
  CHECK(all(document).size() == 50); // no message of SES has more
}

TEST_CASE("an event is unidentified only where nothing says which message it is about") {
  auto document = event("Delivery", "delivery", json::object());
  document["mail"].erase("messageId");
  CHECK(all(document)[0].attempt_id == attempt); // ours is enough
  document["mail"].erase("tags");
  refusal(document.dump());
  for (const std::string text :
       {"", "hello", "[]", "7", "{}", R"({"eventType":7})", R"({"mail":{"messageId":"a"}})",
        R"({"eventType":"Delivery"})", R"({"eventType":"Delivery","mail":[]})",
        R"({"eventType":"Delivery","mail":{"messageId":"a b"}})"})
    refusal(text);
}

TEST_CASE("SES's word that a topic is connected is genuine and no event") {
  for (const std::string text :
       {"Successfully validated SNS topic for Amazon SES event publishing.",
        R"({"notificationType":"AmazonSnsSubscriptionSucceeded","message":"You have"})"}) {
    const auto made = providers::read_ses_events(text, "sns-1", tests::ses_noon);
    REQUIRE(made);
    CHECK(made->empty());
  }
}

TEST_CASE("fields of another shape than documented do no harm") {
  for (const json& odd : {json(nullptr), json(7), json("x"), json::array({1, "a"}), json::object()}) {
    CHECK(one(event("Bounce", "bounce", odd)).type == provider_event_type::soft_bounced);
    CHECK(
        all(event("Bounce", "bounce", {{"bouncedRecipients", odd}, {"bounceType", odd}, {"timestamp", odd}}))
            .front()
            .occurred_at
        == core::parse_rfc3339("2026-06-01T11:00:00Z").value());
    auto document = event("Delivery", "delivery", odd);
    document["mail"]["tags"] = odd;
    document["mail"]["headers"] = odd;
    document["mail"]["timestamp"] = "yesterday";
    CHECK(one(document).occurred_at == tests::ses_noon);
  }
}

TEST_CASE("an event arrives through SNS with the id SNS gave it") {
  const tests::sns_sender sender;
  const auto made = sender.verified(
      tests::sns_sender::signed_with(tests::sns_sender::notification(bounce("Permanent", "General").dump())));
  REQUIRE(made.events.size() == 1);
  CHECK(made.events[0].event_id == "22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324");
  CHECK(made.events[0].suppresses == suppression_reason::hard_bounce);
  CHECK(made.confirm_url.empty());
  CHECK(sender.refused(tests::sns_sender::signed_with(tests::sns_sender::notification("{}")))
        == core::callback_refusal_kind::unidentified);
}
