#include "providers/sns_message.hpp"
#include "tests/providers/sns_fixture.hpp"

using namespace sluice;
using namespace std::chrono_literals;
using core::callback_refusal_kind;
using tests::sns_sender;
using json = nlohmann::json;

namespace {

const std::string delivered = R"({"eventType":"Delivery","mail":{"messageId":"m-1"},"delivery":{}})";

json signed_delivery() {
  return sns_sender::signed_with(sns_sender::notification(delivered));
}

json changed(json envelope, const std::string& key, const json& value) {
  envelope[key] = value;
  return envelope;
}

bool wants_certificate(const sns_sender& sender, const json& envelope) {
  return std::holds_alternative<providers::certificate_wanted>(sender.judged(sns_sender::posted(envelope)));
}

} // namespace

TEST_CASE("the string to sign is the documented one") {
  auto envelope = sns_sender::notification("My Test Message");
  envelope["MessageId"] = "4d4dc071-ddbf-465d-bba8-08f81c89da64";
  envelope["Subject"] = "My subject";
  envelope["Signature"] = "c2ln";
  const auto text = [](const json& from) {
    const auto read = providers::parse_sns_message(sns_sender::posted(from));
    REQUIRE(read);
    return providers::sns_string_to_sign(*read);
  };
  const std::string rest =
      "Timestamp\n2026-06-01T12:00:00.000Z\nTopicArn\n" + tests::ses_topic + "\nType\nNotification\n";
  const std::string head = "Message\nMy Test Message\nMessageId\n4d4dc071-ddbf-465d-bba8-08f81c89da64\n";
  CHECK(text(envelope) == head + "Subject\nMy subject\n" + rest);
  CHECK(text(changed(envelope, "Subject", nullptr)) == head + rest);
  envelope.erase("Subject");
  CHECK(text(envelope) == head + rest);
  const auto confirmation = changed(sns_sender::confirmation(), "Signature", "c2ln");
  CHECK(text(confirmation)
        == "Message\nYou have chosen to subscribe to the topic.\nMessageId\n"
           "22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324\nSubscribeURL\n"
               + confirmation["SubscribeURL"].get<std::string>()
               + "\nTimestamp\n2026-06-01T12:00:00.000Z\nToken\n2336412f\nTopicArn\n" + tests::ses_topic
               + "\nType\nSubscriptionConfirmation\n");
}

TEST_CASE("both signature versions are accepted, each by its own digest") {
  const sns_sender sender;
  for (const std::string version : {"1", "2"}) {
    const auto good =
        sns_sender::signed_with(changed(sns_sender::notification(delivered), "SignatureVersion", version));
    CHECK(sender.verified(good).events.size() == 1);
    CHECK(sender.refused(changed(good, "SignatureVersion", version == "1" ? "2" : "1"))
          == callback_refusal_kind::bad_signature);
  }
  for (const json& version : {json("3"), json("0"), json("01"), json("1 ")}) {
    CHECK(sender.refused(changed(signed_delivery(), "SignatureVersion", version))
          == callback_refusal_kind::bad_signature);
  }
  CHECK(sender.refused(changed(signed_delivery(), "SignatureVersion", 1))
        == callback_refusal_kind::malformed);
}

TEST_CASE("a subject may be missing, null, empty, or anything in UTF-8") {
  const sns_sender sender;
  for (const json& subject : {json(nullptr), json(""), json("Grüße 👋 \"quoted\" \\ Message")})
    CHECK(sender
              .verified(
                  sns_sender::signed_with(changed(sns_sender::notification(delivered), "Subject", subject)))
              .events.size()
          == 1);
  const auto with_subject =
      sns_sender::signed_with(changed(sns_sender::notification(delivered), "Subject", "a"));
  CHECK(sender.refused(changed(with_subject, "Subject", nullptr)) == callback_refusal_kind::bad_signature);
  CHECK(sender.refused(changed(signed_delivery(), "Subject", "added"))
        == callback_refusal_kind::bad_signature);
  CHECK(sender.refused(changed(signed_delivery(), "Subject", 7)) == callback_refusal_kind::malformed);
}

