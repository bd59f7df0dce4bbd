#include "crypto/encoding.hpp"
#include "crypto/p256.hpp"
#include "providers/web_push_adapter.hpp"
#include "push_fixture.hpp"
#include "web_push_reader.hpp"

#include <nlohmann/json.hpp>

using namespace sluice;
using namespace sluice::providers;
using namespace sluice::providers::testing;
using core::call_error;
using core::rejection_cause;
using core::submission_kind;

namespace {

/// The key of RFC 8291's example as the server's own.
const std::string server_private = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw";
const std::string server_public =
    "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8";

core::provider_profile profile_of(const std::string& settings,
                                  const std::string& credentials = R"({"private_key": ")" + server_private
                                                                   + R"("})") {
  core::provider_profile profile;
  profile.provider = core::provider_kind::web_push;
  profile.settings = settings;
  profile.credentials = credentials;
  return profile;
}

std::shared_ptr<const notification_adapter> adapter_of(const std::string& more = "") {
  auto made = make_web_push_adapter(profile_of(R"({"subject": "mailto:push@example.com")" + more + "}"), {});
  REQUIRE(made);
  return *made;
}

std::string faults_of_profile(const std::string& settings, const std::string& credentials) {
  const auto made = make_web_push_adapter(profile_of(settings, credentials), {});
  std::string all;
  for (const auto& fault : made ? std::vector<std::string>{} : made.error()) {
    all += fault + '\n';
  }
  return all;
}

core::submission_order push_order() {
  return order_to(core::contact_kind::web_push, subscription_json());
}

core::submission read(core::http_answer answer) {
  auto made = adapter_of()->read(push_order(), answer, push_now);
  check_invariants(made);
  return made;
}

} // namespace

TEST_CASE("a message goes to the browser's endpoint with its time to live, urgency and topic") {
  auto order = push_order();
  order.content.urgency = core::message_urgency::very_low;
  order.content.collapse_key = "parcel 7\r\nX: y";
  order.expires_at = push_now + std::chrono::hours{1};
  const auto request = adapter_of()->build(order, push_now, "");
  REQUIRE(request);
  CHECK(request->method == "POST");
  CHECK(request->url == "https://push.example.net/p/JzLQ3raZJfFB");
  CHECK(request->http2);
  CHECK(has_line(*request, "TTL: 3600"));
  CHECK(has_line(*request, "Urgency: very-low"));
  CHECK(has_line(*request, "Content-Encoding: aes128gcm"));
  const auto topic = value_of(*request, "Topic");
  CHECK(topic.size() == 32); // RFC 8030 section 5.4
  CHECK(crypto::from_base64url(topic));
  order.content.collapse_key = "parcel 8";
  CHECK(value_of(*adapter_of()->build(order, push_now, ""), "Topic") != topic);
}

TEST_CASE("what the browser decrypts is the content as one JSON object") {
  auto order = push_order();
  order.content.collapse_key = "parcel-7";
  order.content.data = R"({"parcel": 9007199254740993, "é": null})";
  const auto request = adapter_of()->build(order, push_now, "");
  REQUIRE(request);
  CHECK(
      read_as_browser(request->body)
      == R"({"id":"0190b5c0-7e19-7aaa-8f00-abcdefabcdef","title":"Dispatched","body":"Your parcel is on its way",)"
         R"("tag":"parcel-7","data":{"parcel": 9007199254740993, "é": null}})");
  order.content = {};
  order.content.data = "{}";
  CHECK(read_as_browser(adapter_of()->build(order, push_now, "")->body)
        == R"({"id":"0190b5c0-7e19-7aaa-8f00-abcdefabcdef","data":{}})");
}

