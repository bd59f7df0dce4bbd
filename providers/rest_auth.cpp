#include "core/header_field.hpp"
#include "crypto/encoding.hpp"
#include "providers/rest_settings.hpp"
#include "providers/text_encoding.hpp"
#include "providers/visible_text.hpp"

#include <algorithm>

namespace sluice::providers {

namespace {

std::string secret(settings_section& credentials, std::string_view key, std::string_view type) {
  return credentials.required_text(key, "auth type " + std::string{type} + " needs it");
}

/// A credential that stands in a header as it is.
std::string header_secret(settings_section& credentials, std::string_view key, std::string_view type) {
  auto text = secret(credentials, key, type);
  if (!core::is_header_value(text)) {
    credentials.fault(key, "must be printable ASCII");
  }
  return text;
}

void read_basic(settings_section& credentials, rest_auth& made) {
  made.username = secret(credentials, "username", "basic");
  made.password = credentials.text("password");
  if (made.username.find(':') != std::string::npos) {
    credentials.fault("username", "must not hold a colon (RFC 7617 section 2)");
  }
}

void read_api_key(settings_section& auth, rest_auth& made) {
  made.header = auth.text("header");
  made.query = auth.text("query");
  made.prefix = auth.text("prefix");
  if (made.header.empty() == made.query.empty()) {
    auth.faults().add(auth.place(),
                      "needs either header (the name of the header that carries the key, such as "
                      "X-Api-Key) or query (the name of the parameter)");
  }
  if (!made.header.empty()
      && (!core::is_header_name(made.header) || core::is_transport_header(made.header))) {
    auth.fault("header", "must be a header name that the transport does not set itself");
  }
  if (!core::is_header_value(made.prefix)) {
    auth.fault("prefix", "must be printable ASCII");
  }
}

void read_oauth2(settings_section& auth, rest_auth& made) {
  made.token_url = auth.required_text("token_url", "it is where access tokens are asked for");
  made.scope = auth.text("scope");
  made.audience = auth.text("audience");
  made.credentials_in_body = auth.choice("client_auth", {"basic", "body"}, "basic") == "body";
  if (const auto checked = check_base_url(made.token_url); !made.token_url.empty() && !checked) {
    auth.fault("token_url", checked.error());
  }
}

} // namespace

std::vector<std::string> rest_auth::secrets() const {
  std::vector<std::string> all{token, password, key, client_secret};
  if (type == kind::basic) {
    all.push_back(crypto::to_base64(username + ":" + password));
  }
  std::erase_if(all, [](const std::string& text) { return text.empty(); });
  // The longest first: a secret that holds another one is masked whole.
  std::ranges::sort(all, [](const auto& a, const auto& b) { return a.size() > b.size(); });
  return all;
}

rest_auth read_auth(settings_section auth, settings_section credentials) {
  using enum rest_auth::kind;
  rest_auth made;
  const auto type =
      auth.choice("type", {"none", "bearer", "basic", "api_key", "oauth2_client_credentials"}, "none");
  if (type == "bearer") {
    made.type = bearer;
    made.token = header_secret(credentials, "token", type);
  } else if (type == "basic") {
    made.type = basic;
    read_basic(credentials, made);
  } else if (type == "api_key") {
    made.type = api_key;
    read_api_key(auth, made);
    made.key = header_secret(credentials, "key", type);
  } else if (type == "oauth2_client_credentials") {
    made.type = oauth2_client_credentials;
    read_oauth2(auth, made);
    made.client_id = secret(credentials, "client_id", type);
    made.client_secret = secret(credentials, "client_secret", type);
  }
  auth.refuse_unknown();
  credentials.refuse_unknown();
  return made;
}

named_headers read_headers(settings_section headers) {
  named_headers made;
  for (const auto& name : headers.keys()) {
    auto value = headers.text(name);
    if (!core::is_header_name(name) || core::is_transport_header(name)) {
      headers.fault(name, "must be a header name that the transport does not set itself");
    } else if (!core::is_header_value(value)) {
      headers.fault(name, "must be printable ASCII");
    } else {
      made.emplace_back(name, std::move(value));
    }
  }
  return made;
}

} // namespace sluice::providers