TEST_CASE("words of one signed field cannot be passed off as another field's") {
  const sns_sender sender;
  const auto two_fields = sns_sender::signed_with(changed(sns_sender::notification("a"), "Subject", "b"));
  auto moved = two_fields; // the same text to sign, with the subject inside the id
  moved["MessageId"] = two_fields["MessageId"].get<std::string>() + "\nSubject\nb";
  moved.erase("Subject");
  CHECK(sender.refused(moved) == callback_refusal_kind::malformed);
  for (const std::string key : {"MessageId", "Subject", "Timestamp", "TopicArn", "SigningCertURL"}) {
    CHECK(sender.refused(changed(signed_delivery(), key, "a\nb")) == callback_refusal_kind::malformed);
    CHECK(sender.refused(changed(signed_delivery(), key, "a\rb")) == callback_refusal_kind::malformed);
  }
  const auto lines = sns_sender::signed_with(
      sns_sender::notification("{\n\"eventType\":\"Send\",\n\"mail\":{\"messageId\":\"m\"}}"));
  CHECK(sender.verified(lines).events.size() == 1);
}

TEST_CASE("a change of anything that is signed is found, and unknown fields are ignored") {
  const sns_sender sender;
  const auto good = signed_delivery();
  CHECK(sender.verified(changed(good, "Later", {{"new", true}})).events.size() == 1);
  CHECK(sender.refused(changed(good, "Message", delivered + " ")) == callback_refusal_kind::bad_signature);
  CHECK(sender.refused(changed(good, "MessageId", "other")) == callback_refusal_kind::bad_signature);
  CHECK(sender.refused(changed(good, "Timestamp", "2026-06-01T12:00:01.000Z"))
        == callback_refusal_kind::bad_signature);
  CHECK(sender.refused(changed(good, "TopicArn", "arn:aws:sns:eu-central-1:999999999999:other"))
        == callback_refusal_kind::bad_signature);
  for (const std::string signature : {"", "no base64", "AAAA"})
    CHECK_FALSE(std::holds_alternative<providers::verified_callback>(
        sender.judged(sns_sender::posted(changed(good, "Signature", signature)))));
  CHECK(sender.refused(sns_sender::signed_with(good, tests::make_rsa_key()))
        == callback_refusal_kind::bad_signature);
}

TEST_CASE("a genuine message of a topic that is not expected is refused as somebody else's") {
  const sns_sender sender;
  const auto foreign = sns_sender::signed_with(changed(sns_sender::notification(delivered), "TopicArn",
                                                       "arn:aws:sns:eu-central-1:999999999999:other"));
  CHECK(sender.refused(foreign) == callback_refusal_kind::unexpected_sender);
  auto settings = tests::ses_settings_json();
  settings.erase("topics");
  const auto verdict = sender.judged(sns_sender::posted(signed_delivery()), tests::ses_profile(settings));
  REQUIRE(std::holds_alternative<core::callback_refusal>(verdict));
  CHECK(std::get<core::callback_refusal>(verdict).kind == callback_refusal_kind::unexpected_sender);
}

TEST_CASE("a message counts for an hour before and after its time, and no longer") {
  sns_sender sender;
  for (const auto skew : {-1h, 1h}) {
    sender.now = tests::ses_noon + skew;
    CHECK(sender.verified(signed_delivery()).events.size() == 1);
    sender.now += skew > 0h ? 1us : -1us;
    CHECK(sender.refused(signed_delivery()) == callback_refusal_kind::stale);
  }
  sender.now = tests::ses_noon;
  CHECK(sender.refused(
            sns_sender::signed_with(changed(sns_sender::notification(delivered), "Timestamp", "now")))
        == callback_refusal_kind::malformed);
}

