#pragma once

#include "crypto/encoding.hpp"
#include "tests/certificates.hpp"
#include "tests/providers/ses_fixture.hpp"

#include <map>
#include <string>
#include <vector>

namespace sluice::tests {

/// SNS as a test plays it: a signer whose certificate an authority of the test's own has issued.
class sns_sender {
public:
  using json = nlohmann::json;

  static inline const std::string host = "https://sns.eu-central-1.amazonaws.com/";
  static inline const std::string certificate_url = host + "SimpleNotificationService-0a1b2c.pem";

  certificate_plan plan{"sns.amazonaws.com", "DNS:sns.amazonaws.com", false,
                        ses_noon - std::chrono::hours{24}, ses_noon + std::chrono::hours{24}};
  core::timestamp now = ses_noon;
  std::map<std::string, std::string> certificates; ///< by address; those that were fetched already
  mutable std::vector<std::string> asked;

  sns_sender() { certificates[certificate_url] = signer().pem(); }

  [[nodiscard]] static const identity& authority() {
    static const identity made = issue({"Test Root",
                                        {},
                                        true,
                                        ses_noon - std::chrono::hours{24 * 365},
                                        ses_noon + std::chrono::hours{24 * 365}},
                                       make_rsa_key(), nullptr);
    return made;
  }
  [[nodiscard]] static const key_pair& key() {
    static const key_pair made = make_rsa_key();
    return made;
  }
  [[nodiscard]] identity signer() const { return issue(plan, key(), &authority()); }

  /// A notification with this message, not signed yet.
  [[nodiscard]] static json notification(const std::string& message) {
    return {{"Type", "Notification"},
            {"MessageId", "22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324"},
            {"TopicArn", ses_topic},
            {"Message", message},
            {"SignatureVersion", "1"},
            {"Timestamp", "2026-06-01T12:00:00.000Z"},
            {"SigningCertURL", certificate_url}};
  }

  [[nodiscard]] static json confirmation(const std::string& type = "SubscriptionConfirmation") {
    auto made = notification("You have chosen to subscribe to the topic.");
    made["Type"] = type;
    made["Token"] = "2336412f";
    made["SubscribeURL"] = host + "?Action=ConfirmSubscription&TopicArn=" + ses_topic + "&Token=2336412f";
    return made;
  }

  /// Signs over the fields in the order of their names, as SNS's documentation lists them.
  [[nodiscard]] static json signed_with(json envelope, const key_pair& by = key()) {
    std::string text;
    for (const auto* name :
         {"Message", "MessageId", "SubscribeURL", "Subject", "Timestamp", "Token", "TopicArn", "Type"}) {
      if (envelope.contains(name) && envelope[name].is_string())
        text.append(name).append("\n").append(envelope[name].get<std::string>()).append("\n");
    }
    const auto* const digest = envelope.value("SignatureVersion", "") == "2" ? EVP_sha256() : EVP_sha1();
    envelope["Signature"] = crypto::to_base64(rsa_sign(by, digest, text));
    return envelope;
  }

  [[nodiscard]] static core::callback_request posted(const json& envelope) {
    core::callback_request made;
    made.method = "POST";
    made.path_and_query = "/callbacks/1";
    made.headers = {{"content-type", "text/plain; charset=UTF-8"}};
    made.body = envelope.dump();
    return made;
  }

  [[nodiscard]] providers::callback_verdict
  judged(const core::callback_request& callback,
         const core::provider_profile& profile = ses_profile()) const {
    const auto known = [this](std::string_view url) -> std::optional<std::string> {
      asked.emplace_back(url);
      const auto found = certificates.find(std::string{url});
      return found == certificates.end() ? std::nullopt : std::optional{found->second};
    };
    return ses_adapter(profile)->verify(callback, known, now);
  }

  [[nodiscard]] providers::verified_callback verified(const json& envelope) const {
    auto verdict = judged(posted(envelope));
    if (const auto* refusal = std::get_if<core::callback_refusal>(&verdict))
      FAIL(refusal->reason);
    REQUIRE(std::holds_alternative<providers::verified_callback>(verdict));
    return std::get<providers::verified_callback>(verdict);
  }

  [[nodiscard]] core::callback_refusal_kind refused(const core::callback_request& callback) const {
    const auto verdict = judged(callback);
    REQUIRE(std::holds_alternative<core::callback_refusal>(verdict));
    const auto& refusal = std::get<core::callback_refusal>(verdict);
    CHECK_FALSE(refusal.reason.empty());
    CHECK(refusal.reason.find("jane@example.com") == std::string::npos);
    return refusal.kind;
  }
  [[nodiscard]] core::callback_refusal_kind refused(const json& envelope) const {
    return refused(posted(envelope));
  }
};

} // namespace sluice::tests
