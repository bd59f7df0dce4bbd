#pragma once

#include "core/outcome.hpp"
#include "core/time.hpp"
#include "providers/answer_id.hpp"
#include "providers/answer_rules.hpp"
#include "providers/body_template.hpp"
#include "providers/url_template.hpp"

#include <array>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sluice::providers {

/// How a target wants to know who calls, with what the credentials hold for it.
struct rest_auth {
  enum class kind : std::uint8_t { none, bearer, basic, api_key, oauth2_client_credentials };
  kind type = kind::none;

  std::string token;    ///< bearer
  std::string username; ///< basic
  std::string password;

  std::string key; ///< api_key, sent as `prefix` and key in `header`, or as the parameter `query`
  std::string header;
  std::string query;
  std::string prefix;

  std::string token_url; ///< oauth2_client_credentials
  std::string scope;
  std::string audience;
  bool credentials_in_body = false;
  std::string client_id;
  std::string client_secret;

  /// Every text that must not be seen, for masking what a target answers.
  [[nodiscard]] std::vector<std::string> secrets() const;
};

using named_headers = std::vector<std::pair<std::string, std::string>>;

enum class body_form : std::uint8_t { none, mapping, from_template };

struct operation_settings {
  std::string method;
  url_template path;
  named_headers headers;
  body_form body = body_form::none;
  std::optional<body_template> body_json; ///< with body_form::from_template
  bool repeatable = true;
  id_place id;         ///< create
  match_place matches; ///< lookup
  answer_rules answers;
};

/// A connection's settings and credentials as one domain sees them.
struct rest_settings {
  std::string base_url; ///< without a slash at its end
  std::int64_t requests_per_minute = 0;
  bool http2 = true;
  rest_auth auth;
  named_headers headers;
  std::string idempotency_header; ///< empty: none is sent
  core::duration key_lifetime{};
  answer_rules answers;                                        ///< for answers that belong to no operation
  std::array<std::optional<operation_settings>, 6> operations; ///< by core::operation

  [[nodiscard]] const std::optional<operation_settings>& of(core::operation op) const noexcept {
    return operations[static_cast<std::size_t>(op)];
  }
};

/// Reads both JSON texts; every domain's overrides are checked, whatever `domain` is. The error lists every
/// fault, each with its place ("settings.operations.create.method") and what is allowed; values of
/// credentials are never quoted.
[[nodiscard]] std::expected<rest_settings, std::vector<std::string>>
parse_rest_settings(std::string_view settings, std::string_view credentials, std::string_view domain);

/// Parts of the reading, each in a file of its own.
[[nodiscard]] rest_auth read_auth(settings_section auth, settings_section credentials);
[[nodiscard]] named_headers read_headers(settings_section headers);
[[nodiscard]] operation_settings read_operation(core::operation op, settings_section& section,
                                                const settings_section& general_answers,
                                                std::string_view domain);

} // namespace sluice::providers