TEST_CASE("a certificate is asked for by an address that is SNS's, and only where it could help") {
  sns_sender sender;
  sender.certificates.clear();
  const auto verdict = sender.judged(sns_sender::posted(signed_delivery()));
  REQUIRE(std::holds_alternative<providers::certificate_wanted>(verdict));
  CHECK(std::get<providers::certificate_wanted>(verdict).url == sns_sender::certificate_url);
  CHECK_FALSE(wants_certificate(
      sender, changed(signed_delivery(), "TopicArn", "arn:aws:sns:eu-central-1:999999999999:o")));
  CHECK_FALSE(wants_certificate(sender, changed(signed_delivery(), "Timestamp", "2026-06-01T10:00:00Z")));
  sender.asked.clear();
  for (const std::string url :
       {"https://s3.amazonaws.com/SimpleNotificationService-0a.pem",
        "https://sns.us-east-1.amazonaws.com.example.test/SimpleNotificationService-0a.pem",
        "https://user@sns.eu-central-1.amazonaws.com/SimpleNotificationService-0a.pem",
        "https://sns.eu-central-1.amazonaws.com:8443/SimpleNotificationService-0a.pem",
        "http://sns.eu-central-1.amazonaws.com/SimpleNotificationService-0a.pem",
        "https://sns.eu-central-1.amazonaws.com/?redirect=https://example.test/a.pem"}) {
    CAPTURE(url);
    CHECK(sender.refused(changed(signed_delivery(), "SigningCertURL", url))
          == callback_refusal_kind::bad_signature);
  }
  CHECK(sender.asked.empty());
}

TEST_CASE("a certificate that is not SNS's, or not of this time, vouches for nothing") {
  sns_sender sender;
  const auto refused_with = [&] {
    sender.certificates[sns_sender::certificate_url] = sender.signer().pem();
    return sender.refused(signed_delivery()) == callback_refusal_kind::bad_signature;
  };
  sender.plan.alternatives = "DNS:sns.amazonaws.com.example.test";
  CHECK(refused_with());
  sender.plan.alternatives = "DNS:sns-signing.af-south-1.amazonaws.com"; // another region's
  CHECK(refused_with());
  sender.plan.alternatives = "DNS:sns-signing.eu-central-1.amazonaws.com";
  CHECK_FALSE([&] {
    sender.certificates[sns_sender::certificate_url] = sender.signer().pem();
    return sender.verified(signed_delivery()).events.empty();
  }());
  sender.plan.until = tests::ses_noon - 1s;
  CHECK(refused_with());
  sender.certificates[sns_sender::certificate_url] = "<html>not found</html>";
  CHECK(sender.refused(signed_delivery()) == callback_refusal_kind::bad_signature);
}

TEST_CASE("with authorities in the settings a certificate has to be by one of them") {
  const sns_sender sender;
  auto settings = tests::ses_settings_json();
  settings["signing_authorities"] = sns_sender::authority().pem();
  const auto callback = sns_sender::posted(signed_delivery());
  CHECK(std::holds_alternative<providers::verified_callback>(
      sender.judged(callback, tests::ses_profile(settings))));
  const tests::certificate_plan other{"Other Root", {}, true, tests::ses_noon - 1h, tests::ses_noon + 1h};
  settings["signing_authorities"] = tests::issue(other, tests::make_rsa_key(), nullptr).pem();
  const auto verdict = sender.judged(callback, tests::ses_profile(settings));
  REQUIRE(std::holds_alternative<core::callback_refusal>(verdict));
  CHECK(std::get<core::callback_refusal>(verdict).kind == callback_refusal_kind::bad_signature);
}

