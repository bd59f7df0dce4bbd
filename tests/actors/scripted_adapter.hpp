#pragma once

#include "providers/notification_adapter.hpp"

#include <expected>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sluice::tests {

/// What a test's adapters are told, and what they were asked; it outlives them.
struct adapter_script {
  bool has_callback = true;
  std::string certificate_url; ///< wanted before anything is genuine; empty: none
  std::string confirm_url;
  std::vector<core::callback_request> verified; ///< every question, in order
  std::vector<std::string> made_for;            ///< the profile of each adapter that was made
};

/// Takes a body "ok ID TYPE" for genuine: the provider's event ID of TYPE about the message "m-1". "empty" is
/// genuine and tells nothing. Anything else has a wrong signature. It sends nothing.
class scripted_adapter final : public providers::notification_adapter {
public:
  explicit scripted_adapter(std::shared_ptr<adapter_script> script) : script_(std::move(script)) {
    traits_.has_callback = script_->has_callback;
  }

  [[nodiscard]] const providers::adapter_traits& traits() const noexcept override { return traits_; }

  [[nodiscard]] providers::callback_verdict verify(const core::callback_request& callback,
                                                   const providers::known_certificates& certificates,
                                                   core::timestamp now) const override {
    script_->verified.push_back(callback);
    const auto& url = script_->certificate_url;
    if (!url.empty()) {
      const auto text = certificates(url);
      if (!text)
        return providers::certificate_wanted{url};
      if (*text != "the certificate")
        return core::callback_refusal{core::callback_refusal_kind::bad_signature, "another certificate"};
    }
    providers::verified_callback genuine;
    genuine.confirm_url = script_->confirm_url;
    if (callback.body == "empty")
      return genuine;
    const auto middle = callback.body.rfind(' ');
    if (!callback.body.starts_with("ok "))
      return core::callback_refusal{core::callback_refusal_kind::bad_signature, "it is not signed"};
    core::provider_event event;
    event.event_id = callback.body.substr(3, middle - 3);
    event.provider_message_id = "m-1";
    event.provider_type = callback.body.substr(middle + 1);
    event.type = core::parse_provider_event_type(event.provider_type).value();
    event.occurred_at = now;
    if (event.type == core::provider_event_type::bounced)
      event.suppresses = core::suppression_reason::hard_bounce;
    genuine.events.push_back(std::move(event));
    return genuine;
  }

  /// "report ID": a bounce by the provider's event ID.
  [[nodiscard]] std::expected<std::vector<core::provider_event>, core::callback_refusal>
  read_report(std::string_view mail) const override {
    if (!mail.starts_with("report "))
      return std::unexpected{core::callback_refusal{core::callback_refusal_kind::malformed, "is no report"}};
    core::provider_event event;
    event.event_id = mail.substr(7);
    event.type = core::provider_event_type::bounced;
    return std::vector{event};
  }

  [[nodiscard]] std::vector<std::string> faults_of(const core::submission_order&) const override {
    return {};
  }
  [[nodiscard]] std::expected<core::http_request, core::submission>
  build(const core::submission_order&, core::timestamp, std::string_view) const override {
    return std::unexpected{core::submission{}};
  }
  [[nodiscard]] core::submission read(const core::submission_order&, const core::http_answer&,
                                      core::timestamp) const override {
    return {};
  }
  [[nodiscard]] std::optional<core::http_request>
  status_query(const providers::status_question&) const override {
    return std::nullopt;
  }
  [[nodiscard]] providers::status_answer read_status(const providers::status_question&,
                                                     const core::http_answer&) const override {
    return {};
  }
  [[nodiscard]] std::optional<core::http_request> token_request(core::timestamp) const override {
    return std::nullopt;
  }
  [[nodiscard]] std::expected<access_token, core::submission>
  read_token(const core::http_answer&) const override {
    return std::unexpected{core::submission{}};
  }

private:
  std::shared_ptr<adapter_script> script_;
  providers::adapter_traits traits_;
};

} // namespace sluice::tests
