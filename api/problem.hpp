#pragma once

#include "api/http_message.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sluice::api {

/// Why a request was not served (RFC 9457). docs/api.md lists the kinds.
struct problem {
  int status = 500;
  std::string kind;   ///< stable word: "not_found"; the type is urn:sluice:problem:KIND
  std::string title;  ///< what went wrong, the same for every problem of the kind
  std::string detail; ///< why, and what is allowed
  nlohmann::ordered_json members = nlohmann::ordered_json::object(); ///< what else a program can use
  std::vector<std::pair<std::string, std::string>> headers;          ///< of the answer
};

[[nodiscard]] response as_response(const problem& what);

[[nodiscard]] problem bad_request(std::string detail);
[[nodiscard]] problem unauthorized(std::string detail);
[[nodiscard]] problem forbidden(std::string detail);
[[nodiscard]] problem not_found(std::string detail);
[[nodiscard]] problem conflict(std::string detail);
[[nodiscard]] problem invalid_member(std::string_view member, std::string detail); ///< 422
[[nodiscard]] problem unavailable(std::string detail);
[[nodiscard]] problem not_answered();

} // namespace sluice::api
