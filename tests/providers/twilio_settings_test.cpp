#include "twilio_fixture.hpp"

#include <algorithm>

using namespace sluice;
using namespace sluice::twilio_testing;
using nlohmann::json;

namespace {

std::vector<std::string> faults(const json& settings, const json& credentials = {{"auth_token", auth_token}},
                                const std::string& address = callback_url) {
  const auto made = try_twilio(settings, credentials, address);
  return made ? std::vector<std::string>{} : made.error();
}

bool names(const std::vector<std::string>& found, const std::string& start) {
  return std::ranges::any_of(found, [&](const auto& each) { return each.starts_with(start); });
}

json with(const std::string& key, const json& value) {
  auto made = twilio_plain_settings();
  made[key] = value;
  return made;
}

} // namespace

TEST_CASE("every fault of a Twilio profile is told at once") {
  const auto found = faults({{"account_sid", "AC1"}, {"base_url", "ftp://x"}, {"form", "x"}}, json::object());
  CHECK(names(found, "settings.account_sid: must be AC"));
  CHECK(names(found, "settings.base_url: "));
  CHECK(names(found, "settings.form: is not known here"));
  CHECK(names(found, "settings: needs either from"));
  CHECK(names(found, "credentials.auth_token: is missing"));
  CHECK(found.size() == 5);
}

TEST_CASE("a profile has one sender") {
  CHECK(names(faults({{"account_sid", account}}), "settings: needs either from"));
  CHECK(names(faults(with("messaging_service_sid", service_sid)), "settings: needs either from"));
  for (const char* from : {"+15005550006", "12345", "ACME", "Acme 24-7"})
    CHECK(faults(with("from", from)).empty());
  for (const char* from : {"", "+", "12", "123456789", "+1500555000600000", "Acme Corporation", "123 456",
                           "A\r\nB", "whatsapp:+15005550006"})
    CHECK(names(faults(with("from", from)), "settings.from: "));
  CHECK(names(faults({{"account_sid", account}, {"messaging_service_sid", "MGx"}}),
              "settings.messaging_service_sid: "));
}

TEST_CASE("callbacks need the auth token even where an API key sends") {
  const json key{{"api_key", "SK" + std::string(32, '4')}, {"api_key_secret", "s3cret"}};
  CHECK(names(faults(twilio_plain_settings(), key), "credentials.auth_token: is missing; callbacks"));
  CHECK(faults(twilio_plain_settings(), key, "").empty());
  CHECK(
      names(faults(twilio_plain_settings(), {{"api_key", "SK1"}}), "credentials.api_key_secret: is missing"));
  CHECK(names(faults(twilio_plain_settings(), {{"api_key_secret", "s"}}), "credentials.api_key: is missing"));
}

TEST_CASE("no fault quotes a credential") {
  const auto found = faults(twilio_plain_settings(), {{"api_key", "s3cret-key"},
                                                      {"api_key_secret", json::array({"s3cret-half"})},
                                                      {"auth_token", 7},
                                                      {"s3cret", "s3cret-value"}});
  CHECK(found.size() == 4);
  for (const auto& each : found)
    CHECK(each.find("s3cret-") == std::string::npos);
}

TEST_CASE("texts that are no JSON objects, and a public address that is none, are faults") {
  core::provider_profile profile;
  for (const char* text : {"", "[]", "7", "{", "null"}) {
    profile.settings = text;
    CHECK_FALSE(providers::make_twilio_adapter(profile, {}));
  }
  CHECK(names(faults(twilio_plain_settings(), {{"auth_token", auth_token}}, "hooks.example.com/x"),
              "the address of callbacks: "));
}

TEST_CASE("a stand-in may take Twilio's place") {
  const auto request = twilio(with("base_url", "http://127.0.0.1:8080/"))->build(sms(), now, {});
  REQUIRE(request);
  CHECK(request->url == "http://127.0.0.1:8080/2010-04-01/Accounts/" + account + "/Messages.json");
}
