#include "providers/delivery_status.hpp"

#include "core/header_field.hpp"
#include "core/letter_case.hpp"
#include "providers/mail_date.hpp"
#include "providers/mime_entity.hpp"
#include "providers/visible_text.hpp"

#include <algorithm>
#include <array>

namespace sluice::providers {

namespace {

using core::provider_event_type;

constexpr std::size_t word_bytes_max = 40;

/// The first word of a value: what comes behind it is a comment or a parameter.
std::string_view first_word(std::string_view value) {
  return value.substr(0, value.find_first_of(" \t(;"));
}

bool is_digit(char c) noexcept {
  return c >= '0' && c <= '9';
}

/// "smtp; 550 5.1.1 …": the code, 0 where there is none.
int reply_code_of(std::string_view diagnostic) {
  const auto semicolon = diagnostic.find(';');
  if (semicolon == std::string_view::npos || !core::equal_header_names(first_word(diagnostic), "smtp"))
    return 0;
  auto text = diagnostic.substr(semicolon + 1);
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  const bool whole = text.size() >= 3 && std::ranges::all_of(text.substr(0, 3), is_digit)
                     && (text.size() == 3 || !is_digit(text[3]));
  return whole ? (text[0] - '0') * 100 + (text[1] - '0') * 10 + (text[2] - '0') : 0;
}

delivery_status_recipient recipient_of(const mail_fields& fields) {
  delivery_status_recipient made;
  made.action = plain_word(first_word(value_of(fields, "action")), word_bytes_max);
  if (made.action.empty())
    made.action = "other";
  core::make_lower(made.action);
  made.status = read_enhanced_status(value_of(fields, "status"));
  made.reply_code = reply_code_of(value_of(fields, "diagnostic-code"));
  made.at = read_mail_date(value_of(fields, "last-attempt-date"));
  return made;
}

/// Groups of fields with empty lines between: the first is the message's, each other one a recipient's
/// (RFC 3464 section 2.1). Some servers leave the line between the first two out.
void read_groups(std::string_view text, delivery_status& made) {
  while (!text.empty() && made.recipients.size() < delivery_status_recipients_max) {
    const auto fields = take_fields(text);
    if (made.envelope_id.empty())
      made.envelope_id = value_of(fields, "original-envelope-id");
    if (!value_of(fields, "action").empty())
      made.recipients.push_back(recipient_of(fields));
  }
}

bool is_status(std::string_view type) {
  return type == "message/delivery-status" || type == "message/global-delivery-status";
}

bool is_returned_message(std::string_view type) {
  static constexpr std::array<std::string_view, 4> types{"message/rfc822", "text/rfc822-headers",
                                                         "message/global", "message/global-headers"};
  return std::ranges::find(types, type) != types.end();
}

/// Without its angle brackets and whatever stands around them.
std::string bare_id(std::string_view value) {
  const auto open = value.find('<');
  if (open == std::string_view::npos)
    return std::string{first_word(value)};
  return std::string{value.substr(open + 1, value.find('>', open) - open - 1)};
}

/// 8-4-4-4-12 hexadecimal digits, as our ids are written.
bool is_uuid(std::string_view text) {
  if (text.size() != 36)
    return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool dash = i == 8 || i == 13 || i == 18 || i == 23;
    const bool hex = is_digit(text[i]) || (text[i] >= 'a' && text[i] <= 'f');
    if (dash ? text[i] != '-' : !hex)
      return false;
  }
  return true;
}

/// Empty where the id is not of our making.
std::string attempt_in(std::string_view id, std::string_view domain) {
  const auto at = id.find('@');
  const bool ours = at != std::string_view::npos && is_uuid(id.substr(0, at))
                    && core::equal_header_names(id.substr(at + 1), domain);
  return ours ? std::string{id.substr(0, at)} : std::string{};
}

provider_event_type type_of(const delivery_status_recipient& recipient) {
  if (recipient.action == "failed") {
    const auto& status = recipient.status;
    return status && status->kind == 5 && status->subject != 2 ? provider_event_type::bounced
                                                               : provider_event_type::soft_bounced;
  }
  if (recipient.action == "delayed")
    return provider_event_type::delayed;
  if (recipient.action == "delivered")
    return provider_event_type::delivered;
  return recipient.action == "relayed" || recipient.action == "expanded" ? provider_event_type::sent
                                                                         : provider_event_type::other;
}

core::provider_event event_of(const delivery_status_recipient& recipient, const delivery_status& report) {
  core::provider_event made;
  made.type = type_of(recipient);
  made.provider_type = recipient.action;
  made.occurred_at = recipient.at ? recipient.at : report.reported_at;
  made.detail = recipient.action;
  if (recipient.status)
    made.detail += ", status " + to_string(*recipient.status);
  if (recipient.reply_code != 0)
    made.detail += ", SMTP reply " + std::to_string(recipient.reply_code);
  if (made.type == provider_event_type::bounced && means_no_mailbox(*recipient.status))
    made.suppresses = core::suppression_reason::hard_bounce;
  return made;
}

} // namespace

std::expected<delivery_status, std::string> read_delivery_status(std::string_view mail) {
  mail = mail.substr(0, delivery_status_bytes_max);
  if (mail.starts_with("From ")) // an mbox's own line
    mail.remove_prefix(std::min(mail.find('\n'), mail.size() - 1) + 1);
  delivery_status made;
  bool found = false;
  for (const auto& part : leaves_of(mail)) {
    const auto type = part.media_type();
    if (is_status(type) && !found) {
      found = true;
      read_groups(part.decoded_body(), made);
    } else if (is_returned_message(type) && made.message_id.empty()) {
      const auto returned = part.decoded_body();
      made.message_id = bare_id(value_of(read_entity(returned).fields, "message-id"));
    }
  }
  if (!found)
    return std::unexpected{"is no delivery status notification: it has no part of type "
                           "message/delivery-status (RFC 3464)"};
  if (made.recipients.empty())
    return std::unexpected{"reports on nobody: no Action stands in its message/delivery-status part"};
  made.reported_at = read_mail_date(value_of(read_entity(mail).fields, "date"));
  return made;
}

std::expected<std::vector<core::provider_event>, core::callback_refusal>
read_bounce_report(std::string_view mail, std::string_view message_id_domain) {
  using core::callback_refusal_kind;
  const auto report = read_delivery_status(mail);
  if (!report)
    return std::unexpected{core::callback_refusal{callback_refusal_kind::malformed, report.error()}};
  auto attempt = attempt_in(report->message_id, message_id_domain);
  if (attempt.empty())
    attempt = attempt_in(bare_id(report->envelope_id), message_id_domain);
  if (attempt.empty())
    return std::unexpected{core::callback_refusal{
        callback_refusal_kind::unidentified,
        "neither the returned Message-ID nor Original-Envelope-Id is one this profile gave"}};
  std::vector<core::provider_event> events;
  for (const auto& recipient : report->recipients) {
    events.push_back(event_of(recipient, *report));
    events.back().attempt_id = attempt;
    events.back().provider_message_id = attempt + '@' + std::string{message_id_domain};
  }
  return events;
}

} // namespace sluice::providers
