#pragma once

#include "core/payload.hpp"
#include "providers/answer_members.hpp"
#include "providers/notification_adapter.hpp"
#include "providers/retry_after.hpp"
#include "providers/send_only_adapter.hpp"

#include <nlohmann/json.hpp>

#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sluice::tests {

/// An adapter for a scripted target. Its profile's settings:
///
///   url     the target's address; messages are posted to URL/messages
///   token   "": none; "call": from URL/token; "local": made here
///   status  true: it is asked at URL/status/ATTEMPT, and tells of callbacks
///   many    true: its addresses lead to many services
///   faulty  true: no adapter can be made
///
/// It takes 2xx for accepted, 403 for a wrong clock, 401 for a refused token, 410 for a dead address, 429 and
/// 503 for come again, other 4xx for the account's fault.
class sending_adapter final : public providers::send_only_adapter {
public:
  explicit sending_adapter(const nlohmann::json& settings)
      : url_(settings.at("url").get<std::string>()), token_(settings.value("token", "")),
        status_(settings.value("status", false)) {
    traits_.has_callback = status_;
    traits_.has_status_query = status_;
    traits_.needs_token = !token_.empty();
    traits_.many_services = settings.value("many", false);
  }

  static std::expected<std::shared_ptr<const providers::notification_adapter>, std::vector<std::string>>
  make(const core::provider_profile& profile) {
    const auto settings = nlohmann::json::parse(profile.settings);
    if (settings.value("faulty", false))
      return std::unexpected{std::vector<std::string>{"url: cannot be used"}};
    return std::make_shared<const sending_adapter>(settings);
  }

  const providers::adapter_traits& traits() const noexcept override { return traits_; }
  std::vector<std::string> faults_of(const core::submission_order&) const override { return {}; }

  std::expected<core::http_request, core::submission>
  build(const core::submission_order& order, core::timestamp now, std::string_view token) const override {
    if (order.content.text == "unsendable")
      return std::unexpected{
          providers::rejected(core::rejection_cause::message, "unusable_content", "it cannot be sent")};
    core::http_request made;
    made.method = "POST";
    made.url = url_ + "/messages";
    made.headers = {"Authorization: Bearer " + std::string{token}};
    made.body = nlohmann::json{{"attempt", order.attempt_id},
                               {"notification", order.notification_id},
                               {"to", order.contact.text},
                               {"text", order.content.text},
                               {"at", core::to_us(now)}}
                    .dump();
    return made;
  }

  core::submission read(const core::submission_order&, const core::http_answer& answer,
                        core::timestamp now) const override {
    if (!providers::has_status(answer))
      return providers::submission_without_answer(answer);
    if (providers::is_success(answer))
      return providers::accepted(providers::members_of(answer.body, {"/id"})[0].text);
    auto error_class = "http_" + std::to_string(answer.status);
    if (answer.status == 410) {
      auto made = providers::rejected(core::rejection_cause::recipient, error_class, "the address is dead");
      made.retires = core::suppression_reason::retired_token;
      return made;
    }
    if (answer.status == 429 || answer.status == 503 || answer.status == 401) {
      auto made = providers::retryable(error_class, "come again");
      made.wait = providers::parse_retry_after(answer.retry_after, now);
      return made;
    }
    return providers::rejected(core::rejection_cause::provider, error_class, "not from this account");
  }

  std::optional<core::timestamp> corrected_time(const core::http_answer& answer) const override {
    if (answer.status != 403)
      return std::nullopt;
    return answer.ended_at + std::chrono::hours{1};
  }

  std::optional<core::http_request> status_query(const providers::status_question& question) const override {
    if (!status_)
      return std::nullopt;
    core::http_request made;
    made.method = "GET";
    made.url = url_ + "/status/" + question.attempt_id;
    return made;
  }

  providers::status_answer read_status(const providers::status_question& question,
                                       const core::http_answer& answer) const override {
    providers::status_answer made;
    if (answer.status == 404)
      made.kind = providers::status_answer::verdict::unknown;
    if (answer.status != 200)
      return made;
    made.kind = providers::status_answer::verdict::known;
    made.provider_message_id = "found-" + question.attempt_id;
    core::provider_event event;
    event.event_id = "e-" + question.attempt_id;
    event.attempt_id = question.attempt_id;
    event.provider_message_id = made.provider_message_id;
    event.type = core::provider_event_type::delivered;
    event.provider_type = "delivered";
    made.events.push_back(std::move(event));
    return made;
  }

  std::optional<access_token> local_token(core::timestamp now) const override {
    if (token_ != "local")
      return std::nullopt;
    return access_token{"local-" + std::to_string(core::to_us(now)), std::chrono::minutes{50}};
  }

  bool refuses_token(const core::http_answer& answer, std::string_view, core::timestamp) const override {
    return answer.status == 401;
  }

  std::optional<core::http_request> token_request(core::timestamp now) const override {
    core::http_request made;
    made.method = "POST";
    made.url = url_ + "/token";
    made.body = std::to_string(core::to_us(now));
    return made;
  }

  std::expected<access_token, core::submission> read_token(const core::http_answer& answer) const override {
    if (answer.status == 200)
      return access_token{providers::members_of(answer.body, {"/access_token"})[0].text,
                          std::chrono::hours{1}};
    if (answer.status == 400)
      return std::unexpected{providers::rejected(core::rejection_cause::provider, "invalid_grant",
                                                 "the credentials are refused")};
    return std::unexpected{providers::ambiguous("no_token", "no token came")};
  }

private:
  std::string url_;
  std::string token_;
  bool status_ = false;
  providers::adapter_traits traits_;
};

} // namespace sluice::tests
