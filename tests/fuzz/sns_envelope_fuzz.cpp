#include "core/outside_address.hpp"
#include "providers/ses_adapter.hpp"
#include "providers/ses_event.hpp"
#include "providers/sns_address.hpp"
#include "providers/sns_message.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

using namespace sluice;

namespace {

void require(bool holds) {
  if (!holds) {
    std::abort();
  }
}

const providers::notification_adapter& adapter() {
  static const auto made = [] {
    core::provider_profile profile;
    profile.settings = R"({"region": "eu-central-1", "from": "a@example.com",
                           "topics": ["arn:aws:sns:eu-central-1:123456789012:t"]})";
    profile.credentials = R"({"access_key_id": "a", "secret_access_key": "s3cret"})";
    return providers::make_ses_adapter(profile, {}).value();
  }();
  return *made;
}

/// What is asked for or confirmed is at SNS, as our own reading of URLs sees it too.
void check_address(std::string_view url) {
  const auto split = core::parse_outside_url(url);
  require(split && split->https && split->port.empty() && split->host.starts_with("sns."));
  require(split->host.ends_with(".amazonaws.com") || split->host.ends_with(".amazonaws.com.cn"));
}

void check_events(std::string_view text) {
  const auto events = providers::read_ses_events(text, "id", core::timestamp{});
  require(!events || events->size() <= 50);
  if (events) {
    for (const auto& event : *events) {
      require(!event.provider_message_id.empty() || !event.attempt_id.empty());
      require(event.detail.find('@') == std::string::npos && event.provider_type.size() <= 64);
    }
  }
}

} // namespace

/// Any callback gets a verdict without an exception, and nobody without SNS's key is believed.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text{reinterpret_cast<const char*>(data), size};
  core::callback_request callback;
  callback.method = "POST";
  callback.headers = {{"content-type", "text/plain"}};
  callback.body = text;
  const auto nothing = [](std::string_view url) -> std::optional<std::string> {
    check_address(url);
    return std::nullopt;
  };
  const auto garbage = [&](std::string_view) -> std::optional<std::string> { return std::string{text}; };
  const auto now = core::from_us(1'780'315'200'000'000); // 2026-06-01T12:00:00Z
  require(!std::holds_alternative<providers::verified_callback>(adapter().verify(callback, nothing, now)));
  require(!std::holds_alternative<providers::verified_callback>(adapter().verify(callback, garbage, now)));
  if (const auto read = providers::parse_sns_message(callback)) {
    require(providers::sns_string_to_sign(*read).starts_with("Message\n"));
    if (providers::is_confirmation_address(read->subscribe_url, read->topic, read->token)) {
      check_address(read->subscribe_url);
    }
  }
  if (providers::is_certificate_address(text)) {
    check_address(text);
  }
  check_events(text);
  return 0;
}
