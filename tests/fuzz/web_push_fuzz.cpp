#include "core/notification.hpp"
#include "core/payload.hpp"
#include "providers/apns_answer.hpp"
#include "providers/visible_text.hpp"
#include "providers/web_push_adapter.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

using namespace sluice;

namespace {

constexpr core::timestamp now{std::chrono::seconds{1'700'000'000}};

void require(bool holds) {
  if (!holds) {
    std::abort();
  }
}

std::shared_ptr<const providers::notification_adapter> make_adapter() {
  core::provider_profile profile;
  profile.settings = R"({"subject": "mailto:push@example.com"})";
  profile.credentials = R"({"private_key": "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"})";
  auto made = providers::make_web_push_adapter(profile, {});
  return made ? *made : nullptr;
}

bool is_clean(std::string_view text) {
  while (!text.empty()) {
    const auto length = providers::utf8_sequence_length(text);
    if (length == 0 || providers::is_control(text.substr(0, length))) {
      return false;
    }
    text.remove_prefix(length);
  }
  return true;
}

/// The promises of core::submission.
void check(const core::submission& made) {
  const bool accepted = made.kind == core::submission_kind::accepted;
  require(accepted || made.provider_message_id.empty());
  require(made.cause.has_value() == (made.kind == core::submission_kind::rejected));
  require(!made.retires || made.cause == core::rejection_cause::recipient);
  require(!made.retired_at || made.retires);
  require(made.error.empty() == accepted && made.error_class.empty() == accepted);
  require(is_clean(made.provider_message_id) && is_clean(made.error) && is_clean(made.error_class));
  require(made.error.size() <= core::submission_error_bytes_max);
}

core::http_answer answer_from(std::uint8_t which, std::uint8_t error, std::string_view rest) {
  constexpr std::array statuses{0, 200, 201, 202, 301, 400, 401, 403, 404, 410, 413, 429, 500, 502, 503, 999};
  core::http_answer answer;
  answer.status = statuses[which % statuses.size()];
  answer.error = static_cast<core::call_error>(error % 7);
  answer.body = rest;
  answer.location = rest;
  answer.retry_after = rest.substr(0, 64);
  answer.headers.emplace_back("apns-id", rest);
  return answer;
}

/// The bytes themselves, or a subscription that is good but for the endpoint they are.
std::string address_from(std::uint8_t which, std::string_view rest) {
  if (which < 128) {
    return std::string{rest};
  }
  std::string json =
      R"({"keys": {"p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZ)"
      R"(GH6SRpkNtoIAiw4", "auth": "BTBZMqHH6r4Tts7J_aSIgg"}, "endpoint": )";
  core::append_json_string(json, "https://" + std::string{rest});
  return json + '}';
}

void check_request(const core::http_request& request) {
  require(request.url.starts_with("https://") && request.body.size() <= 4096);
  for (const auto& line : request.headers) {
    require(std::ranges::all_of(line, [](char c) { return c >= ' ' && c <= '~'; }));
  }
}

} // namespace

/// Any text as a browser's subscription is sent to or refused, any answer of a push service read, and what
/// comes out keeps what it promises.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto adapter = make_adapter();
  require(adapter != nullptr);
  if (size < 2) {
    return 0;
  }
  const std::string_view rest{reinterpret_cast<const char*>(data + 2), size - 2};
  core::submission_order order;
  order.attempt_id = "0190b5c0-7e1a-7c3d-9f00-123456789abc";
  order.contact = {core::contact_kind::web_push, address_from(data[0], rest)};
  order.content.title = "t";
  order.content.collapse_key = rest.substr(0, 100);

  const auto faults = adapter->faults_of(order);
  const auto request = adapter->build(order, now, "");
  require(request.has_value() == faults.empty());
  if (request) {
    check_request(*request);
  } else {
    check(request.error());
  }
  const auto answer = answer_from(data[0], data[1], rest);
  check(adapter->read(order, answer, now));
  check(providers::read_apns_answer(order.attempt_id, answer, now));
  return 0;
}
