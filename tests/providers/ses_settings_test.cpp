#include "providers/ses_settings.hpp"
#include "tests/certificates.hpp"
#include "tests/providers/ses_fixture.hpp"

#include <algorithm>

using namespace sluice;
using namespace sluice::providers;
using json = nlohmann::json;

namespace {

std::vector<std::string> faults_of(const json& settings,
                                   const json& credentials = tests::ses_credentials_json()) {
  const auto read = parse_ses_settings(tests::ses_profile(settings, credentials));
  return read ? std::vector<std::string>{} : read.error();
}

/// The one fault of complete settings with this member changed.
std::string fault_with(const std::string& key, const json& value) {
  auto settings = tests::ses_settings_json();
  settings[key] = value;
  const auto faults = faults_of(settings);
  CAPTURE(key, value, faults);
  REQUIRE(faults.size() == 1);
  return faults.front();
}

} // namespace

TEST_CASE("SES is called at the region's own endpoint unless the settings name another") {
  auto settings = tests::ses_settings_json();
  CHECK(parse_ses_settings(tests::ses_profile(settings))->base_url
        == "https://email.eu-central-1.amazonaws.com");
  settings["region"] = "cn-north-1";
  CHECK(parse_ses_settings(tests::ses_profile(settings))->base_url
        == "https://email.cn-north-1.amazonaws.com.cn");
  settings["base_url"] = "http://Stand-In.example:8080/ses/";
  CHECK(parse_ses_settings(tests::ses_profile(settings))->base_url == "http://stand-in.example:8080/ses");
}

TEST_CASE("every fault of the settings and the credentials is named at once") {
  const auto faults = faults_of({{"from", "nobody"}, {"topics", "all"}, {"colour", "red"}}, json::object());
  CHECK(faults
        == std::vector<std::string>{
            "settings.region: is missing; it is where the account sends, such as eu-central-1",
            "settings.from: must be an address in printable ASCII of at most 320 bytes, such as "
            "news@example.com or News <news@example.com>",
            "settings.topics: must be a list of at most 20 ARNs of SNS topics, such as "
            "arn:aws:sns:eu-central-1:123456789012:mail-events",
            "settings.colour: is not known here; known: region, from, reply_to, feedback_to, "
            "configuration_set, "
            "headers, tags, topics, signing_authorities, base_url",
            "credentials.access_key_id: is missing; SES takes no request without it",
            "credentials.secret_access_key: is missing; SES takes no request without it"});
  CHECK(parse_ses_settings([] {
          auto profile = tests::ses_profile();
          profile.settings = "{";
          return profile;
        }())
            .error()
            .front()
            .starts_with("settings: is not readable JSON"));
}

TEST_CASE("no setting can start a header of its own or be what SES would refuse") {
  fault_with("from", "a@example.com\r\nBcc: b@example.com");
  fault_with("reply_to", "Grüße <a@example.com>");
  fault_with("feedback_to", std::string(330, 'a') + "@example.com");
  fault_with("configuration_set", "a b");
  fault_with("headers", {{"X-A", "a\nb"}});
  fault_with("headers", {{"X A", "a"}});
  fault_with("headers", {{"x-sluice-attempt", "a"}});
  fault_with("headers", {{"X-A", std::string(871, 'a')}});
  fault_with("tags", {{"a b", "c"}});
  fault_with("tags", {{"a", "b c"}});
  fault_with("tags", {{"sluice-attempt", "a"}});
  fault_with("region", "eu-central-1.evil.example/");
  fault_with("base_url", "https://user@example.com");
  fault_with("signing_authorities", "none");
  json many;
  for (int at = 0; at < 15; ++at)
    many["X-" + std::to_string(at)] = "a";
  fault_with("headers", many);
}

TEST_CASE("a topic is an ARN of SNS and nothing that looks like one") {
  for (const std::string topic :
       {"arn:aws:sqs:eu-central-1:123456789012:q", "arn:aws:sns:eu-central-1:12345678901:t",
        "arn:aws:sns:eu:1", "arn:aws:sns:eu-central-1:123456789012:",
        "arn:aws:sns:eu-central-1:123456789012:a:b", "arn:aws:sns:eu-central-1:123456789012:a b", ""})
    fault_with("topics", json::array({topic}));
  auto settings = tests::ses_settings_json();
  settings["topics"] = json::array(
      {"arn:aws-cn:sns:cn-north-1:123456789012:T_1", "arn:aws-us-gov:sns:us-gov-west-1:123456789012:t.fifo"});
  CHECK(faults_of(settings).empty());
}

TEST_CASE("credentials that cannot stand in a header are refused without being quoted") {
  auto secrets = tests::ses_credentials_json();
  secrets["secret_access_key"] = "very secret\n";
  secrets["session_token"] = "another sécret";
  secrets["password"] = "third";
  const auto faults = faults_of(tests::ses_settings_json(), secrets);
  REQUIRE(faults.size() == 3);
  for (const auto& fault : faults)
    for (const std::string secret : {"very", "another", "third"})
      CHECK(fault.find(secret) == std::string::npos);
}

TEST_CASE("authorities are read as the certificates they are") {
  auto settings = tests::ses_settings_json();
  const tests::certificate_plan plan{
      "root", {}, true, tests::ses_noon, tests::ses_noon + std::chrono::hours{1}};
  settings["signing_authorities"] = tests::issue(plan, tests::make_p256_key(), nullptr).pem();
  CHECK(faults_of(settings).empty());
}
