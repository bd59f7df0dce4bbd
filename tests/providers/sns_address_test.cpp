#include "providers/sns_address.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <string>

using namespace sluice::providers;

namespace {

const std::string path = "/SimpleNotificationService-010a507c1833636cd94bdb98bd93083a.pem";
const std::string topic = "arn:aws:sns:eu-central-1:123456789012:mail-events";
const std::string escaped_topic = "arn%3Aaws%3Asns%3Aeu-central-1%3A123456789012%3Amail-events";
const std::string there = "https://sns.eu-central-1.amazonaws.com/";

} // namespace

TEST_CASE("certificates are SNS's own at the host of a region and at its path") {
  for (const std::string host :
       {"sns.us-east-1.amazonaws.com", "sns.eu-central-1.amazonaws.com", "sns.us-gov-west-1.amazonaws.com",
        "sns.cn-north-1.amazonaws.com.cn", "sns.ap-southeast-7.amazonaws.com"})
    CHECK(is_certificate_address("https://" + host + path));
}

TEST_CASE("a certificate's address that only looks right is none") {
  for (const std::string host : {"s3.amazonaws.com",
                                 "sns.us-east-1.amazonaws.com.example.test",
                                 "sns.us-east-1.amazonaws.com.cn",
                                 "sns.cn-north-1.amazonaws.com",
                                 "sns.amazonaws.com",
                                 "sns.us-east-1.amazonaws.org",
                                 "user@sns.us-east-1.amazonaws.com",
                                 "user:word@sns.us-east-1.amazonaws.com",
                                 "sns.us-east-1.amazonaws.com@example.test",
                                 "sns.us-east-1.amazonaws.com:443",
                                 "sns.us-east-1.amazonaws.com:8443",
                                 "sns.us-east-1.amazonaws.com.",
                                 "SNS.us-east-1.amazonaws.com",
                                 "sns.US-EAST-1.amazonaws.com",
                                 "sns..amazonaws.com",
                                 "sns.us-east-1.evil.amazonaws.com",
                                 "sns.evil/.us-east-1.amazonaws.com",
                                 "sns.-1.amazonaws.com",
                                 "sns.bucket.amazonaws.com",
                                 "sns.us--1.amazonaws.com",
                                 "xsns.us-east-1.amazonaws.com",
                                 "sns.us-east-1.amazonaws.com\\@example.test",
                                 "sns.us-east-1.amazonaws.com%2eexample.test",
                                 "127.0.0.1",
                                 "[::1]",
                                 ""}) {
    CAPTURE(host);
    CHECK_FALSE(is_certificate_address("https://" + host + path));
  }
  const std::string host = "sns.us-east-1.amazonaws.com";
  CHECK_FALSE(is_certificate_address("http://" + host + path));
  CHECK_FALSE(is_certificate_address("HTTPS://" + host + path));
  CHECK_FALSE(is_certificate_address(" https://" + host + path));
  for (const std::string other :
       {"", "/", "/SimpleNotificationService-.pem", "/SimpleNotificationService-xyz.pem", "/other.pem",
        "/SimpleNotificationService-0a.pem?x=1", "/SimpleNotificationService-0a.pem#x",
        "/SimpleNotificationService-0a.pem/", "//SimpleNotificationService-0a.pem",
        "/x/SimpleNotificationService-0a.pem", "/SimpleNotificationService-0a/../b.pem",
        "/SimpleNotificationService-%30a.pem", "/simplenotificationservice-0a.pem",
        "/SimpleNotificationService-0a.pem\r\n", "/SimpleNotificationService-0a.PEM"}) {
    CAPTURE(other);
    CHECK_FALSE(is_certificate_address("https://" + host + other));
  }
  CHECK_FALSE(is_certificate_address("https://" + host + "/SimpleNotificationService-" + std::string(129, 'a')
                                     + ".pem"));
}

TEST_CASE("a subscription is confirmed at SNS, for the topic and with the token that were signed") {
  const auto confirms = [](const std::string& url) {
    return is_confirmation_address(url, topic, "2336412f");
  };
  const auto query = "?Action=ConfirmSubscription&TopicArn=" + topic + "&Token=2336412f";
  CHECK(confirms(there + query));
  CHECK(confirms(there + "?Token=2336412f&TopicArn=" + escaped_topic + "&Action=ConfirmSubscription"));
  for (const std::string host :
       {"http://sns.eu-central-1.amazonaws.com/", "https://sns.eu-central-1.amazonaws.com:443/",
        "https://user@sns.eu-central-1.amazonaws.com/",
        "https://sns.eu-central-1.amazonaws.com.example.test/", "https://169.254.169.254/",
        "https://localhost/", "https://sns.eu-central-1.amazonaws.com",
        "https://sns.eu-central-1.amazonaws.com/x"}) {
    CAPTURE(host);
    CHECK_FALSE(confirms(host + query));
  }
  for (const auto& other :
       {"?Action=Unsubscribe&TopicArn=" + topic + "&Token=2336412f",
        "?Action=ConfirmSubscription&TopicArn=" + topic + "x&Token=2336412f",
        "?Action=ConfirmSubscription&TopicArn=" + topic + "&Token=other",
        "?Action=ConfirmSubscription&TopicArn=" + topic,
        std::string{"?Action=ConfirmSubscription&Token=2336412f"}, query + "&Action=Unsubscribe",
        query + "&Token=2336412f", query + "#x", query + " x", query + "\n", std::string{}}) {
    CAPTURE(other);
    CHECK_FALSE(confirms(there + other));
  }
  CHECK_FALSE(is_confirmation_address(
      there + "?Action=ConfirmSubscription&TopicArn=" + topic + "&Token=", topic, ""));
}

TEST_CASE("a certificate's names are those of the region it was fetched from") {
  const auto has = [](const std::string& host, const std::string& name) {
    const auto names = certificate_names("https://" + host + path);
    return std::ranges::find(names, name) != names.end();
  };
  CHECK(has("sns.eu-central-1.amazonaws.com", "sns.amazonaws.com"));
  CHECK(has("sns.af-south-1.amazonaws.com", "sns-signing.af-south-1.amazonaws.com"));
  CHECK(has("sns.us-gov-east-1.amazonaws.com", "sns-us-gov-west-1.amazonaws.com"));
  CHECK(has("sns.cn-north-1.amazonaws.com.cn", "sns-cn-north-1.amazonaws.com.cn"));
  CHECK_FALSE(has("sns.eu-central-1.amazonaws.com", "sns-signing.af-south-1.amazonaws.com"));
}
