#include "api/repetition.hpp"

#include "api/senders.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace sluice::api {

namespace {

constexpr std::size_t key_bytes_max = 255;

/// Parts with their lengths, so that no two lists of parts are one text.
void append(std::string& to, const std::string& part) {
  to += std::to_string(part.size()) + ":" + part;
}

} // namespace

bool may_be_repetition(const request& asked) {
  return !asked.idempotency_key.empty() && asked.method != "GET" && asked.method != "HEAD";
}

std::optional<problem> faulty_key(const request& asked) {
  const auto& key = asked.idempotency_key;
  const auto visible = [](char c) { return c >= '!' && c <= '~'; };
  if (key.size() <= key_bytes_max && std::ranges::all_of(key, visible))
    return std::nullopt;
  return bad_request("an Idempotency-Key has 1 to " + std::to_string(key_bytes_max)
                     + " visible ASCII characters without spaces");
}

std::string key_digest(const request& asked) {
  std::string all;
  append(all, asked.who.name);
  append(all, asked.method);
  for (const auto& segment : asked.segments)
    append(all, segment);
  append(all, asked.idempotency_key);
  return token_digest(all);
}

std::string request_digest(const request& asked) {
  std::string all;
  for (const auto& [name, value] : asked.query) {
    append(all, name);
    append(all, value);
  }
  append(all, asked.body);
  return token_digest(all);
}

std::string kept_text(const response& answer) {
  return nlohmann::json{{"status", answer.status},
                        {"type", answer.content_type},
                        {"headers", answer.headers},
                        {"body", answer.body}}
      .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::optional<response> kept_response(const std::string& text) {
  const auto kept = nlohmann::json::parse(text, nullptr, false);
  if (!kept.is_object() || !kept.contains("headers"))
    return std::nullopt;
  response answer;
  answer.status = kept.value("status", 500);
  answer.content_type = kept.value("type", "application/json");
  answer.headers = kept.at("headers").get<std::vector<std::pair<std::string, std::string>>>();
  answer.body = kept.value("body", "");
  answer.headers.emplace_back("Idempotency-Replayed", "true");
  return answer;
}

problem repeated_too_early() {
  return {
      409,
      "conflict",
      "The state does not allow this.",
      "a request with this Idempotency-Key is being served, or its answer was lost: look before asking anew "
      "with another key",
      {},
      {{"Retry-After", "1"}}};
}

problem key_of_another_request() {
  return {422,
          "invalid",
          "A value is not allowed.",
          "this Idempotency-Key was sent with another request; a new request needs a new key",
          {},
          {}};
}

} // namespace sluice::api
