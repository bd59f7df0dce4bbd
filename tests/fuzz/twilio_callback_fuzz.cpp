#include "crypto/digest.hpp"
#include "crypto/encoding.hpp"
#include "providers/twilio_callback.hpp"
#include "providers/twilio_signature.hpp"
#include "providers/visible_text.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <variant>

using namespace sluice;

namespace {

void require(bool holds) {
  if (!holds) {
    std::abort();
  }
}

providers::twilio_settings settings() {
  providers::twilio_settings made;
  made.account_sid = "AC" + std::string(32, '1');
  made.signing_tokens = {"t0ken"};
  made.callback_url = "https://hooks.example.com/p";
  return made;
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

core::callback_request callback_of(std::string type, std::string_view query, std::string_view body) {
  core::callback_request made;
  made.method = "POST";
  made.path_and_query = "/p?" + std::string{query};
  made.headers = {{"content-type", std::move(type)}};
  made.body = body;
  return made;
}

void check(const providers::callback_verdict& verdict) {
  if (const auto* refused = std::get_if<core::callback_refusal>(&verdict)) {
    require(is_clean(refused->reason) && !refused->reason.empty());
    return;
  }
  require(std::holds_alternative<providers::verified_callback>(verdict));
  const auto& genuine = std::get<providers::verified_callback>(verdict);
  require(!genuine.events.empty() && genuine.confirm_url.empty());
  for (const auto& event : genuine.events) {
    require(!event.provider_message_id.empty() || !event.attempt_id.empty());
    require(event.provider_message_id.empty() || providers::is_twilio_message_sid(event.provider_message_id));
    require(is_clean(event.event_id) && is_clean(event.provider_type) && is_clean(event.detail));
  }
}

/// Without a signature nothing is taken; with the right one everything is read.
void check_both_ways(core::callback_request callback, const providers::form_fields& fields) {
  static const auto profile = settings();
  require(
      std::holds_alternative<core::callback_refusal>(providers::verify_twilio_callback(profile, callback)));
  const auto url = profile.callback_url + callback.path_and_query.substr(callback.path_and_query.find('?'));
  callback.headers.emplace_back("x-twilio-signature", providers::twilio_signature("t0ken", url, fields));
  check(providers::verify_twilio_callback(profile, callback));
  callback.headers.back().second[0] ^= 1;
  require(
      std::holds_alternative<core::callback_refusal>(providers::verify_twilio_callback(profile, callback)));
}

} // namespace

/// Any query and body as a form and as JSON: only what is signed is taken, and what comes out is fit to be
/// kept.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text{reinterpret_cast<const char*>(data), size};
  const auto line = std::min(text.find('\n'), text.size());
  const auto query = std::string{text.substr(0, line)};
  const auto body = text.substr(std::min(line + 1, text.size()));
  check_both_ways(callback_of("application/x-www-form-urlencoded", query + "x", body),
                  providers::parse_form(body));
  const auto digest = crypto::sha256(body);
  const auto signed_query = "bodySHA256=" + crypto::to_hex(crypto::as_bytes(digest)) + "&" + query;
  check_both_ways(callback_of("application/json", signed_query, body), {});
  return 0;
}
