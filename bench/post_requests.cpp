#include "bench/post_requests.hpp"

#include "bench/records.hpp"
#include "core/payload.hpp"
#include "crypto/digest.hpp"
#include "crypto/encoding.hpp"
#include "providers/webhook_signature.hpp"

#include <array>
#include <chrono>
#include <cstdio>
#include <string_view>
#include <utility>

namespace sluice::bench {
namespace {

using header_lines = std::vector<std::string>;

std::string request_text(std::string_view path, const header_lines& headers, std::string_view body) {
  std::string text{"POST "};
  text.append(path).append(" HTTP/1.1\r\nHost: bench\r\n");
  for (const auto& line : headers)
    text.append(line).append("\r\n");
  text += "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n";
  return text.append(body);
}

std::string callback_path(const callback_plan& plan) {
  return "/v1/callbacks/" + plan.profile;
}

std::string_view state_of(std::uint64_t number, const callback_plan& plan) {
  return number % plan.events_each == 0 ? "sent" : "delivered";
}

/// What a receiver of one's own might tell: the four members that are read, and what else it knows.
std::string webhook_body(std::uint64_t number, const callback_plan& plan, std::int64_t seconds) {
  const auto message = number / plan.events_each;
  return R"({"type":"message.status","id":")" + message_id(message) + R"(","state":")"
         + std::string(state_of(number, plan)) + R"(","time":)" + std::to_string(seconds)
         + R"(,"account":"bench","channel":"sms","recipient":"+1415555)"
         + std::to_string(1000 + message % 9000)
         + R"(","carrier":{"name":"Example Mobile","country":"US"},"parts":1,"price":{"amount":"0.0079",)"
         + R"("currency":"USD"},"details":"Delivered to the handset."})";
}

/// A form, and what Twilio signs of it: the fields' names and values in the names' order.
struct signed_form {
  std::string body;
  std::string text;
};

/// Of the values the telephone numbers alone need an encoding: that of their plus.
signed_form twilio_form(std::uint64_t number, const callback_plan& plan) {
  const auto message = number / plan.events_each;
  const auto sid = message_id(message);
  const auto state = std::string(state_of(number, plan));
  const std::array<std::pair<std::string_view, std::string>, 8> fields{
      {{"AccountSid", "AC00000000000000000000000000000001"},
       {"ApiVersion", "2010-04-01"},
       {"From", "+14155550100"},
       {"MessageSid", sid},
       {"MessageStatus", state},
       {"SmsSid", sid},
       {"SmsStatus", state},
       {"To", "+1415555" + std::to_string(1000 + message % 9000)}}};
  signed_form form;
  for (const auto& [name, value] : fields) {
    form.text.append(name).append(value);
    form.body.append(form.body.empty() ? "" : "&").append(name).append("=");
    form.body += value.starts_with('+') ? "%2B" + value.substr(1) : value;
  }
  return form;
}

} // namespace

std::string message_id(std::uint64_t number) {
  std::array<char, 48> text{};
  const int length =
      std::snprintf(text.data(), text.size(), "SM%032llu", static_cast<unsigned long long>(number + 1));
  return {text.data(), static_cast<std::size_t>(length)};
}

std::vector<std::string> webhook_callbacks(const callback_plan& plan, number_range range,
                                           core::timestamp now) {
  const auto path = callback_path(plan);
  const auto seconds = std::chrono::floor<std::chrono::seconds>(now).time_since_epoch().count();
  const std::vector<core::signing_secret> secrets{{plan.secret, std::nullopt}};
  std::vector<std::string> made;
  made.reserve(range.count);
  for (auto number = range.first; number < range.first + range.count; ++number) {
    const auto body = webhook_body(number, plan, seconds);
    auto headers = providers::sign_webhook("evt_" + std::to_string(number), body, secrets, now);
    if (!headers)
      return {};
    headers->push_back("Content-Type: application/json");
    made.push_back(request_text(path, *headers, body));
  }
  return made;
}

std::vector<std::string> twilio_callbacks(const callback_plan& plan, number_range range) {
  const auto path = callback_path(plan);
  std::vector<std::string> made;
  made.reserve(range.count);
  for (auto number = range.first; number < range.first + range.count; ++number) {
    const auto form = twilio_form(number, plan);
    const auto digest = crypto::hmac_sha1(plan.secret, plan.url + form.text);
    made.push_back(request_text(path,
                                {"X-Twilio-Signature: " + crypto::to_base64(crypto::as_bytes(digest)),
                                 "Content-Type: application/x-www-form-urlencoded"},
                                form.body));
  }
  return made;
}

std::vector<std::string> notifications(const notification_plan& plan, number_range range) {
  std::vector<std::string> made;
  made.reserve(range.count);
  for (auto number = range.first; number < range.first + range.count; ++number) {
    std::string body = R"({"tenant":)";
    core::append_json_string(body, plan.tenant);
    body += R"(,"route":)";
    core::append_json_string(body, plan.route);
    body += R"(,"contact":)";
    core::append_json_string(body, plan.contacts[number % plan.contacts.size()]);
    body += R"(,"text":)";
    core::append_json_string(body, make_record(number).json);
    body += '}';
    made.push_back(request_text("/v1/notifications",
                                {"Authorization: Bearer " + plan.token, "Content-Type: application/json",
                                 "Idempotency-Key: bench-" + std::to_string(number)},
                                body));
  }
  return made;
}

} // namespace sluice::bench
