#include "crypto/encoding.hpp"
#include "crypto/rsa_private_key.hpp"
#include "fcm_fixture.hpp"
#include "providers/text_encoding.hpp"

#include <algorithm>

using namespace sluice;
using namespace sluice::fcm_testing;
using namespace std::chrono_literals;
using nlohmann::json;

namespace {

std::vector<std::string> faults(const json& settings, const json& credentials = key_file()) {
  const auto made = try_fcm(settings, credentials);
  return made ? std::vector<std::string>{} : made.error();
}

json without(const std::string& key) {
  auto made = key_file();
  made.erase(key);
  return made;
}

json with(const std::string& key, const json& value) {
  auto made = key_file();
  made[key] = value;
  return made;
}

bool names(const std::vector<std::string>& found, const std::string& start) {
  return std::ranges::any_of(found, [&](const auto& each) { return each.starts_with(start); });
}

core::http_answer dated(core::http_answer answer, const std::string& date) {
  answer.headers = {{"date", date}};
  return answer;
}

} // namespace

TEST_CASE("the access token is asked for with a JWT signed by the service account") {
  const auto request = fcm()->token_request(now);
  REQUIRE(request);
  CHECK(request->method == "POST");
  CHECK(request->url == "https://oauth2.googleapis.com/token");
  const auto form = providers::parse_form(request->body);
  REQUIRE(form.size() == 2);
  CHECK(form[0]
        == std::pair<std::string, std::string>{"grant_type", "urn:ietf:params:oauth:grant-type:jwt-bearer"});
  CHECK(form[1].first == "assertion");
  const auto& assertion = form[1].second;
  const auto first = assertion.find('.');
  const auto second = assertion.rfind('.');
  REQUIRE(first < second);
  CHECK(json::parse(*crypto::from_base64url(assertion.substr(0, first)))
        == json{{"alg", "RS256"}, {"typ", "JWT"}, {"kid", "k1"}});
  CHECK(json::parse(*crypto::from_base64url(assertion.substr(first + 1, second - first - 1)))
        == json{{"iss", "push@my-app-1.iam.gserviceaccount.com"},
                {"scope", "https://www.googleapis.com/auth/firebase.messaging"},
                {"aud", "https://oauth2.googleapis.com/token"},
                {"iat", 1'764'500'000},
                {"exp", 1'764'503'600}});
  const auto key = crypto::rsa_private_key::from_pem(tests::rsa_example_key);
  CHECK(crypto::from_base64url(assertion.substr(second + 1))
        == key->sign_sha256(assertion.substr(0, second)));
}

TEST_CASE("a token answer gives Google's token and its hour") {
  const auto token = fcm()->read_token(
      answered(200, R"({"access_token": "ya29.x", "expires_in": 3599, "token_type": "Bearer"})"));
  REQUIRE(token);
  CHECK(token->value == "ya29.x");
  CHECK(token->lifetime == core::duration{3599s});
}

TEST_CASE("a token that was not got leaves nothing ambiguous: no message was sent") {
  using enum core::submission_kind;
  const auto read = [](const core::http_answer& answer) {
    const auto token = fcm()->read_token(answer);
    REQUIRE_FALSE(token);
    return token.error();
  };
  const auto refused = read(answered(400, R"({"error": "invalid_grant", "error_description": "x"})"));
  CHECK(refused.kind == rejected);
  CHECK(refused.cause == core::rejection_cause::provider);
  CHECK(refused.error == "the token endpoint answered 400 (invalid_grant)");
  CHECK(read(answered(401)).kind == rejected);
  CHECK(read(answered(429, "", "5")).kind == retryable);
  CHECK(read(answered(429, "", "5")).wait == core::duration{5s});
  CHECK(read(answered(500)).kind == retryable);
  CHECK(read(answered(200, "{}")).kind == retryable);
  for (const auto error : {core::call_error::timed_out, core::call_error::cut,
                           core::call_error::not_connected, core::call_error::unattempted})
    CHECK(read(failed(error)).kind == retryable);
}

TEST_CASE("an assertion refused by a clock that differs is asked for again at the server's time") {
  const auto adapter = fcm();
  CHECK(adapter->token_request(now)->wanted_headers == std::vector<std::string>{"date"});
  const auto refused = answered(400, R"({"error": "invalid_grant"})");
  // `now` is 2025-11-30 10:53:20 UTC.
  CHECK(adapter->corrected_time(dated(refused, "Sun, 30 Nov 2025 11:53:20 GMT")) == now + 1h);
  CHECK(adapter->corrected_time(dated(refused, "Sun, 30 Nov 2025 09:53:20 GMT")) == now - 1h);
  CHECK_FALSE(adapter->corrected_time(dated(refused, "Sun, 30 Nov 2025 10:58:20 GMT")));
  CHECK_FALSE(adapter->corrected_time(dated(refused, "soon")));
  CHECK_FALSE(adapter->corrected_time(refused));
  const auto late = "Sun, 30 Nov 2025 11:53:20 GMT";
  CHECK_FALSE(adapter->corrected_time(dated(answered(400, R"({"error": "invalid_scope"})"), late)));
  CHECK_FALSE(adapter->corrected_time(dated(answered(401), late)));
}

TEST_CASE("every fault of an FCM profile is told at once, and no key is quoted") {
  const auto found =
      faults({{"base_url", "x"}, {"project", "y"}},
             {{"type", "authorized_user"}, {"private_key", "s3cret"}, {"refresh_token", "s3cret"}});
  CHECK(names(found, "settings.base_url: "));
  CHECK(names(found, "settings.project: is not known here"));
  CHECK(names(found, "settings.project_id: is missing"));
  CHECK(names(found, "credentials.type: "));
  CHECK(names(found, "credentials.client_email: is missing"));
  CHECK(names(found, "credentials.private_key: must be the PEM text of an RSA key"));
  CHECK(names(found, "credentials.refresh_token: is not known here"));
  CHECK(found.size() == 7);
  for (const auto& each : found)
    CHECK(each.find("s3cret") == std::string::npos);
}

TEST_CASE("the key file is taken as it is, and its project or token address may be another") {
  CHECK(faults(json::object()).empty());
  CHECK(faults(json::object(), without("private_key_id")).empty());
  CHECK(faults(json::object(), without("token_uri")).empty());
  CHECK(names(faults(json::object(), without("private_key")), "credentials.private_key: is missing"));
  CHECK(names(faults(json::object(), with("token_uri", "file:///etc/passwd")), "credentials.token_uri: "));
  CHECK(names(faults({{"project_id", "a/../b"}}), "settings.project_id: must be"));
  const auto adapter = fcm({{"project_id", "example.com:other"},
                            {"base_url", "http://127.0.0.1:8080/"},
                            {"token_url", "http://127.0.0.1:8081/token"}});
  CHECK(adapter->build(push(), now, "t")->url
        == "http://127.0.0.1:8080/v1/projects/example.com:other/messages:send");
  CHECK(adapter->token_request(now)->url == "http://127.0.0.1:8081/token");
}
