#pragma once

#include "core/notification.hpp"
#include "core/payload.hpp"
#include "providers/notification_adapter.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::providers::testing {

/// RFC 8291 section 5: the browser's subscription, and the keys its example draws.
inline constexpr std::string_view browser_private = "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94";
inline constexpr std::string_view browser_public =
    "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4";
inline constexpr std::string_view browser_secret = "BTBZMqHH6r4Tts7J_aSIgg";

inline std::string subscription_json(std::string_view endpoint = "https://push.example.net/p/JzLQ3raZJfFB",
                                     std::string_view public_key = browser_public,
                                     std::string_view secret = browser_secret) {
  std::string json = R"({"endpoint":)";
  core::append_json_string(json, endpoint);
  json += R"(,"expirationTime":null,"keys":{"p256dh":)";
  core::append_json_string(json, public_key);
  json += R"(,"auth":)";
  core::append_json_string(json, secret);
  return json + "}}";
}

inline constexpr core::timestamp push_now = core::timestamp{std::chrono::seconds{1'700'000'000}};

inline core::submission_order order_to(core::contact_kind kind, std::string address) {
  core::submission_order order;
  order.attempt_id = "0190b5c0-7e1a-7c3d-9f00-123456789abc";
  order.notification_id = "0190b5c0-7e19-7aaa-8f00-abcdefabcdef";
  order.contact = {kind, std::move(address)};
  order.content.title = "Dispatched";
  order.content.text = "Your parcel is on its way";
  return order;
}

inline core::http_answer answered(int status, std::string body = {}) {
  core::http_answer answer;
  answer.status = status;
  answer.body = std::move(body);
  answer.ended_at = push_now;
  return answer;
}

inline core::http_answer unanswered(core::call_error error) {
  core::http_answer answer;
  answer.error = error;
  return answer;
}

inline bool has_line(const core::http_request& request, std::string_view line) {
  return std::ranges::count(request.headers, line) == 1;
}

/// The header's value, or a text no header has.
inline std::string value_of(const core::http_request& request, std::string_view name) {
  const auto start = std::string{name} + ": ";
  for (const auto& line : request.headers) {
    if (line.starts_with(start)) {
      return line.substr(start.size());
    }
  }
  return "(none)";
}

/// The invariants core::submission states.
inline void check_invariants(const core::submission& made) {
  const bool accepted = made.kind == core::submission_kind::accepted;
  CHECK((accepted || made.provider_message_id.empty()));
  CHECK(made.cause.has_value() == (made.kind == core::submission_kind::rejected));
  CHECK((!made.retires || made.cause == core::rejection_cause::recipient));
  CHECK((!made.retired_at || made.retires));
  CHECK(made.error.empty() == accepted);
  CHECK(made.error_class.empty() == accepted);
  CHECK(made.error.size() <= core::submission_error_bytes_max);
}

} // namespace sluice::providers::testing
