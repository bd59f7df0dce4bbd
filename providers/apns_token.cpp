#include "providers/apns_token.hpp"

#include "core/payload.hpp"
#include "crypto/encoding.hpp"
#include "providers/json_web_token.hpp"

#include <charconv>
#include <string>
#include <vector>

namespace sluice::providers {

namespace {

constexpr core::duration token_lifetime = std::chrono::minutes{50};
constexpr core::duration token_age_min = std::chrono::minutes{20};
constexpr std::int64_t seconds_max = 253'402'300'799; // the year 9999's last

/// When a provider token was made; nothing where it is none of ours.
std::optional<core::timestamp> made_at(std::string_view token) {
  const auto first = token.find('.');
  const auto second = first == std::string_view::npos ? first : token.find('.', first + 1);
  if (second == std::string_view::npos) {
    return std::nullopt;
  }
  const auto claims = crypto::from_base64url(token.substr(first + 1, second - first - 1));
  auto reader = core::payload_reader::compile({"/iat"});
  std::vector<core::value> members;
  if (!claims || !reader || !reader->read(*claims, members)) {
    return std::nullopt;
  }
  const auto& text = members[0].text;
  std::int64_t seconds = 0;
  const auto [stop, fault] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (fault != std::errc{} || stop != text.data() + text.size() || seconds < 0 || seconds > seconds_max) {
    return std::nullopt;
  }
  return core::timestamp{std::chrono::seconds{seconds}};
}

} // namespace

std::optional<notification_adapter::access_token> sign_apns_token(const apns_settings& settings,
                                                                  core::timestamp now) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(now).time_since_epoch().count();
  // Ids of letters and digits: nothing to escape.
  auto token =
      json_web_token(R"({"alg":"ES256","kid":")" + settings.key_id + R"("})",
                     R"({"iss":")" + settings.team_id + R"(","iat":)" + std::to_string(seconds) + '}',
                     [&](std::string_view input) { return settings.key.sign(input); });
  if (!token) {
    return std::nullopt;
  }
  return notification_adapter::access_token{std::move(*token), token_lifetime};
}

bool may_replace_apns_token(std::string_view token, core::timestamp now) {
  const auto at = made_at(token);
  return !at || now - *at >= token_age_min || *at > now;
}

} // namespace sluice::providers
