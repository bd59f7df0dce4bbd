#include "providers/smtp_adapter.hpp"

#include "core/email_address.hpp"
#include "core/error_text.hpp"
#include "providers/delivery_status.hpp"
#include "providers/mail_headers.hpp"
#include "providers/send_only_adapter.hpp"
#include "providers/smtp_reply.hpp"
#include "providers/smtp_settings.hpp"

#include <string_view>
#include <utility>

namespace sluice::providers {

namespace {

std::string filled_in(std::string text, std::string_view notification_id) {
  constexpr std::string_view name = "{notification_id}";
  if (const auto at = text.find(name); at != std::string::npos)
    text.replace(at, name.size(), notification_id);
  return text;
}

class smtp_adapter final : public send_only_adapter {
public:
  explicit smtp_adapter(smtp_settings settings) : settings_{std::move(settings)} {}

  [[nodiscard]] const adapter_traits& traits() const noexcept override { return traits_; }
  [[nodiscard]] std::vector<std::string> faults_of(const core::submission_order& order) const override;
  [[nodiscard]] std::expected<core::http_request, core::submission>
  build(const core::submission_order& order, core::timestamp now, std::string_view) const override;
  [[nodiscard]] core::submission read(const core::submission_order& order, const core::http_answer& answer,
                                      core::timestamp) const override {
    return read_smtp_replies(answer, message_id(order));
  }
  [[nodiscard]] std::expected<std::vector<core::provider_event>, core::callback_refusal>
  read_report(std::string_view mail) const override {
    return read_bounce_report(mail, settings_.message_id_domain);
  }

private:
  [[nodiscard]] std::string message_id(const core::submission_order& order) const {
    return order.attempt_id + '@' + settings_.message_id_domain;
  }
  [[nodiscard]] std::vector<std::string> content_faults(const core::message_content& content) const;
  [[nodiscard]] core::header_lines headers(const core::submission_order& order, core::timestamp now) const;

  smtp_settings settings_;
  adapter_traits traits_{.contacts = {core::contact_kind::email}};
};

std::string contact_fault(const core::contact_address& contact) {
  if (contact.kind != core::contact_kind::email)
    return "contact: is no e-mail address, and SMTP reaches nothing else";
  const auto checked = core::normalise_email(contact.text);
  return checked ? std::string{} : "contact: " + checked.error();
}

std::vector<std::string> smtp_adapter::content_faults(const core::message_content& content) const {
  std::vector<std::string> faults;
  if (content.subject.empty())
    faults.emplace_back("subject: is missing; an e-mail has one");
  if (content.subject.size() > mail_subject_bytes_max || !is_one_line(content.subject))
    faults.emplace_back("subject: must be one line of UTF-8 without control characters (CR, LF and NUL among "
                        "them), of at most 998 bytes");
  if (content.text.empty() && content.html.empty())
    faults.emplace_back("text: is missing; an e-mail has text, html or both");
  for (const auto& [field, value] : {std::pair{"text", &content.text}, std::pair{"html", &content.html}})
    if (!core::is_storable_text(*value))
      faults.push_back(std::string{field} + ": must be UTF-8 without NUL");
  if (content.text.size() + content.html.size() > settings_.message_bytes_max)
    faults.push_back("text: has more bytes, together with html, than the "
                     + std::to_string(settings_.message_bytes_max) + " of message_bytes_max");
  return faults;
}

std::vector<std::string> smtp_adapter::faults_of(const core::submission_order& order) const {
  auto faults = content_faults(order.content);
  if (auto fault = contact_fault(order.contact); !fault.empty())
    faults.push_back(std::move(fault));
  return faults;
}

core::header_lines smtp_adapter::headers(const core::submission_order& order, core::timestamp now) const {
  core::header_lines lines{mailbox_header("From", settings_.from_name, settings_.from),
                           mailbox_header("To", {}, order.contact.text),
                           text_header("Subject", order.content.subject),
                           date_header(now),
                           "Message-ID: <" + message_id(order) + ">",
                           "Auto-Submitted: auto-generated"}; // RFC 3834 section 5: no vacation replies
  if (!settings_.reply_to.empty())
    lines.push_back(mailbox_header("Reply-To", {}, settings_.reply_to));
  if (settings_.list_unsubscribe.empty())
    return lines;
  lines.push_back("List-Unsubscribe:\r\n <" + filled_in(settings_.list_unsubscribe, order.notification_id)
                  + ">");
  if (settings_.one_click)
    lines.emplace_back("List-Unsubscribe-Post: List-Unsubscribe=One-Click");
  return lines;
}

std::expected<core::http_request, core::submission>
smtp_adapter::build(const core::submission_order& order, core::timestamp now, std::string_view) const {
  if (auto fault = contact_fault(order.contact); !fault.empty())
    return std::unexpected{rejected(core::rejection_cause::recipient, "unusable_address", std::move(fault))};
  if (auto faults = content_faults(order.content); !faults.empty())
    return std::unexpected{
        rejected(core::rejection_cause::message, "unusable_content", std::move(faults.front()))};
  auto envelope = std::make_shared<core::mail_envelope>();
  envelope->from = settings_.envelope_from;
  envelope->to = {order.contact.text};
  envelope->username = settings_.username;
  envelope->password = settings_.password;
  envelope->require_tls = settings_.require_tls;
  envelope->headers = headers(order, now);
  envelope->text = with_mail_line_ends(order.content.text);
  envelope->html = with_mail_line_ends(order.content.html);
  core::http_request request;
  request.method = "MAIL";
  request.url = settings_.url;
  request.mail = std::move(envelope);
  return request;
}

} // namespace

std::expected<std::shared_ptr<const notification_adapter>, std::vector<std::string>>
make_smtp_adapter(const core::provider_profile& profile, const adapter_surroundings&) {
  auto settings = parse_smtp_settings(profile);
  if (!settings)
    return std::unexpected{std::move(settings).error()};
  return std::make_shared<const smtp_adapter>(*std::move(settings));
}

} // namespace sluice::providers
