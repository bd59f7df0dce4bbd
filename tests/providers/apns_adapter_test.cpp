#include "crypto/encoding.hpp"
#include "crypto/p256.hpp"
#include "providers/apns_adapter.hpp"
#include "push_fixture.hpp"

#include <nlohmann/json.hpp>

using namespace sluice;
using namespace sluice::providers;
using namespace sluice::providers::testing;

namespace {

const std::string device = "00fc13adff785122b4ad28809a3420982341241421348097878e577c991de8f0";
const std::string app_settings =
    R"("topic": "com.example.parcels", "key_id": "ABC123DEFG", "team_id": "DEF123GHIJ")";

/// The key of RFC 6979 appendix A.2.5 as a .p8 file.
const std::string p8 = R"(-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgya+p2EW6dRZrXCFX
Z7HWk05Qw9s26JsSe4piKxIPZyGhRANCAARg/tS6JVqdMclh63TGNW1owEm4kjth
+mzmaWIuYPKftnkD/hAIuLyZpBrp6VYovGTy8bIMLX6fUXejwpTURiKZ
-----END PRIVATE KEY-----
)";
const std::string p8_public = "0460fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6"
                              "7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299";

core::provider_profile profile_of(const std::string& settings, const std::string& private_key = p8) {
  core::provider_profile profile;
  profile.provider = core::provider_kind::apns;
  profile.settings = settings;
  profile.credentials = nlohmann::json{{"private_key", private_key}}.dump();
  return profile;
}

std::shared_ptr<const notification_adapter> adapter_of(const std::string& more = "") {
  auto made = make_apns_adapter(profile_of("{" + app_settings + more + "}"), {});
  REQUIRE(made);
  return *made;
}

std::string faults_of_profile(const core::provider_profile& profile) {
  const auto made = make_apns_adapter(profile, {});
  std::string all;
  for (const auto& fault : made ? std::vector<std::string>{} : made.error()) {
    all += fault + '\n';
  }
  return all;
}

core::submission_order push_order() {
  return order_to(core::contact_kind::apns_token, device);
}

core::http_request built(const core::submission_order& order, const std::string& more = "") {
  auto made = adapter_of(more)->build(order, push_now, "the.provider.token");
  REQUIRE(made);
  return *made;
}

} // namespace

TEST_CASE("an alert goes to the device's path over HTTP/2 with every header APNs reads") {
  auto order = push_order();
  order.expires_at = push_now + std::chrono::hours{1};
  order.content.collapse_key = "parcel 7";
  const auto request = built(order, R"(, "sound": "default")");
  CHECK(request.method == "POST");
  CHECK(request.url == "https://api.push.apple.com/3/device/" + device);
  CHECK(request.http2);
  CHECK(request.wanted_headers == std::vector<std::string>{"apns-id"});
  for (const auto* line : {"authorization: bearer the.provider.token", "apns-topic: com.example.parcels",
                           "apns-push-type: alert", "apns-priority: 10", "apns-expiration: 1700003600",
                           "apns-id: 0190b5c0-7e1a-7c3d-9f00-123456789abc", "apns-collapse-id: parcel 7"}) {
    CAPTURE(line);
    CHECK(has_line(request, line));
  }
  CHECK(
      request.body
      == R"({"aps":{"alert":{"title":"Dispatched","body":"Your parcel is on its way"},"sound":"default"}})");
}

TEST_CASE("data stands beside aps, digit by digit, and alone it wakes the app in the background") {
  auto order = push_order();
  order.content.data = R"( {"parcel": 9007199254740993, "é": {"aps": 1}} )";
  CHECK(built(order).body
        == R"({"aps":{"alert":{"title":"Dispatched","body":"Your parcel is on its way"}},)"
           R"("parcel": 9007199254740993, "é": {"aps": 1}})");
  order.content.title.clear();
  order.content.text.clear();
  const auto request = built(order);
  CHECK(request.body == R"({"aps":{"content-available":1},"parcel": 9007199254740993, "é": {"aps": 1}})");
  CHECK(has_line(request, "apns-push-type: background"));
  CHECK(has_line(request, "apns-priority: 5")); // 10 is an error there
  order.content.data = "{ }";
  CHECK(built(order).body == R"({"aps":{"content-available":1}})");
}

