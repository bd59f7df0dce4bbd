#include "providers/smtp_settings.hpp"

#include "core/email_address.hpp"
#include "core/outside_address.hpp"
#include "providers/mail_headers.hpp"
#include "providers/settings_section.hpp"

#include <nlohmann/json.hpp>

#include <string_view>

namespace sluice::providers {

namespace {

constexpr std::int64_t message_bytes_usual = std::int64_t{1} << 20;
constexpr std::int64_t message_bytes_most = std::int64_t{25} << 20;
constexpr std::size_t display_name_bytes_max = 200;
constexpr std::size_t credential_bytes_max = 1024;
constexpr std::size_t list_address_bytes_max = 900; // a header line has at most 998

std::string read_mailbox(settings_section& section, std::string_view key, std::string fallback) {
  auto text = section.text(key, fallback);
  if (const auto checked = core::normalise_email(text); !text.empty() && !checked)
    section.fault(key, checked.error());
  return text;
}

std::string read_domain(settings_section& section, std::string_view key, const std::string& fallback) {
  auto text = section.text(key, fallback);
  if (!text.empty() && !core::normalise_email("a@" + text))
    section.fault(key, "must be a domain name such as mail.example.com (a foreign one in its xn-- form)");
  return text;
}

void read_server(settings_section& root, smtp_settings& made) {
  const auto tls = root.choice("tls", {"starttls", "implicit", "opportunistic"}, "starttls");
  made.require_tls = tls != "opportunistic";
  const auto port = root.number("port", 1, 65535, tls == "implicit" ? 465 : made.require_tls ? 587 : 25);
  const auto host = root.required_text("host", "it is the server that takes the messages");
  const auto origin = host + ':' + std::to_string(port);
  const auto address = "http://" + origin; // whose rules for a host are the same
  if (const auto parsed = core::parse_outside_url(address);
      !host.empty() && (!parsed || parsed->host != host))
    root.fault("host", "must be a host's name or address alone, such as smtp.example.com or [2001:db8::1]");
  const auto ehlo_name = read_domain(root, "ehlo_name", made.message_id_domain);
  made.url = (tls == "implicit" ? "smtps://" : "smtp://") + origin + '/' + ehlo_name;
}

void read_sender(settings_section& root, smtp_settings& made) {
  static_cast<void>(root.required_text("from", "it is who the messages are from, such as news@example.com"));
  made.from = read_mailbox(root, "from", {});
  made.from_name = root.text("from_name");
  if (made.from_name.size() > display_name_bytes_max || !is_one_line(made.from_name))
    root.fault("from_name", "must be UTF-8 without control characters, of at most 200 bytes");
  made.reply_to = read_mailbox(root, "reply_to", {});
  made.envelope_from = read_mailbox(root, "envelope_from", made.from);
  made.message_id_domain = read_domain(root, "message_id_domain", made.from.substr(made.from.rfind('@') + 1));
}

void read_list(settings_section& root, smtp_settings& made) {
  made.list_unsubscribe = root.text("list_unsubscribe");
  made.one_click = root.flag("one_click", false);
  const std::string_view address = made.list_unsubscribe;
  const bool web = address.starts_with("https://");
  auto literal = made.list_unsubscribe;
  if (const auto at = literal.find("{notification_id}"); at != std::string::npos)
    literal.erase(at, std::string_view{"{notification_id}"}.size());
  if (!address.empty()
      && (address.size() > list_address_bytes_max || !core::is_url_text(literal)
          || (!web && !address.starts_with("mailto:"))))
    root.fault("list_unsubscribe", "must be an https or mailto address of at most 900 bytes in which every "
                                   "special character is percent-encoded; {notification_id} may stand in it "
                                   "once");
  if (made.one_click && !web)
    root.fault("one_click", "needs list_unsubscribe with an https address (RFC 8058)");
}

/// Neither a control character nor what ends a line may reach the server's ear in a command.
std::string read_credential(settings_section& secrets, std::string_view key) {
  auto text = secrets.text(key);
  if (text.size() > credential_bytes_max || !is_one_line(text))
    secrets.fault(key, "must be UTF-8 without control characters, of at most 1024 bytes");
  return text;
}

void read_credentials(settings_section& secrets, smtp_settings& made) {
  made.username = read_credential(secrets, "username");
  made.password = read_credential(secrets, "password");
  if (made.username.empty() != made.password.empty())
    secrets.fault(made.username.empty() ? "username" : "password",
                  "is missing; username and password are given both, or none");
  if (!made.username.empty() && !made.require_tls)
    secrets.fault("username", "is not sent over a connection that may have no TLS; set tls to starttls or "
                              "implicit");
  secrets.refuse_unknown();
}

} // namespace

std::expected<smtp_settings, std::vector<std::string>>
parse_smtp_settings(const core::provider_profile& profile) {
  fault_list faults;
  const auto document = read_settings_document(profile.settings, "settings", faults);
  const auto credentials = read_settings_document(profile.credentials, "credentials", faults);
  smtp_settings made;
  if (faults.empty()) {
    settings_section root{{&document, "settings"}, faults};
    read_sender(root, made);
    read_server(root, made);
    read_list(root, made);
    made.message_bytes_max = static_cast<std::size_t>(
        root.number("message_bytes_max", 1024, message_bytes_most, message_bytes_usual));
    root.refuse_unknown();
    settings_section secrets{{&credentials, "credentials"}, faults};
    read_credentials(secrets, made);
  }
  if (!faults.empty())
    return std::unexpected{std::move(faults).take()};
  return made;
}

} // namespace sluice::providers
