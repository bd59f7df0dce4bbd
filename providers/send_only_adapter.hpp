#pragma once

#include "providers/notification_adapter.hpp"
#include "providers/submission_answer.hpp"

#include <expected>
#include <optional>

namespace sluice::providers {

/// A provider that takes messages and says nothing of them later: no callback, no status query, and no access
/// token that is asked for.
class send_only_adapter : public notification_adapter {
public:
  [[nodiscard]] callback_verdict verify(const core::callback_request&, const known_certificates&,
                                        core::timestamp) const override {
    return core::callback_refusal{core::callback_refusal_kind::unexpected_sender,
                                  "this provider sends no callbacks"};
  }

  [[nodiscard]] std::optional<core::http_request> status_query(const status_question&) const override {
    return std::nullopt;
  }
  [[nodiscard]] status_answer read_status(const status_question&, const core::http_answer&) const override {
    return {};
  }

  [[nodiscard]] std::optional<core::http_request> token_request(core::timestamp) const override {
    return std::nullopt;
  }
  [[nodiscard]] std::expected<access_token, core::submission>
  read_token(const core::http_answer&) const override {
    return std::unexpected{retryable("no_token", "this provider gives no access tokens")};
  }
};

} // namespace sluice::providers