TEST_CASE("urgency becomes APNs' priority") {
  struct row {
    core::message_urgency urgency;
    std::string_view alert;
    std::string_view background;
  };
  using enum core::message_urgency;
  for (const auto& row :
       {row{very_low, "1", "1"}, row{low, "5", "5"}, row{normal, "10", "5"}, row{high, "10", "5"}}) {
    auto order = push_order();
    order.content.urgency = row.urgency;
    CHECK(value_of(built(order), "apns-priority") == row.alert);
    order.content.title.clear();
    order.content.text.clear();
    order.content.data = R"({"a": 1})";
    CHECK(value_of(built(order), "apns-priority") == row.background);
  }
}

TEST_CASE(
    "a message is kept until it expires, else as long as the setting says; an expired one is not kept") {
  const auto expiration_of = [](std::optional<core::timestamp> end, const std::string& more = "") {
    auto order = push_order();
    order.expires_at = end;
    return value_of(built(order, more), "apns-expiration");
  };
  CHECK(expiration_of(std::nullopt) == std::to_string(1'700'000'000 + 30 * 86'400));
  CHECK(expiration_of(std::nullopt, R"(, "ttl": "1h")") == "1700003600");
  CHECK(expiration_of(push_now + std::chrono::seconds{5}, R"(, "ttl": "1h")") == "1700000005");
  CHECK(expiration_of(push_now - std::chrono::hours{1}) == "0");
}

TEST_CASE("a collapse key that cannot be a header of 64 bytes travels as its digest") {
  const auto id_of = [](std::string key) {
    auto order = push_order();
    order.content.collapse_key = std::move(key);
    return value_of(built(order), "apns-collapse-id");
  };
  CHECK(id_of(std::string(64, 'k')) == std::string(64, 'k'));
  CHECK(id_of(std::string(65, 'k')).size() == 32);
  CHECK(id_of("a\r\nb: c").size() == 32);
  CHECK(id_of("päckchen").size() == 32);
  CHECK(id_of("päckchen") != id_of("päckchem"));
  CHECK(id_of("") == "(none)");
}

