#include "providers/answer_id.hpp"
#include "providers/webhook_adapter.hpp"
#include "providers/webhook_signature.hpp"
#include "tests/fuzz/promises.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>

using namespace sluice;
using tests::is_clean;
using tests::require;

namespace {

constexpr std::string_view settings = R"({"url": "https://receiver.example/send",
  "status": {"url": "https://receiver.example/messages/{id}"},
  "callback": {"id": "/data/id", "state": "/data/state", "states": {"gone": "bounced"},
               "suppressing": {"gone": "hard_bounce"}}})";
constexpr std::string_view secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const core::timestamp now{std::chrono::seconds{1796072112}};

std::shared_ptr<const providers::notification_adapter> make_adapter() {
  core::provider_profile profile;
  profile.settings = settings;
  profile.credentials = R"({"secrets": [")" + std::string{secret} + R"("]})";
  auto made = providers::make_webhook_adapter(profile, {});
  return made ? *made : nullptr;
}

void check(const core::provider_event& event) {
  require(!event.provider_message_id.empty() || !event.attempt_id.empty());
  require(providers::fault_of_remote_id(event.provider_message_id).empty()
          || event.provider_message_id.empty());
  require(is_clean(event.provider_type) && is_clean(event.event_id) && event.detail.empty());
  require(!event.suppresses || event.provider_type == "gone");
}

/// The callback with these headers; a genuine signature where the bytes are signed.
core::callback_request callback_of(std::string_view text, bool is_signed) {
  core::callback_request made{
      .method = "POST", .path_and_query = "/", .headers = {}, .body = std::string{text}};
  made.headers.emplace_back("content-type", "application/json; charset=utf-8");
  const auto lines = providers::sign_webhook("evt", text, {{std::string{secret}, std::nullopt}}, now).value();
  for (const auto& line : lines) {
    const auto colon = line.find(':');
    made.headers.emplace_back(line.substr(0, colon), line.substr(colon + 2));
  }
  if (!is_signed) {
    made.headers.back().second = text;
    made.headers[1].second = text.substr(0, 80);
  }
  return made;
}

} // namespace

/// Any callback and any answer is read without an exception; only what is signed has events, and those keep
/// their promises.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto adapter = make_adapter();
  require(adapter != nullptr);
  const std::string_view text{reinterpret_cast<const char*>(data), size};
  const auto genuine = adapter->verify(callback_of(text, true), {}, now);
  if (const auto* verified = std::get_if<providers::verified_callback>(&genuine)) {
    require(verified->events.size() == 1 && verified->confirm_url.empty());
    check(verified->events.front());
  }
  require(std::holds_alternative<core::callback_refusal>(adapter->verify(callback_of(text, false), {}, now)));
  core::http_answer answer;
  answer.status = 200;
  answer.body = text;
  const auto taken = adapter->read({}, answer, now);
  require(taken.kind == core::submission_kind::accepted && is_clean(taken.provider_message_id));
  providers::status_question question;
  question.attempt_id = "a";
  const auto said = adapter->read_status(question, answer);
  require((said.kind == providers::status_answer::verdict::known) == !said.events.empty());
  return 0;
}