TEST_CASE("a confirmation is asked for once it is known to be SNS's, and never of another address") {
  const sns_sender sender;
  const auto good = sns_sender::signed_with(sns_sender::confirmation());
  CHECK(sender.verified(good).confirm_url == good["SubscribeURL"]);
  CHECK(sender.verified(good).events.empty());
  CHECK(sender.refused(changed(good, "Token", "other")) == callback_refusal_kind::bad_signature);
  CHECK(sender.refused(changed(good, "SubscribeURL", "https://example.test/"))
        == callback_refusal_kind::bad_signature);
  const std::string query = "?Action=ConfirmSubscription&TopicArn=" + tests::ses_topic + "&Token=2336412f";
  for (const auto& url :
       {"https://127.0.0.1/" + query, "https://169.254.169.254/" + query, "https://[::1]/" + query,
        "http://sns.eu-central-1.amazonaws.com/" + query,
        "https://sns.eu-central-1.amazonaws.com@10.0.0.1/" + query,
        sns_sender::host + "?Action=DeleteTopic&TopicArn=" + tests::ses_topic + "&Token=2336412f",
        sns_sender::host
            + "?Action=ConfirmSubscription&TopicArn=arn:aws:sns:eu-central-1:999999999999:other&Token="
              "2336412f"}) {
    CAPTURE(url);
    CHECK(sender.refused(sns_sender::signed_with(changed(sns_sender::confirmation(), "SubscribeURL", url)))
          == callback_refusal_kind::unexpected_sender);
  }
}

TEST_CASE("an unsubscription is taken note of and not taken back") {
  const sns_sender sender;
  const auto made =
      sender.verified(sns_sender::signed_with(sns_sender::confirmation("UnsubscribeConfirmation")));
  CHECK(made.confirm_url.empty());
  CHECK(made.events.empty());
}

TEST_CASE("a body that is no envelope of SNS is refused before anything is asked for") {
  const sns_sender sender;
  const auto good = signed_delivery();
  for (const std::string key : {"Type", "MessageId", "TopicArn", "Message", "Timestamp", "SignatureVersion",
                                "Signature", "SigningCertURL"}) {
    CAPTURE(key);
    auto without = good;
    without.erase(key);
    CHECK(sender.refused(without) == callback_refusal_kind::malformed);
    CHECK(sender.refused(changed(good, key, nullptr)) == callback_refusal_kind::malformed);
    CHECK(sender.refused(changed(good, key, json::array({"a"}))) == callback_refusal_kind::malformed);
  }
  CHECK(sender.refused(changed(good, "Type", "notification")) == callback_refusal_kind::malformed);
  auto confirmation = sns_sender::signed_with(sns_sender::confirmation());
  confirmation.erase("Token");
  CHECK(sender.refused(confirmation) == callback_refusal_kind::malformed);
  auto callback = sns_sender::posted(good);
  for (const std::string& body :
       {std::string{}, std::string{"[]"}, std::string{"{"}, std::string{"null"}, std::string(1000, '['),
        std::string{"{\"Type\":\"\xff\"}"}, std::string{R"({"Type":"Notification\u0000"})"}}) {
    callback.body = body;
    CHECK(sender.refused(callback) == callback_refusal_kind::malformed);
  }
  CHECK(sender.asked.empty());
}

TEST_CASE("only what SNS sends as is read") {
  const sns_sender sender;
  auto callback = sns_sender::posted(signed_delivery());
  for (const std::string type : {"application/json", "Text/Plain", "text/plain;charset=UTF-8"}) {
    callback.headers[0].second = type;
    CHECK(std::holds_alternative<providers::verified_callback>(sender.judged(callback)));
  }
  for (const std::string type : {"", "text/html", "application/x-www-form-urlencoded", "text/plainer"}) {
    callback.headers[0].second = type;
    CHECK(sender.refused(callback) == callback_refusal_kind::content_type);
  }
  callback.headers = {{"content-type", "text/plain"}, {"x-amz-sns-rawdelivery", "true"}};
  CHECK(sender.refused(callback) == callback_refusal_kind::malformed);
  callback.headers.pop_back();
  callback.method = "GET";
  CHECK(sender.refused(callback) == callback_refusal_kind::content_type);
}