TEST_CASE("the environment names the server, and base_url another one") {
  CHECK(built(push_order(), R"(, "environment": "sandbox")").url
        == "https://api.sandbox.push.apple.com/3/device/" + device);
  CHECK(built(push_order(), R"(, "base_url": "https://apns.example.test:2197/")").url
        == "https://apns.example.test:2197/3/device/" + device);
}

TEST_CASE("an address that is no device token is rejected as the recipient's, and not quoted") {
  CHECK(built(order_to(core::contact_kind::apns_token, "00FC13")).url.ends_with("/3/device/00fc13"));
  for (const auto& address :
       {std::string{}, std::string{"canary"}, std::string{"00f"}, std::string{"00/../canary"},
        std::string{"00\r\n"}, std::string(514, '0'), std::string("00\0", 3)}) {
    const auto order = order_to(core::contact_kind::apns_token, address);
    REQUIRE(adapter_of()->faults_of(order).size() == 1);
    CHECK_THAT(adapter_of()->faults_of(order)[0],
               Catch::StartsWith("contact: a device token must be") && !Catch::Contains("canary"));
    const auto request = adapter_of()->build(order, push_now, "t");
    REQUIRE_FALSE(request);
    check_invariants(request.error());
    CHECK(request.error().cause == core::rejection_cause::recipient);
  }
}

TEST_CASE("content APNs could never take is said when the notification is made") {
  auto order = push_order();
  CHECK(adapter_of()->faults_of(order).empty());
  order.content.data = R"({"a": 1, "aps": null})";
  CHECK(adapter_of()->faults_of(order)
        == std::vector<std::string>{"content.data: must not have the member \"aps\", which is APNs' own"});
  order.content.data = "7";
  CHECK(adapter_of()->faults_of(order) == std::vector<std::string>{"content.data: must be a JSON object"});
  order.content = {};
  CHECK(adapter_of()->faults_of(order)
        == std::vector<std::string>{"content: a push message needs a title, a text or data"});
  order.content.text.assign(4096 - std::string_view{R"({"aps":{"alert":{"body":""}}})"}.size(), 'x');
  CHECK(adapter_of()->faults_of(order).empty());
  CHECK(built(order).body.size() == 4096);
  order.content.text += 'x';
  CHECK(
      adapter_of()->faults_of(order)
      == std::vector<std::string>{"content: the message takes 4097 bytes as JSON; APNs takes at most 4096"});
  CHECK(adapter_of()->build(order, push_now, "t").error().cause == core::rejection_cause::message);
}

TEST_CASE("the provider token names key, team and time, is signed by the key and is good for 50 minutes") {
  const auto token = adapter_of()->local_token(push_now);
  REQUIRE(token);
  CHECK(token->lifetime == std::chrono::minutes{50}); // Apple wants 20 to 60
  const auto first = token->value.find('.');
  const auto last = token->value.rfind('.');
  CHECK(crypto::from_base64url(token->value.substr(0, first)) == R"({"alg":"ES256","kid":"ABC123DEFG"})");
  CHECK(crypto::from_base64url(token->value.substr(first + 1, last - first - 1))
        == R"({"iss":"DEF123GHIJ","iat":1700000000})");
  CHECK(crypto::p256_verify(crypto::from_hex(p8_public).value(), token->value.substr(0, last),
                            crypto::from_base64url(token->value.substr(last + 1)).value()));
  CHECK(adapter_of()->traits().needs_token);
  CHECK_FALSE(adapter_of()->token_request(push_now));
}

TEST_CASE("a token APNs calls expired is replaced, but not before it is 20 minutes old") {
  using std::chrono::minutes;
  const auto adapter = adapter_of();
  const auto token = adapter->local_token(push_now)->value;
  const auto expired = answered(403, R"({"reason": "ExpiredProviderToken"})");
  CHECK(adapter->refuses_token(expired, token, push_now + minutes{20}));
  CHECK(adapter->refuses_token(expired, token, push_now + minutes{59}));
  CHECK_FALSE(adapter->refuses_token(expired, token, push_now + minutes{19}));
  CHECK(adapter->refuses_token(expired, token, push_now - minutes{60})); // the clock was set back since
  for (const auto* other : {"", "a", "a.b.c", "a.e30.c", "..", "a.eyJpYXQiOjFlOTk5fQ.c"}) {
    CHECK(adapter->refuses_token(expired, other, push_now));
  }
  CHECK_FALSE(adapter->refuses_token(answered(403, R"({"reason": "InvalidProviderToken"})"), token,
                                     push_now + minutes{30}));
  CHECK_FALSE(adapter->refuses_token(answered(200), token, push_now + minutes{30}));
  CHECK_FALSE(adapter->refuses_token(unanswered(core::call_error::cut), token, push_now + minutes{30}));
}

TEST_CASE("an APNs profile's faults are named all at once, and its key is never quoted") {
  const auto faults = faults_of_profile(
      profile_of(R"({"topic": "é", "key_id": "ABC", "team_id": "DEF123GHI-", "environment": "test",
                     "base_url": "http://apns.example.test", "ttl": "31d", "color": 1})",
                 "canary"));
  for (const auto* says :
       {"settings.topic: must be printable ASCII", "settings.key_id: must be 10 letters and digits",
        "settings.team_id: must be 10 letters and digits",
        "settings.environment: is \"test\"; allowed: production, sandbox",
        "settings.base_url: must begin with https://", "settings.ttl: must be at most 30d",
        "settings.color: is not known here", "credentials.private_key: must be an unencrypted private key"}) {
    CHECK_THAT(faults, Catch::Contains(says));
  }
  CHECK_THAT(faults, !Catch::Contains("canary"));
  auto empty = profile_of("{}");
  empty.credentials = "";
  for (const auto* key :
       {"settings.topic", "settings.key_id", "settings.team_id", "credentials.private_key"}) {
    CHECK_THAT(faults_of_profile(empty), Catch::Contains(std::string{key} + ": is missing"));
  }
}