TEST_CASE("every message says who sends it, to this push service and for less than a day") {
  const auto request = adapter_of()->build(push_order(), push_now, "");
  REQUIRE(request);
  const auto value = value_of(*request, "Authorization");
  REQUIRE(value.starts_with("vapid t="));
  const auto end = value.find(", k=");
  REQUIRE(end != std::string::npos);
  CHECK(value.substr(end + 4) == server_public);
  const auto token = value.substr(8, end - 8);
  const auto last = token.rfind('.');
  CHECK(crypto::p256_verify(crypto::from_base64url(server_public).value(), token.substr(0, last),
                            crypto::from_base64url(token.substr(last + 1)).value()));
  const auto first = token.find('.');
  const auto claims =
      nlohmann::json::parse(crypto::from_base64url(token.substr(first + 1, last - first - 1)).value());
  CHECK(claims
        == nlohmann::json{{"aud", "https://push.example.net"},
                          {"exp", 1'700'000'000 + 12 * 3600},
                          {"sub", "mailto:push@example.com"}});
}

TEST_CASE(
    "the time to live is the notification's, else the setting's, never negative and never over four weeks") {
  const auto ttl_of = [](std::optional<core::timestamp> end, const std::string& more = "") {
    auto order = push_order();
    order.expires_at = end;
    return value_of(*adapter_of(more)->build(order, push_now, ""), "TTL");
  };
  CHECK(ttl_of(std::nullopt) == "2419200");
  CHECK(ttl_of(std::nullopt, R"(, "ttl": "10m")") == "600");
  CHECK(ttl_of(push_now + std::chrono::minutes{5}, R"(, "ttl": "10m")") == "300");
  CHECK(ttl_of(push_now - std::chrono::hours{1}) == "0");
  CHECK(ttl_of(push_now + std::chrono::days{365}) == "2419200");
  CHECK(value_of(*adapter_of()->build(push_order(), push_now, ""), "Topic") == "(none)");
}

TEST_CASE("messages are padded to the size the setting names") {
  const auto size_of = [](std::string text) {
    auto order = push_order();
    order.content.text = std::move(text);
    return adapter_of(R"(, "padded_size": 1000)")->build(order, push_now, "")->body.size();
  };
  CHECK(size_of("short") == size_of(std::string(700, 'x')));
}

TEST_CASE("what could never be sent is said when the notification is made") {
  auto order = push_order();
  CHECK(adapter_of()->faults_of(order).empty());
  order.content = {};
  CHECK(adapter_of()->faults_of(order)
        == std::vector<std::string>{"content: a push message needs a title, a text or data"});
  order.content.data = "[1]";
  CHECK(adapter_of()->faults_of(order) == std::vector<std::string>{"content.data: must be a JSON object"});
  order.content.data = "{";
  REQUIRE(adapter_of()->faults_of(order).size() == 1);
  CHECK_THAT(adapter_of()->faults_of(order)[0], Catch::StartsWith("content.data: is not readable JSON"));
  order = push_order();
  order.content.text.assign(4000, 'x');
  REQUIRE(adapter_of()->faults_of(order).size() == 1);
  CHECK_THAT(adapter_of()->faults_of(order)[0], Catch::Contains("at most 3993 fit"));
  CHECK(adapter_of()->build(order, push_now, "").error().cause == rejection_cause::message);
}

TEST_CASE("an address that is no subscription is rejected as the recipient's, and not quoted") {
  auto off_curve = crypto::from_base64url(browser_public).value();
  off_curve.back() = static_cast<char>(off_curve.back() ^ 1);
  for (const auto& address :
       {std::string{"canary"}, subscription_json("http://push.example.net/canary"),
        subscription_json("https://push.example.net/canary", crypto::to_base64url(off_curve))}) {
    const auto order = order_to(core::contact_kind::web_push, address);
    CHECK(adapter_of()->faults_of(order).size() == 1);
    const auto request = adapter_of()->build(order, push_now, "");
    REQUIRE_FALSE(request);
    check_invariants(request.error());
    CHECK(request.error().cause == rejection_cause::recipient);
    CHECK_FALSE(request.error().retires);
    CHECK_THAT(request.error().error, !Catch::Contains("canary"));
  }
}

TEST_CASE("201 is accepted, with the message's address as its id") {
  auto answer = answered(201);
  answer.location = "https://push.example.net/message/qDIYHNcfAIPP_5ITvURr-d6BGt";
  CHECK(read(answer).kind == submission_kind::accepted);
  CHECK(read(answer).provider_message_id == answer.location);
  answer.location = "/m/7";
  CHECK(read(answer).provider_message_id == "/m/7");
  for (const auto& unreadable : {std::string{}, std::string{"/m\r\nX: y"}, std::string(1025, 'm')}) {
    answer.location = unreadable;
    CHECK(read(answer).kind == submission_kind::accepted);
    CHECK(read(answer).provider_message_id.empty());
  }
  CHECK(read(answered(202)).kind == submission_kind::accepted);
}

TEST_CASE("every answer of a push service says whose fault it is and whether to ask again") {
  struct row {
    int status;
    submission_kind kind;
    std::optional<rejection_cause> cause;
    bool retires;
  };
  using enum submission_kind;
  const std::vector<row> rows{
      {400, rejected, rejection_cause::message, false},
      {401, rejected, rejection_cause::provider, false},
      {403, rejected, rejection_cause::provider, false},
      {404, rejected, rejection_cause::recipient, true},
      {405, rejected, rejection_cause::provider, false},
      {410, rejected, rejection_cause::recipient, true},
      {413, rejected, rejection_cause::message, false},
      {415, rejected, rejection_cause::provider, false},
      {301, rejected, rejection_cause::provider, false},
      {307, rejected, rejection_cause::provider, false},
      {408, retryable, std::nullopt, false},
      {425, retryable, std::nullopt, false},
      {429, retryable, std::nullopt, false},
      {500, retryable, std::nullopt, false},
      {503, retryable, std::nullopt, false},
      {502, ambiguous, std::nullopt, false},
      {504, ambiguous, std::nullopt, false},
  };
  for (const auto& row : rows) {
    CAPTURE(row.status);
    const auto made = read(answered(row.status, R"({"message": "canary"})"));
    CHECK(made.kind == row.kind);
    CHECK(made.cause == row.cause);
    CHECK(made.retires.has_value() == row.retires);
    CHECK((!made.retires || *made.retires == core::suppression_reason::retired_token));
    CHECK(made.error_class == "http_" + std::to_string(row.status));
    CHECK_THAT(made.error, !Catch::Contains("canary") && !Catch::Contains("JzLQ3raZJfFB"));
  }
}

TEST_CASE("a push service's Retry-After is the wait") {
  for (const int status : {429, 503}) {
    auto answer = answered(status);
    CHECK_FALSE(read(answer).wait);
    answer.retry_after = "120";
    CHECK(read(answer).wait == std::chrono::minutes{2});
  }
}

TEST_CASE("a call without an answer is ambiguous exactly where the message may have arrived") {
  CHECK(read(unanswered(call_error::not_connected)).kind == submission_kind::retryable);
  CHECK(read(unanswered(call_error::unattempted)).kind == submission_kind::retryable);
  CHECK(read(unanswered(call_error::timed_out)).kind == submission_kind::ambiguous);
  CHECK(read(unanswered(call_error::cut)).kind == submission_kind::ambiguous);
}

TEST_CASE("an endpoint that may not be called is the recipient's fault, and is not tried again") {
  const auto made = read(unanswered(call_error::address_refused));
  CHECK(made.kind == submission_kind::rejected);
  CHECK(made.cause == rejection_cause::recipient);
  CHECK(made.error_class == "address_refused");
  CHECK_FALSE(made.retires); // the network's settings may change
}

TEST_CASE("an answer that was too large is what its status says, or ambiguous where it names no message") {
  auto answer = answered(201);
  answer.error = call_error::answer_too_large;
  CHECK(read(answer).kind == submission_kind::ambiguous);
  answer.location = "/m/7";
  CHECK(read(answer).kind == submission_kind::accepted);
  answer.status = 410;
  CHECK(read(answer).retires == core::suppression_reason::retired_token);
}

TEST_CASE("a Web Push profile's faults are named all at once, and its key is never quoted") {
  const auto faults = faults_of_profile(R"({"subject": "push@example.com", "ttl": "29d", "padded_size": 3994,
                                            "public_key": "x", "color": "red"})",
                                        R"({"private_key": "c2VjcmV0", "other": 1})");
  for (const auto* says :
       {"settings.subject: must be an address that begins with mailto: or https://",
        "settings.ttl: must be at most 28d", "settings.padded_size: must be a whole number from 0 to 3993",
        "settings.color: is not known here",
        "credentials.private_key: must be a private key on the curve P-256",
        "credentials.other: is not known here"}) {
    CHECK_THAT(faults, Catch::Contains(says));
  }
  CHECK_THAT(faults, !Catch::Contains("c2VjcmV0"));
  CHECK_THAT(faults_of_profile("{}", "{}"), Catch::Contains("settings.subject: is missing")
                                                && Catch::Contains("credentials.private_key: is missing"));
  CHECK_THAT(faults_of_profile("[", ""), Catch::Contains("settings: is not readable JSON"));
  CHECK_THAT(faults_of_profile(R"({"subject": "https://example.com/contact", "public_key": ")"
                                   + std::string{browser_public} + "\"}",
                               R"({"private_key": ")" + server_private + "\"}"),
             Catch::StartsWith("settings.public_key: is not the public key of credentials.private_key"));
  CHECK(faults_of_profile(R"({"subject": "https://example.com/contact", "public_key": ")" + server_public
                              + "\"}",
                          R"({"private_key": ")" + server_private + "\"}")
            .empty());
}

TEST_CASE("Web Push has no callbacks, no status query and no access token") {
  const auto adapter = adapter_of();
  CHECK(adapter->traits().contacts == std::vector{core::contact_kind::web_push});
  CHECK_FALSE(adapter->traits().has_callback);
  CHECK_FALSE(adapter->traits().has_status_query);
  CHECK_FALSE(adapter->traits().needs_token);
  CHECK(adapter->traits().many_services);
  CHECK_FALSE(adapter->status_query({}));
  CHECK_FALSE(adapter->token_request(push_now));
  CHECK_FALSE(adapter->local_token(push_now));
  CHECK(std::holds_alternative<core::callback_refusal>(adapter->verify({}, {}, push_now)));
}
