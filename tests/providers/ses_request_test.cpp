#include "tests/providers/ses_fixture.hpp"

#include <algorithm>

using namespace sluice;
using json = nlohmann::json;

namespace {

core::http_request built(const core::submission_order& order = tests::ses_order(),
                         const core::provider_profile& profile = tests::ses_profile()) {
  auto made = tests::ses_adapter(profile)->build(order, tests::ses_noon, {});
  REQUIRE(made);
  return *made;
}

std::string header_of(const core::http_request& request, const std::string& name) {
  for (const auto& line : request.headers)
    if (line.starts_with(name + ": "))
      return line.substr(name.size() + 2);
  return {};
}

core::submission refused(const core::submission_order& order) {
  const auto made = tests::ses_adapter()->build(order, tests::ses_noon, {});
  REQUIRE_FALSE(made);
  CHECK(made.error().kind == core::submission_kind::rejected);
  const auto& address = order.contact.text;
  CHECK((address.empty() || made.error().error.find(address) == std::string::npos));
  return made.error();
}

} // namespace

TEST_CASE("a message goes to SES as SendEmail has it, with the ids of attempt and notification") {
  auto settings = tests::ses_settings_json();
  settings["reply_to"] = "help@example.com";
  settings["feedback_to"] = "bounces@example.com";
  settings["headers"] = {{"List-Id", "news"}};
  settings["tags"] = {{"team", "shop"}};
  auto order = tests::ses_order();
  order.content.html = "<p>Hello</p>";
  const auto request = built(order, tests::ses_profile(settings));
  CHECK(request.method == "POST");
  CHECK(request.url == "https://email.eu-central-1.amazonaws.com/v2/email/outbound-emails");
  const auto tag = [](const std::string& name, const std::string& value) {
    return json{{"Name", name}, {"Value", value}};
  };
  const json simple{
      {"Subject", {{"Data", "Grüße"}, {"Charset", "UTF-8"}}},
      {"Body",
       {{"Text", {{"Data", "Hello"}, {"Charset", "UTF-8"}}},
        {"Html", {{"Data", "<p>Hello</p>"}, {"Charset", "UTF-8"}}}}},
      {"Headers", json::array({tag("List-Id", "news"), tag("X-Sluice-Attempt", order.attempt_id)})}};
  CHECK(json::parse(request.body)
        == json{{"FromEmailAddress", "News <news@example.com>"},
                {"Destination", {{"ToAddresses", json::array({"jane@example.com"})}}},
                {"ReplyToAddresses", json::array({"help@example.com"})},
                {"FeedbackForwardingEmailAddress", "bounces@example.com"},
                {"Content", {{"Simple", simple}}},
                {"EmailTags", json::array({tag("team", "shop"), tag("sluice-attempt", order.attempt_id),
                                           tag("sluice-notification", order.notification_id)})},
                {"ConfigurationSetName", "watched"}});
}

TEST_CASE("what the settings leave out is not sent") {
  const auto body = json::parse(built(tests::ses_order(),
                                      [] {
                                        auto settings = tests::ses_settings_json();
                                        settings.erase("configuration_set");
                                        return tests::ses_profile(settings);
                                      }())
                                    .body);
  for (const auto* key : {"ReplyToAddresses", "FeedbackForwardingEmailAddress", "ConfigurationSetName"})
    CHECK_FALSE(body.contains(key));
  CHECK_FALSE(body.at("Content").at("Simple").at("Body").contains("Html"));
}

TEST_CASE("a request is signed for SES in its region, at the time it is built") {
  const auto request = built();
  CHECK(header_of(request, "X-Amz-Date") == "20260601T120000Z");
  const auto authorization = header_of(request, "Authorization");
  CHECK(authorization.starts_with("AWS4-HMAC-SHA256 "
                                  "Credential=AKIDEXAMPLE/20260601/eu-central-1/ses/aws4_request, "
                                  "SignedHeaders=content-type;host;x-amz-date, Signature="));
  CHECK(header_of(request, "X-Amz-Security-Token").empty());
  CHECK(request.wanted_headers == std::vector<std::string>{"x-amzn-errortype", "date"});
  for (const auto& line : request.headers)
    CHECK(line.find("s3cret") == std::string::npos);
  auto secrets = tests::ses_credentials_json();
  secrets["session_token"] = "temporary";
  const auto with_token = built(tests::ses_order(), tests::ses_profile(tests::ses_settings_json(), secrets));
  CHECK(header_of(with_token, "X-Amz-Security-Token") == "temporary");
  CHECK(header_of(with_token, "Authorization").find("host;x-amz-date;x-amz-security-token")
        != std::string::npos);
}

