#include "providers/smtp_reply.hpp"

#include "providers/enhanced_status.hpp"
#include "providers/submission_answer.hpp"

#include <optional>
#include <string_view>

namespace sluice::providers {

namespace {

using core::rejection_cause;

/// The last reply, taken apart.
struct last_reply {
  int code = 0;
  std::string_view command;
  std::optional<enhanced_status> status; ///< where its class is the code's own
};

last_reply read_last(const core::http_answer& answer) {
  last_reply made{.code = answer.status, .command = {}, .status = {}};
  if (answer.headers.empty())
    return made;
  const std::string_view text = answer.headers.back().second;
  made.command = answer.headers.back().first;
  if (text.size() > 4)
    made.status = read_enhanced_status(text.substr(4));
  if (made.status && made.status->kind != made.code / 100)
    made.status.reset();
  return made;
}

bool concerns_login(int code) noexcept {
  return code == 530 || code == 534 || code == 535 || code == 538; // RFC 4954 section 6
}

/// Of X.7.z: the account's credentials and limits, and what authenticates the sending domain (RFC 7372,
/// RFC 5248's registry).
bool concerns_account(int detail) noexcept {
  return detail == 8 || detail == 9 || detail == 14 || (detail >= 20 && detail <= 27);
}

bool message_was_sent(std::string_view command) noexcept {
  return command == "message" || command == "data";
}

rejection_cause cause_by_code(const last_reply& reply) noexcept {
  if (message_was_sent(reply.command))
    return rejection_cause::message;
  const bool of_mailbox = reply.code >= 550 && reply.code <= 553;
  return reply.command == "rcpt" && of_mailbox ? rejection_cause::recipient : rejection_cause::provider;
}

rejection_cause cause_of(const last_reply& reply) noexcept {
  if (concerns_login(reply.code))
    return rejection_cause::provider;
  if (!reply.status)
    return cause_by_code(reply);
  const auto [kind, subject, detail] = *reply.status;
  if ((subject == 2 && detail == 3) || (subject == 3 && detail == 4) || subject == 6)
    return rejection_cause::message;
  const bool envelope_known = reply.command == "rcpt" || message_was_sent(reply.command);
  if (!envelope_known)
    return rejection_cause::provider;
  const bool bad_address = subject == 1 && (detail <= 3 || detail == 6 || detail == 10) && detail != 0;
  if (bad_address || subject == 2)
    return rejection_cause::recipient;
  if (subject == 7 && message_was_sent(reply.command) && !concerns_account(detail))
    return rejection_cause::message;
  return subject == 0 || (subject == 1 && detail == 0) ? cause_by_code(reply) : rejection_cause::provider;
}

std::string class_of(const last_reply& reply) {
  return "smtp_" + (reply.status ? to_string(*reply.status) : std::to_string(reply.code));
}

std::string sentence_of(const last_reply& reply) {
  std::string made{"the mail server answered "};
  made += std::to_string(reply.code);
  if (reply.status)
    made += ' ' + to_string(*reply.status);
  return made + " to " + (reply.command.empty() ? "the session" : std::string{reply.command});
}

} // namespace

core::submission read_smtp_replies(const core::http_answer& answer, std::string message_id) {
  if (answer.error != core::call_error::none)
    return submission_without_answer(answer);
  const auto reply = read_last(answer);
  if (reply.code >= 200 && reply.code <= 299 && reply.command == "message")
    return accepted(std::move(message_id));
  if (reply.code >= 400 && reply.code <= 499)
    return retryable(class_of(reply), sentence_of(reply));
  if (reply.code < 500 || reply.code > 599)
    return ambiguous("smtp_unread", "the mail server gave no reply that settles what became of the message");
  auto made = rejected(cause_of(reply), class_of(reply), sentence_of(reply));
  if (made.cause == rejection_cause::recipient && reply.status && means_no_mailbox(*reply.status))
    made.retires = core::suppression_reason::hard_bounce;
  return made;
}

} // namespace sluice::providers
