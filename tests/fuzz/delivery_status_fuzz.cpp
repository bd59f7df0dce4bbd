#include "providers/delivery_status.hpp"
#include "tests/fuzz/promises.hpp"

#include <cstdint>
#include <string>
#include <string_view>

using namespace sluice;
using tests::is_clean;
using tests::require;

namespace {

constexpr std::string_view domain = "sender.example";
constexpr std::string_view attempt = "0193a8f2-7c1b-7d3e-8f40-123456789abc";

void check(std::string_view mail) {
  const auto events = providers::read_bounce_report(mail, domain);
  if (!events) {
    require(!events.error().reason.empty() && is_clean(events.error().reason));
    return;
  }
  require(!events->empty() && events->size() <= providers::delivery_status_recipients_max);
  for (const auto& event : *events) {
    require(event.attempt_id.size() == attempt.size());
    require(event.provider_message_id == event.attempt_id + "@" + std::string{domain});
    require(is_clean(event.provider_type) && is_clean(event.detail) && event.detail.size() < 200);
    require(!event.suppresses || event.type == core::provider_event_type::bounced);
  }
}

} // namespace

/// Any mail is read without an exception, as it is and as the status part of a report that knows an attempt.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text{reinterpret_cast<const char*>(data), size};
  check(text);
  std::string report{
      "Content-Type: multipart/report; boundary=b\n\n--b\nContent-Type: message/delivery-status\n\n"};
  report.append(text).append("\n--b\nContent-Type: text/rfc822-headers\n\nMessage-ID: <").append(attempt);
  report.append("@").append(domain).append(">\n\n--b--\n");
  check(report);
  return 0;
}
