#include "providers/oauth2.hpp"

#include "crypto/encoding.hpp"
#include "providers/answer_members.hpp"
#include "providers/call_outcome.hpp"
#include "providers/retry_after.hpp"
#include "providers/text_encoding.hpp"
#include "providers/visible_text.hpp"

#include <algorithm>
#include <charconv>

namespace sluice::providers {

namespace {

constexpr core::duration lifetime_unsaid = std::chrono::minutes{5};
constexpr core::duration lifetime_max = std::chrono::days{30};
constexpr std::size_t token_bytes_max = std::size_t{64} << 10U;

void append_parameter(std::string& body, std::string_view name, std::string_view value) {
  if (!value.empty())
    append_form_field(body, name, value);
}

core::http_request token_request_to(std::string_view token_url, bool http2) {
  core::http_request request;
  request.method = "POST";
  request.url = token_url;
  request.http2 = http2;
  request.headers = {"Content-Type: application/x-www-form-urlencoded", "Accept: application/json",
                     "User-Agent: sluice/0.1"};
  return request;
}

/// RFC 6749 section 2.3.1: both halves are form-encoded before they are joined.
std::string basic_authorization(const rest_auth& auth) {
  std::string joined;
  append_form_encoded(joined, auth.client_id);
  joined += ':';
  append_form_encoded(joined, auth.client_secret);
  return "Authorization: Basic " + crypto::to_base64(joined);
}

bool is_bearer(const core::value& type) {
  constexpr std::string_view wanted = "bearer";
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return type.kind == core::value_kind::absent || std::ranges::equal(type.text, wanted, {}, lower);
}

/// RFC 6750 section 2.1; anything else cannot stand in a header.
bool is_token(const core::value& token) {
  return token.kind == core::value_kind::string && !token.text.empty() && token.text.size() <= token_bytes_max
         && std::ranges::all_of(token.text, [](char c) { return c > ' ' && c <= '~'; });
}

core::duration lifetime_of(const core::value& expires_in) {
  const auto& text = expires_in.text;
  std::int64_t seconds = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), seconds).ec;
  const bool written =
      expires_in.kind == core::value_kind::number || expires_in.kind == core::value_kind::string;
  if (!written || read == std::errc::invalid_argument) {
    return lifetime_unsaid;
  }
  const auto most = std::chrono::duration_cast<std::chrono::seconds>(lifetime_max).count();
  if (read == std::errc::result_out_of_range) {
    return text.front() == '-' ? core::duration::zero() : lifetime_max;
  }
  return std::chrono::seconds{std::clamp<std::int64_t>(seconds, 0, most)};
}

/// The server's error code is one of RFC 6749 section 5.2; anything longer is not quoted.
core::outcome refusal(const core::http_answer& answer, const core::value& code,
                      std::span<const std::string> secrets) {
  core::outcome refused;
  refused.error_class = "token_http_" + std::to_string(answer.status);
  refused.error = "the token endpoint answered " + std::to_string(answer.status);
  if (code.kind == core::value_kind::string && code.text.size() <= 40) {
    refused.error += " (" + visible_text(code.text, secrets) + ")";
  }
  if (answer.status == 429) {
    refused.kind = core::outcome_kind::rate_limited;
    refused.wait = parse_retry_after(answer.retry_after, answer.ended_at);
  } else if (answer.status >= 300 && answer.status < 500 && answer.status != 408 && answer.status != 425) {
    refused.kind = core::outcome_kind::unauthorized;
  } else {
    refused.kind = core::outcome_kind::transient;
  }
  return refused;
}

} // namespace

core::http_request client_credentials_request(const rest_auth& auth, bool http2) {
  auto request = token_request_to(auth.token_url, http2);
  append_parameter(request.body, "grant_type", "client_credentials");
  append_parameter(request.body, "scope", auth.scope);
  append_parameter(request.body, "audience", auth.audience);
  if (auth.credentials_in_body) {
    append_parameter(request.body, "client_id", auth.client_id);
    append_parameter(request.body, "client_secret", auth.client_secret);
  } else {
    request.headers.push_back(basic_authorization(auth));
  }
  return request;
}

core::http_request jwt_bearer_request(std::string_view token_url, std::string_view assertion, bool http2) {
  auto request = token_request_to(token_url, http2);
  append_parameter(request.body, "grant_type", "urn:ietf:params:oauth:grant-type:jwt-bearer");
  append_parameter(request.body, "assertion", assertion);
  return request;
}

std::expected<writer::access_token, core::outcome>
read_client_credentials(const core::http_answer& answer, std::span<const std::string> secrets) {
  if (answer.error != core::call_error::none || answer.status == 0) {
    auto failed =
        outcome_without_answer(answer, {.op = core::operation::lookup, .repeatable = true}, secrets);
    failed.error = "the token endpoint gave no answer: " + failed.error;
    return std::unexpected{std::move(failed)};
  }
  const auto members = members_of(answer.body, {"/access_token", "/token_type", "/expires_in", "/error"});
  if (answer.status < 200 || answer.status > 299) {
    return std::unexpected{refusal(answer, members[3], secrets)};
  }
  if (!is_token(members[0]) || !is_bearer(members[1])) {
    return std::unexpected{core::outcome{core::outcome_kind::transient,
                                         {},
                                         "token_unreadable",
                                         "the token endpoint's answer holds no bearer token",
                                         {}}};
  }
  return writer::access_token{members[0].text, lifetime_of(members[2])};
}

} // namespace sluice::providers