TEST_CASE("the host that is signed has its port where curl sends it") {
  const auto signature = [](const std::string& base_url) {
    auto settings = tests::ses_settings_json();
    settings["base_url"] = base_url;
    return header_of(built(tests::ses_order(), tests::ses_profile(settings)), "Authorization");
  };
  CHECK(signature("https://a.example") == signature("https://a.example:443"));
  CHECK(signature("https://a.example") == signature("http://A.EXAMPLE:80/"));
  CHECK(signature("https://a.example") != signature("https://a.example:8443"));
  CHECK(signature("https://a.example") != signature("https://a.example/proxy"));
}

TEST_CASE("an address SES cannot take is the recipient's fault, and is not quoted") {
  auto order = tests::ses_order();
  for (const std::string address :
       {"", "jane", "@example.com", "jane@", "jane@example.com\r\nBcc: a@example.com", "a@b@example.com",
        "jane doe@example.com", "jane@exämple.com", "jäne@example.com", "a,b@example.com",
        "jane@example..com", ".jane@example.com", "<jane@example.com>"}) {
    CAPTURE(address);
    order.contact.text = address;
    CHECK(refused(order).cause == core::rejection_cause::recipient);
    CHECK(tests::ses_adapter()->faults_of(order).size() == 1);
  }
  order.contact.text = std::string{"jane\0@example.com", 17};
  CHECK(refused(order).cause == core::rejection_cause::recipient);
  order.contact.text = std::string(65, 'a') + "@example.com";
  CHECK(refused(order).cause == core::rejection_cause::recipient);
  order.contact = {core::contact_kind::phone, "+4930123456"};
  CHECK(refused(order).cause == core::rejection_cause::recipient);
}

TEST_CASE("unusual addresses that are mailboxes all the same are sent to") {
  auto order = tests::ses_order();
  for (const std::string address :
       {"o'brien+news@example.com", "\"jane doe\"@example.com", "a/b=c@xn--exmple-cua.com"}) {
    CAPTURE(address);
    order.contact.text = address;
    CHECK(tests::ses_adapter()->faults_of(order).empty());
    CHECK(json::parse(built(order).body)["Destination"]["ToAddresses"][0] == address);
  }
}

TEST_CASE("content SES cannot send is refused when the notification is made, with every fault") {
  auto order = tests::ses_order();
  order.content = {};
  CHECK(tests::ses_adapter()->faults_of(order)
        == std::vector<std::string>{
            "content.subject is missing; SES sends no e-mail without one",
            "content.text and content.html are both missing; an e-mail needs one of them"});
  CHECK(refused(order).cause == core::rejection_cause::message);
  order = tests::ses_order();
  for (const auto& subject : {std::string{"a\r\nBcc: b@example.com"}, std::string{"a\0b", 3},
                              std::string(999, 'a'), std::string{"\xff"}}) {
    order.content.subject = subject;
    CHECK(tests::ses_adapter()->faults_of(order).size() == 1);
  }
  order.content.subject = std::string(998, 'a');
  CHECK(tests::ses_adapter()->faults_of(order).empty());
  order.content.text = "bad \xc3";
  CHECK(tests::ses_adapter()->faults_of(order).size() == 1);
}

TEST_CASE("a message may be as long as forty megabytes are in base64, and no longer") {
  auto order = tests::ses_order();
  order.content.text = std::string(14'000'000, 'a');
  order.content.html = std::string(14'000'000, 'a');
  CHECK(tests::ses_adapter()->faults_of(order).empty());
  order.content.html = std::string(15'300'000, 'a');
  CHECK(tests::ses_adapter()->faults_of(order).size() == 1);
}

TEST_CASE("SES can be asked for no status and wants no token") {
  const auto adapter = tests::ses_adapter();
  CHECK(adapter->traits().contacts == std::vector<core::contact_kind>{core::contact_kind::email});
  CHECK(adapter->traits().has_callback);
  CHECK_FALSE(adapter->traits().has_status_query);
  CHECK_FALSE(adapter->traits().needs_token);
  CHECK_FALSE(adapter->status_query({}));
  CHECK(adapter->read_status({}, {}).kind == providers::status_answer::verdict::unread);
  CHECK_FALSE(adapter->token_request(tests::ses_noon));
  CHECK_FALSE(adapter->read_token({}));
}
