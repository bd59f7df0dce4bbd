#include "providers/aws_signature.hpp"

#include "core/letter_case.hpp"
#include "crypto/digest.hpp"
#include "crypto/encoding.hpp"
#include "providers/text_encoding.hpp"

#include <algorithm>
#include <map>

namespace sluice::providers {

namespace {

constexpr std::string_view algorithm = "AWS4-HMAC-SHA256";

/// "20150830T123600Z": ISO 8601, basic form.
std::string basic_time(core::timestamp at) {
  auto text = core::to_rfc3339(at).substr(0, 19) + "Z";
  std::erase_if(text, [](char c) { return c == '-' || c == ':'; });
  return text;
}

std::string hash_of(std::string_view bytes) {
  const auto digest = crypto::sha256(bytes);
  return crypto::to_hex(crypto::as_bytes(digest));
}

/// "20150830/us-east-1/service/aws4_request".
std::string scope_of(const aws_signing& signing) {
  auto scope = basic_time(signing.at).substr(0, 8);
  return scope.append("/").append(signing.region).append("/").append(signing.service).append("/aws4_request");
}

/// RFC 3986 section 5.2.4, and empty segments go too.
std::string normalized(std::string_view path) {
  std::vector<std::string_view> kept;
  bool open = false; // the path ends behind a slash
  for (std::size_t at = 0; at <= path.size();) {
    const auto end = std::min(path.find('/', at), path.size());
    const auto segment = path.substr(at, end - at);
    open = segment.empty() || segment == "." || segment == "..";
    if (segment == ".." && !kept.empty()) {
      kept.pop_back();
    } else if (!open) {
      kept.push_back(segment);
    }
    at = end + 1;
  }
  std::string made;
  for (const auto segment : kept) {
    made.append("/").append(segment);
  }
  return open ? made + "/" : made;
}

std::string canonical_path(std::string_view path, bool normalize) {
  const auto as_sent = normalize ? normalized(path) : std::string{path};
  std::string made;
  for (const char c : as_sent) {
    if (c == '/') {
      made += c;
    } else {
      append_percent_encoded(made, {&c, 1});
    }
  }
  return made.empty() ? "/" : made;
}

std::string encoded(std::string_view text) {
  std::string made;
  append_percent_encoded(made, text);
  return made;
}

std::string canonical_query(std::string_view query) {
  std::vector<std::pair<std::string, std::string>> parameters;
  while (!query.empty()) {
    const auto end = std::min(query.find('&'), query.size());
    const auto parameter = query.substr(0, end);
    const auto equals = std::min(parameter.find('='), parameter.size());
    if (!parameter.empty()) {
      parameters.emplace_back(
          encoded(percent_decoded(parameter.substr(0, equals))),
          encoded(percent_decoded(parameter.substr(std::min(equals + 1, parameter.size())))));
    }
    query.remove_prefix(std::min(end + 1, query.size()));
  }
  std::ranges::sort(parameters);
  std::string made;
  for (const auto& [name, value] : parameters) {
    made.append(made.empty() ? "" : "&").append(name).append("=").append(value);
  }
  return made;
}

/// Without white space at its ends, every run of it inside one space: folded lines become one.
std::string canonical_value(std::string_view value) {
  constexpr std::string_view white = " \t\r\n";
  std::string made;
  while (true) {
    value.remove_prefix(std::min(value.find_first_not_of(white), value.size()));
    if (value.empty()) {
      return made;
    }
    const auto end = std::min(value.find_first_of(white), value.size());
    made.append(made.empty() ? "" : " ").append(value.substr(0, end));
    value.remove_prefix(end);
  }
}

struct canonical_headers {
  std::string lines;
  std::string names; ///< "host;x-amz-date"
};

canonical_headers canonical(const std::vector<std::pair<std::string, std::string>>& headers) {
  std::map<std::string, std::string> sorted;
  for (const auto& [name, value] : headers) {
    auto lower = name;
    core::make_lower(lower);
    const auto [found, is_first] = sorted.try_emplace(lower, canonical_value(value));
    if (!is_first) {
      found->second.append(",").append(canonical_value(value));
    }
  }
  canonical_headers made;
  for (const auto& [name, value] : sorted) {
    made.lines.append(name).append(":").append(value).append("\n");
    made.names.append(made.names.empty() ? "" : ";").append(name);
  }
  return made;
}

std::string signing_key(std::string_view secret, const aws_signing& signing) {
  std::string key = "AWS4";
  key += secret;
  const auto day = basic_time(signing.at).substr(0, 8);
  for (const std::string_view part :
       {std::string_view{day}, signing.region, signing.service, std::string_view{"aws4_request"}}) {
    const auto next = crypto::hmac_sha256(key, part);
    key = crypto::as_bytes(next);
  }
  return key;
}

aws_signature signature_of(const aws_request& request, const canonical_headers& headers,
                           std::string_view query, const aws_credentials& credentials,
                           const aws_signing& signing) {
  aws_signature made;
  made.canonical_request.append(request.method)
      .append("\n")
      .append(canonical_path(request.path, signing.normalize_path))
      .append("\n")
      .append(canonical_query(query))
      .append("\n")
      .append(headers.lines)
      .append("\n")
      .append(headers.names)
      .append("\n")
      .append(hash_of(request.body));
  made.string_to_sign.append(algorithm)
      .append("\n")
      .append(basic_time(signing.at))
      .append("\n")
      .append(scope_of(signing))
      .append("\n")
      .append(hash_of(made.canonical_request));
  const auto proof =
      crypto::hmac_sha256(signing_key(credentials.secret_access_key, signing), made.string_to_sign);
  made.value = crypto::to_hex(crypto::as_bytes(proof));
  return made;
}

} // namespace

aws_signed_headers sign_in_headers(aws_request request, const aws_credentials& credentials,
                                   const aws_signing& signing) {
  std::vector<std::pair<std::string, std::string>> added;
  if (!credentials.session_token.empty()) {
    added.emplace_back("X-Amz-Security-Token", credentials.session_token);
  }
  added.emplace_back("X-Amz-Date", basic_time(signing.at));
  if (signing.name_body) {
    added.emplace_back("X-Amz-Content-Sha256", hash_of(request.body));
  }
  aws_signed_headers made;
  for (const auto& [name, value] : added) {
    made.lines.push_back(name + ": " + value);
    if (signing.sign_token || name != "X-Amz-Security-Token") {
      request.headers.emplace_back(name, value);
    }
  }
  const auto headers = canonical(request.headers);
  made.signature = signature_of(request, headers, request.query, credentials, signing);
  made.lines.push_back("Authorization: " + std::string{algorithm} + " Credential=" + credentials.access_key_id
                       + "/" + scope_of(signing) + ", SignedHeaders=" + headers.names
                       + ", Signature=" + made.signature.value);
  return made;
}

aws_signed_query sign_in_query(const aws_request& request, const aws_credentials& credentials,
                               const aws_signing& signing, std::chrono::seconds lifetime) {
  const auto headers = canonical(request.headers);
  std::string query{request.query};
  const auto add = [&query](std::string_view name, std::string_view value) {
    query.append(query.empty() ? "" : "&").append(name).append("=").append(encoded(value));
  };
  add("X-Amz-Algorithm", algorithm);
  add("X-Amz-Credential", credentials.access_key_id + "/" + scope_of(signing));
  add("X-Amz-Date", basic_time(signing.at));
  add("X-Amz-SignedHeaders", headers.names);
  add("X-Amz-Expires", std::to_string(lifetime.count()));
  aws_signed_query made;
  const auto add_token = [&](bool now) {
    if (now && !credentials.session_token.empty()) {
      add("X-Amz-Security-Token", credentials.session_token);
    }
  };
  add_token(signing.sign_token);
  made.signature = signature_of(request, headers, query, credentials, signing);
  add_token(!signing.sign_token);
  add("X-Amz-Signature", made.signature.value);
  made.query = std::move(query);
  return made;
}

} // namespace sluice::providers
