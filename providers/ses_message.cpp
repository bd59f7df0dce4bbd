#include "providers/ses_message.hpp"

#include "providers/visible_text.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace sluice::providers {

namespace {

using json = nlohmann::ordered_json;

constexpr std::size_t local_part_bytes_max = 64; // RFC 5321 section 4.5.3.1.1
constexpr std::size_t domain_bytes_max = 255;    // section 4.5.3.1.2
constexpr std::size_t overhead_bytes = 16'384;   // headers and MIME boundaries SES adds

bool is_letter_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/// RFC 5321 section 4.1.2: a dot-string, or a quoted string of which no escape is needed.
bool is_local_part(std::string_view text) {
  constexpr std::string_view others = "!#$%&'*+-/=?^_`{|}~.";
  if (text.size() > 2 && text.front() == '"' && text.back() == '"') {
    return std::ranges::all_of(text.substr(1, text.size() - 2),
                               [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; });
  }
  return !text.starts_with('.') && !text.ends_with('.') && text.find("..") == std::string_view::npos
         && std::ranges::all_of(
             text, [&](char c) { return is_letter_or_digit(c) || others.find(c) != std::string_view::npos; });
}

bool is_domain(std::string_view text) {
  return !text.starts_with('.') && !text.ends_with('.') && text.find("..") == std::string_view::npos
         && std::ranges::all_of(text, [](char c) { return is_letter_or_digit(c) || c == '-' || c == '.'; });
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const auto length = utf8_sequence_length(text);
    if (length == 0) {
      return false;
    }
    text.remove_prefix(length);
  }
  return true;
}

bool has_control(std::string_view text) {
  return std::ranges::any_of(text, [](char c) { return (c >= 0 && c < ' ') || c == '\x7f'; });
}

/// As base64 in lines of 76 (RFC 2045 section 6.8), which is how SES counts.
std::size_t encoded_size(std::size_t bytes) {
  const auto text = (bytes + 2) / 3 * 4;
  return text + text / 76 * 2;
}

json part(std::string_view text) {
  return {{"Data", text}, {"Charset", "UTF-8"}};
}

json named(const named_texts& texts) {
  auto made = json::array();
  for (const auto& [name, value] : texts) {
    made.push_back({{"Name", name}, {"Value", value}});
  }
  return made;
}

json simple_content(const ses_settings& settings, const core::submission_order& order) {
  json body;
  if (!order.content.text.empty()) {
    body["Text"] = part(order.content.text);
  }
  if (!order.content.html.empty()) {
    body["Html"] = part(order.content.html);
  }
  auto headers = settings.headers;
  headers.emplace_back(ses_attempt_header, order.attempt_id);
  return {{"Subject", part(order.content.subject)}, {"Body", std::move(body)}, {"Headers", named(headers)}};
}

} // namespace

std::string fault_of_mailbox(std::string_view address) {
  const auto at = address.rfind('@');
  if (at == std::string_view::npos || at == 0 || at + 1 == address.size()) {
    return "the contact's address is no mailbox; allowed is local-part@domain";
  }
  const auto local = address.substr(0, at);
  const auto domain = address.substr(at + 1);
  if (std::ranges::any_of(address, [](char c) { return static_cast<unsigned char>(c) > 0x7f; })) {
    return "the contact's address is not in ASCII, and SES takes no other; a domain can be written in "
           "Punycode";
  }
  if (local.size() > local_part_bytes_max || domain.size() > domain_bytes_max || !is_local_part(local)
      || !is_domain(domain)) {
    return "the contact's address is no mailbox of RFC 5321; allowed is a local part of 64 bytes and a "
           "domain of 255";
  }
  return {};
}

std::vector<std::string> faults_of_mail(const core::message_content& content) {
  std::vector<std::string> faults;
  if (content.subject.empty()) {
    faults.emplace_back("content.subject is missing; SES sends no e-mail without one");
  }
  if (has_control(content.subject) || content.subject.size() > ses_subject_bytes_max) {
    faults.emplace_back("content.subject must be one line of at most 998 bytes, without control characters");
  }
  if (content.text.empty() && content.html.empty()) {
    faults.emplace_back("content.text and content.html are both missing; an e-mail needs one of them");
  }
  if (!is_utf8(content.subject) || !is_utf8(content.text) || !is_utf8(content.html)) {
    faults.emplace_back("content.subject, content.text and content.html must be UTF-8");
  }
  const auto size = encoded_size(content.text.size()) + encoded_size(content.html.size())
                    + encoded_size(content.subject.size()) + overhead_bytes;
  if (size > ses_message_bytes_max) {
    faults.emplace_back("content.text and content.html are too long together; SES takes 40 MB once they are "
                        "base64, which is 29 MB before");
  }
  return faults;
}

std::string ses_message_body(const ses_settings& settings, const core::submission_order& order) {
  json body{{"FromEmailAddress", settings.from},
            {"Destination", {{"ToAddresses", json::array({order.contact.text})}}},
            {"Content", {{"Simple", simple_content(settings, order)}}}};
  if (!settings.reply_to.empty()) {
    body["ReplyToAddresses"] = json::array({settings.reply_to});
  }
  if (!settings.feedback_to.empty()) {
    body["FeedbackForwardingEmailAddress"] = settings.feedback_to;
  }
  auto tags = settings.tags;
  tags.emplace_back(ses_attempt_tag, order.attempt_id);
  tags.emplace_back(ses_notification_tag, order.notification_id);
  body["EmailTags"] = named(tags);
  if (!settings.configuration_set.empty()) {
    body["ConfigurationSetName"] = settings.configuration_set;
  }
  return body.dump(-1, ' ', false, json::error_handler_t::replace);
}

} // namespace sluice::providers
