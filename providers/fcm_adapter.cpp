#include "providers/fcm_adapter.hpp"

#include "crypto/rsa_private_key.hpp"
#include "providers/answer_members.hpp"
#include "providers/fcm_answer.hpp"
#include "providers/fcm_message.hpp"
#include "providers/fcm_settings.hpp"
#include "providers/json_web_token.hpp"
#include "providers/oauth2.hpp"
#include "providers/retry_after.hpp"
#include "providers/send_only_adapter.hpp"
#include "providers/submission_answer.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace sluice::providers {

namespace {

using json = nlohmann::ordered_json;

constexpr std::string_view scope = "https://www.googleapis.com/auth/firebase.messaging";
/// "Using OAuth 2.0 for server to server applications": at most an hour after it was issued.
constexpr std::chrono::seconds assertion_lifetime = std::chrono::hours{1};
/// Less than this is not what an assertion is refused for.
constexpr core::duration clock_tolerance = std::chrono::minutes{5};
constexpr std::size_t address_bytes_max = 4096;

bool is_address(std::string_view text) {
  return !text.empty() && text.size() <= address_bytes_max
         && std::ranges::all_of(text, [](char c) { return c > ' ' && c <= '~'; });
}

std::string assertion_header(const fcm_settings& settings) {
  json made{{"alg", "RS256"}, {"typ", "JWT"}};
  if (!settings.private_key_id.empty())
    made["kid"] = settings.private_key_id;
  return made.dump(-1, ' ', false, json::error_handler_t::replace);
}

std::string assertion_claims(const fcm_settings& settings, core::timestamp now) {
  const auto issued = std::chrono::floor<std::chrono::seconds>(now.time_since_epoch());
  const json made{{"iss", settings.client_email},
                  {"scope", scope},
                  {"aud", settings.token_url},
                  {"iat", issued.count()},
                  {"exp", (issued + assertion_lifetime).count()}};
  return made.dump(-1, ' ', false, json::error_handler_t::replace);
}

class fcm_adapter final : public send_only_adapter {
public:
  explicit fcm_adapter(fcm_settings settings)
      : settings_{std::move(settings)},
        common_headers_{std::make_shared<const core::header_lines>(core::header_lines{
            "Content-Type: application/json", "Accept: application/json", "User-Agent: sluice/0.1"})} {
    traits_.contacts = {core::contact_kind::fcm_installation, core::contact_kind::fcm_token};
    traits_.needs_token = true;
  }

  const adapter_traits& traits() const noexcept override { return traits_; }
  std::vector<std::string> faults_of(const core::submission_order& order) const override {
    return faults_of_fcm_message(order);
  }
  std::expected<core::http_request, core::submission>
  build(const core::submission_order& order, core::timestamp now, std::string_view token) const override;
  core::submission read(const core::submission_order& /*order*/, const core::http_answer& answer,
                        core::timestamp now) const override {
    return read_fcm_answer(answer, now);
  }
  std::optional<core::timestamp> corrected_time(const core::http_answer& answer) const override;
  bool refuses_token(const core::http_answer& answer, std::string_view /*token*/,
                     core::timestamp now) const override {
    return read_fcm_answer(answer, now).error_class == fcm_unauthenticated;
  }
  std::optional<core::http_request> token_request(core::timestamp now) const override;
  std::expected<access_token, core::submission> read_token(const core::http_answer& answer) const override;

private:
  fcm_settings settings_;
  std::shared_ptr<const core::header_lines> common_headers_;
  adapter_traits traits_;
};

std::expected<core::http_request, core::submission>
fcm_adapter::build(const core::submission_order& order, core::timestamp now, std::string_view token) const {
  if (std::ranges::find(traits_.contacts, order.contact.kind) == traits_.contacts.end()
      || !is_address(order.contact.text))
    return std::unexpected{rejected(core::rejection_cause::recipient, "bad_address",
                                    "the address is no installation id and no registration token")};
  if (order.expires_at && *order.expires_at <= now)
    return std::unexpected{
        rejected(core::rejection_cause::message, "expired", "the notification expired before it was sent")};
  core::http_request request;
  request.method = "POST";
  request.url = settings_.base_url + "/v1/projects/" + settings_.project_id + "/messages:send";
  request.common_headers = common_headers_;
  request.headers = {"Authorization: Bearer " + std::string{token}};
  request.body = fcm_message(order, now);
  request.http2 = true;
  return request;
}

/// Of the token's answer: an assertion issued in the future or expired is an invalid_grant, and so is a key
/// that was withdrawn; the server's date tells them apart.
std::optional<core::timestamp> fcm_adapter::corrected_time(const core::http_answer& answer) const {
  if (answer.error != core::call_error::none || answer.status != 400
      || members_of(answer.body, {"/error"})[0].text != "invalid_grant")
    return std::nullopt;
  const auto date = parse_http_date(answer.header("date"), answer.ended_at);
  if (!date || std::chrono::abs(*date - answer.ended_at) <= clock_tolerance)
    return std::nullopt;
  return date;
}

std::optional<core::http_request> fcm_adapter::token_request(core::timestamp now) const {
  const auto assertion =
      json_web_token(assertion_header(settings_), assertion_claims(settings_, now),
                     [this](std::string_view input) { return settings_.private_key.sign_sha256(input); });
  if (!assertion)
    return std::nullopt;
  auto request = jwt_bearer_request(settings_.token_url, *assertion, true);
  request.wanted_headers = {"date"};
  return request;
}

std::expected<fcm_adapter::access_token, core::submission>
fcm_adapter::read_token(const core::http_answer& answer) const {
  auto read = read_client_credentials(answer, {});
  if (!read)
    return std::unexpected{submission_without_token(std::move(read).error())};
  return *std::move(read);
}

} // namespace

std::expected<std::shared_ptr<const notification_adapter>, std::vector<std::string>>
make_fcm_adapter(const core::provider_profile& profile, const adapter_surroundings& /*around*/) {
  auto settings = parse_fcm_settings(profile);
  if (!settings)
    return std::unexpected{std::move(settings).error()};
  return std::make_shared<const fcm_adapter>(*std::move(settings));
}

} // namespace sluice::providers
