#include "fcm_fixture.hpp"

#include <algorithm>

using namespace sluice;
using namespace sluice::fcm_testing;
using namespace std::chrono_literals;
using nlohmann::json;

namespace {

json message_of(const core::submission_order& order) {
  const auto request = fcm()->build(order, now, "ya29.token");
  REQUIRE(request);
  const auto body = json::parse(request->body);
  CHECK(body.size() == 1);
  return body.at("message");
}

std::vector<std::string> faults_with_data(const std::string& data) {
  auto order = push();
  order.content.data = data;
  return fcm()->faults_of(order);
}

} // namespace

TEST_CASE("a push message is posted to the project with the access token") {
  const auto request = fcm()->build(push(), now, "ya29.token");
  REQUIRE(request);
  CHECK(request->method == "POST");
  CHECK(request->url == "https://fcm.googleapis.com/v1/projects/my-app-1/messages:send");
  CHECK(request->headers == core::header_lines{"Authorization: Bearer ya29.token"});
  REQUIRE(request->common_headers);
  CHECK(std::ranges::count(*request->common_headers, "Content-Type: application/json") == 1);
  CHECK(request->http2);
  CHECK(json::parse(request->body)
        == json{{"message",
                 {{"fid", installation_id},
                  {"notification", {{"title", "Order 7"}, {"body", "It is on its way"}}},
                  {"android", {{"priority", "NORMAL"}}},
                  {"webpush", {{"headers", {{"Urgency", "normal"}}}}}}}});
}

TEST_CASE("an installation comes first, and a registration token is what older apps have") {
  CHECK(fcm()->traits().needs_token);
  const auto adapter = fcm();
  CHECK(adapter->traits().contacts
        == std::vector{core::contact_kind::fcm_installation, core::contact_kind::fcm_token});
  CHECK(message_of(push()).at("fid") == installation_id);
  CHECK_FALSE(message_of(push()).contains("token"));
  const auto by_token = message_of(push(core::contact_kind::fcm_token));
  CHECK(by_token.at("token") == registration_token);
  CHECK_FALSE(by_token.contains("fid"));
}

TEST_CASE("data becomes a map of strings, digit for digit") {
  auto order = push();
  order.content.title.clear();
  order.content.text.clear();
  order.content.data =
      R"( {"s": "a\"\u00e9", "n": 12345678901234567890123456789012345678901234567890, "d": 1.0,
    "b": true, "z": null, "o": {"x": [1, 2]}, "k\u00e9y": "v", "s": "last"} )";
  const auto message = message_of(order);
  CHECK_FALSE(message.contains("notification"));
  CHECK(message.at("data")
        == json{{"s", "last"},
                {"n", "12345678901234567890123456789012345678901234567890"},
                {"d", "1.0"},
                {"b", "true"},
                {"o", R"({"x": [1, 2]})"},
                {"k\u00e9y", "v"}});
}

TEST_CASE("each platform is told urgency, what the message replaces and how long it lives") {
  auto order = push();
  order.content.urgency = core::message_urgency::high;
  order.content.collapse_key = "order_7";
  order.expires_at = now + 90s + 500ms;
  auto message = message_of(order);
  CHECK(message.at("android") == json{{"priority", "HIGH"}, {"collapse_key", "order_7"}, {"ttl", "90s"}});
  CHECK(message.at("apns").at("headers")
        == json{{"apns-priority", "10"}, {"apns-expiration", "1764500090"}, {"apns-collapse-id", "order_7"}});
  CHECK(message.at("webpush").at("headers")
        == json{{"Urgency", "high"}, {"TTL", "90"}, {"Topic", "order_7"}});

  order.content.urgency = core::message_urgency::very_low;
  order.content.collapse_key = std::string(65, 'k');
  order.expires_at = now + std::chrono::days{40};
  message = message_of(order);
  CHECK(message.at("android").at("ttl") == "2419200s");
  CHECK(message.at("apns").at("headers").at("apns-priority") == "5");
  CHECK_FALSE(message.at("apns").at("headers").contains("apns-collapse-id"));
  CHECK(message.at("webpush").at("headers") == json{{"Urgency", "very-low"}, {"TTL", "2419200"}});
}

TEST_CASE("what has expired is not sent") {
  auto order = push();
  for (const core::duration late : {core::duration{0}, core::duration{-1h}}) {
    order.expires_at = now + late;
    const auto built = fcm()->build(order, now, "t");
    REQUIRE_FALSE(built);
    CHECK(built.error().error_class == "expired");
  }
  order.expires_at = now + 999ms;
  CHECK(message_of(order).at("android").at("ttl") == "0s"); // now or never
}

TEST_CASE("an address that cannot be one is the recipient's fault and is not sent") {
  for (const std::string& text : {std::string{}, std::string{"a b"}, std::string{"a\r\nb"},
                                  std::string{"a\0b", 3}, std::string{"\xc3\xa4"}, std::string(5000, 'a')}) {
    auto order = push();
    order.contact.text = text;
    const auto built = fcm()->build(order, now, "t");
    REQUIRE_FALSE(built);
    CHECK(built.error().cause == core::rejection_cause::recipient);
    CHECK_FALSE(built.error().retires);
  }
  auto order = push();
  order.contact.kind = core::contact_kind::apns_token;
  CHECK_FALSE(fcm()->build(order, now, "t"));
  CHECK(fcm()->faults_of(order).size() == 1);
}

TEST_CASE("what could never be a push message is refused when the notification is made") {
  CHECK(fcm()->faults_of(push()).empty());
  CHECK(fcm()->faults_of(push(core::contact_kind::fcm_token)).empty());
  auto order = push();
  order.content.title.clear();
  order.content.text.clear();
  CHECK(fcm()->faults_of(order) == std::vector<std::string>{"content: needs a title, a text or data"});
  order.content.data = R"({"k": "v"})";
  CHECK(fcm()->faults_of(order).empty());
  for (const char* data : {"[]", "7", "{", R"("x")", "{} {}"})
    CHECK(faults_with_data(data) == std::vector<std::string>{"content.data: must be a JSON object"});
  for (const char* key : {"", "from", "message_type", "google.x", "gcm.notification.title", "\\u0066rom"})
    CHECK(faults_with_data(R"({")" + std::string{key} + R"(": "v"})").size() == 1);
  for (const char* key : {"From", "googles", "collapse_key", "gcm"})
    CHECK(faults_with_data(R"({")" + std::string{key} + R"(": "v"})").empty());
}

TEST_CASE("title, text and data are at most 4,096 bytes together") {
  auto order = push();
  order.content.title = std::string(96, 't');
  order.content.text = std::string(3000, 'x');
  order.content.data = R"({"key": ")" + std::string(997, 'v') + R"("})";
  CHECK(fcm()->faults_of(order).empty());
  order.content.title += "t";
  CHECK(fcm()->faults_of(order)
        == std::vector<std::string>{
            "content: title, text and data are 4097 bytes together; allowed are 4,096"});
}

TEST_CASE("FCM sends no callbacks and cannot be asked") {
  const auto adapter = fcm();
  CHECK_FALSE(adapter->traits().has_callback);
  CHECK_FALSE(adapter->traits().has_status_query);
  CHECK_FALSE(adapter->status_query({}));
  CHECK(adapter->read_status({}, answered(200, "{}")).kind == providers::status_answer::verdict::unread);
  CHECK(std::holds_alternative<core::callback_refusal>(
      adapter->verify({}, [](auto) { return std::nullopt; }, now)));
}
