#pragma once

#include "core/http.hpp"
#include "core/time.hpp"

#include <chrono>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sluice::providers {

struct aws_credentials {
  std::string access_key_id;
  std::string secret_access_key;
  std::string session_token; ///< of temporary credentials; empty: none
};

/// What a signature is for, and how the service wants it made.
struct aws_signing {
  std::string_view region;  ///< "eu-central-1"
  std::string_view service; ///< "ses"
  core::timestamp at{};
  bool normalize_path = true; ///< dot segments and doubled slashes go; S3 alone wants them kept
  bool sign_token = true;     ///< some services want the session token beside the signature, not under it
  bool name_body = false;     ///< X-Amz-Content-Sha256 goes along and is signed
};

/// A request as it will be sent. `path` and `query` are the bytes of its target, already encoded; all of
/// `headers` are signed, so "host" has to be among them.
struct aws_request {
  std::string_view method;
  std::string_view path;
  std::string_view query;
  std::vector<std::pair<std::string, std::string>> headers;
  std::string_view body;
};

/// A signature with the texts it was made of.
struct aws_signature {
  std::string canonical_request;
  std::string string_to_sign;
  std::string value; ///< lower-case hexadecimal
};

struct aws_signed_headers {
  aws_signature signature;
  core::header_lines lines; ///< to be added to the request's own: the token, the date, the authorization
};

struct aws_signed_query {
  aws_signature signature;
  std::string query; ///< to be sent in place of the request's
};

/// AWS Signature Version 4 ("Create a signed AWS API request", IAM User Guide), in the Authorization header.
[[nodiscard]] aws_signed_headers sign_in_headers(aws_request request, const aws_credentials& credentials,
                                                 const aws_signing& signing);

/// The same in the query ("presigned"), good for `lifetime` from signing.at.
[[nodiscard]] aws_signed_query sign_in_query(const aws_request& request, const aws_credentials& credentials,
                                             const aws_signing& signing, std::chrono::seconds lifetime);

} // namespace sluice::providers
