#pragma once

#include "api/http_message.hpp"
#include "api/problem.hpp"

#include <optional>
#include <string>

/// Requests that name themselves by an `Idempotency-Key`, so that a client that lost an answer may ask again
/// without having anything done twice.
namespace sluice::api {

/// Whether it asks for that: an act with a key.
[[nodiscard]] bool may_be_repetition(const request& asked);

/// What is wrong with its key.
[[nodiscard]] std::optional<problem> faulty_key(const request& asked);

/// Of the caller, the method, the path and the key: nobody comes upon another's answers.
[[nodiscard]] std::string key_digest(const request& asked);
/// Of the query and the body.
[[nodiscard]] std::string request_digest(const request& asked);

/// An answer as it is kept, and back; nothing where the text is none.
[[nodiscard]] std::string kept_text(const response& answer);
[[nodiscard]] std::optional<response> kept_response(const std::string& text);

[[nodiscard]] problem repeated_too_early();
[[nodiscard]] problem key_of_another_request();

} // namespace sluice::api
