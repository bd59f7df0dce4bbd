#include "providers/twilio_errors.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace sluice::providers {

namespace {

using enum core::submission_kind;
using enum core::rejection_cause;

/// Sorted by code. The codes from 30000 on arrive in callbacks; what an answer with one would mean is here
/// too.
constexpr std::array table{
    twilio_error{20003, rejected, provider, "the credentials were refused"},
    twilio_error{20005, rejected, provider, "the account is not active"},
    twilio_error{20006, rejected, provider, "the credentials may not do this"},
    twilio_error{20008, rejected, provider, "test credentials may not do this"},
    twilio_error{20404, rejected, provider, "there is no such account or resource"},
    twilio_error{20429, retryable, provider, "too many requests at a time"},
    twilio_error{21211, rejected, recipient, "the recipient's number is not valid"},
    twilio_error{21212, rejected, provider, "the sender is not valid"},
    twilio_error{21265, rejected, recipient, "the recipient's number is a short code"},
    twilio_error{21408, rejected, provider, "the account has no permission for the recipient's region"},
    twilio_error{21601, rejected, provider, "the sender cannot send SMS"},
    twilio_error{21602, rejected, message, "the message has no body"},
    twilio_error{21603, rejected, provider, "a sender is required"},
    twilio_error{21604, rejected, recipient, "a recipient is required"},
    twilio_error{21605, rejected, message, "the body is too long"},
    twilio_error{21606, rejected, provider, "the sender is not the account's, or cannot reach the recipient"},
    twilio_error{21608, rejected, provider, "a trial account may send to verified numbers only"},
    twilio_error{21609, rejected, provider, "the address for callbacks is not valid"},
    twilio_error{21610, rejected, recipient, "the recipient has unsubscribed",
                 core::suppression_reason::unsubscribed},
    twilio_error{21611, retryable, provider, "the sender's queue is full"},
    twilio_error{21612, rejected, provider, "this sender cannot reach the recipient"},
    twilio_error{21614, rejected, recipient, "the recipient's number is no mobile number"},
    twilio_error{21617, rejected, message, "the body is over 1,600 characters"},
    twilio_error{21618, rejected, message, "the body cannot be sent"},
    twilio_error{21619, rejected, message, "the message has neither body nor media"},
    twilio_error{21659, rejected, provider, "the sender is no number or short code of Twilio's"},
    twilio_error{21660, rejected, provider, "the sender belongs to another account"},
    twilio_error{21661, rejected, provider, "the sender cannot send SMS"},
    twilio_error{21701, rejected, provider, "there is no such messaging service"},
    twilio_error{21703, rejected, provider, "the messaging service has no sender for the recipient"},
    twilio_error{21704, rejected, provider, "the messaging service has no senders"},
    twilio_error{21705, rejected, provider, "the messaging service's id is not valid"},
    twilio_error{21730, retryable, provider, "the system is under maintenance"},
    twilio_error{30001, retryable, provider, "the queue overflowed"},
    twilio_error{30002, rejected, provider, "the account is suspended"},
    twilio_error{30003, rejected, recipient, "the handset cannot be reached"},
    twilio_error{30004, rejected, recipient, "the message is blocked"},
    twilio_error{30005, rejected, recipient, "the handset is unknown and may no longer exist"},
    twilio_error{30006, rejected, recipient, "a landline, or a carrier that cannot be reached"},
    twilio_error{30007, rejected, message, "the message was filtered"},
    twilio_error{30008, rejected, provider, "an error the carrier did not explain"},
    twilio_error{30010, rejected, provider, "the price is over the highest allowed"},
    twilio_error{30017, retryable, provider, "the carrier's network is congested"},
    twilio_error{30018, rejected, provider, "the carrier wants the sender registered before"},
    twilio_error{30019, rejected, message, "the content is over the carrier's limit"},
    twilio_error{30022, retryable, provider, "the carrier's rate limit was exceeded"},
    twilio_error{30023, rejected, provider, "the carrier's daily limit was reached"},
    twilio_error{30024, rejected, provider, "the numeric sender is not provisioned at the carrier"},
    twilio_error{30027, rejected, provider, "the carrier's daily limit was reached"},
    twilio_error{30032, rejected, provider, "the toll-free sender is not verified"},
    twilio_error{30033, rejected, provider, "the sender's campaign is suspended"},
    twilio_error{30034, rejected, provider, "the sender is not registered for a campaign"},
    twilio_error{30035, rejected, provider, "the sender's registration is pending"},
    twilio_error{30036, rejected, message, "the validity period ended before it was sent"},
    twilio_error{30038, rejected, message, "a one-time password was filtered"},
    twilio_error{30410, rejected, provider, "the carrier did not answer in time"},
    twilio_error{30450, rejected, provider, "the message was blocked as suspected fraud"},
};
static_assert(std::ranges::is_sorted(table, {}, &twilio_error::code));

} // namespace

const twilio_error* find_twilio_error(int code) noexcept {
  const auto* found = std::ranges::lower_bound(table, code, {}, &twilio_error::code);
  return found != table.end() && found->code == code ? found : nullptr;
}

std::string describe_twilio_error(int code) {
  if (code == 0)
    return {};
  auto text = "Twilio error " + std::to_string(code);
  if (const auto* known = find_twilio_error(code))
    text.append(": ").append(known->sentence);
  return text;
}

int parse_twilio_error(std::string_view text) noexcept {
  int code = 0;
  const auto* end = text.data() + text.size();
  const auto [stop, fault] = std::from_chars(text.data(), end, code);
  return fault == std::errc{} && stop == end && code > 0 ? code : 0;
}

} // namespace sluice::providers
