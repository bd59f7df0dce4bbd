#include "providers/curl_mail.hpp"

#include "providers/curl_headers.hpp"
#include "providers/curl_options.hpp"

#include <curl/curl.h>

#include <algorithm>
#include <memory>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

namespace sluice::providers {
namespace {

using easy_handle = std::unique_ptr<CURL, decltype(&curl_easy_cleanup)>;
using mime_tree = std::unique_ptr<curl_mime, decltype(&curl_mime_free)>;
using text_list = std::unique_ptr<curl_slist, decltype(&curl_slist_free_all)>;

constexpr std::size_t envelope_address_max = 320; ///< local part, "@" and domain: RFC 5321 section 4.5.3.1

void append(text_list& list, const std::string& line) {
  if (auto* longer = curl_slist_append(list.get(), line.c_str())) {
    static_cast<void>(list.release());
    list.reset(longer);
  }
}

/// Nothing that could end the path early or begin a parameter of the command.
bool is_envelope_address(std::string_view text) {
  return text.size() <= envelope_address_max && std::ranges::none_of(text, [](char c) {
           return static_cast<unsigned char>(c) <= 0x20 || c == 0x7f || c == '<' || c == '>';
         });
}

/// A line without control characters but at its folds.
bool is_clean_folded_line(std::string_view line) {
  while (true) {
    const auto fold = line.find("\r\n ");
    if (!is_clean_line(line.substr(0, fold)))
      return false;
    if (fold == std::string_view::npos)
      return true;
    line.remove_prefix(fold + 3);
  }
}

/// What keeps the text shorter: quoted-printable takes three bytes for one that is not plain, base64 four for
/// any three.
const char* encoder_for(std::string_view text) {
  const auto others = std::ranges::count_if(
      text, [](char c) { return (c < ' ' && c != '\r' && c != '\n' && c != '\t') || c == 0x7f || c == '='; });
  return static_cast<std::size_t>(others) * 6 > text.size() ? "base64" : "quoted-printable";
}

} // namespace

struct curl_mail::callbacks {
  static curl_socket_t open_socket(void* self, curlsocktype, curl_sockaddr* address) {
    auto& mail = *static_cast<curl_mail*>(self);
    if (mail.guard_.verdict(address->addr) != dial_verdict::allowed) {
      mail.trace_.address_refused = true;
      return CURL_SOCKET_BAD;
    }
    mail.trace_.address_dialled = true;
    const int descriptor = ::socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
    if (descriptor < 0)
      return CURL_SOCKET_BAD;
    const std::lock_guard lock(mail.mutex_);
    mail.descriptors_.push_back(descriptor);
    return descriptor;
  }

  static int close_socket(void* self, curl_socket_t descriptor) {
    auto& mail = *static_cast<curl_mail*>(self);
    const std::lock_guard lock(mail.mutex_);
    std::erase(mail.descriptors_, descriptor);
    return ::close(descriptor);
  }

  /// Asked once the session stands, before MAIL FROM.
  static int begin(void* self, char*, char*, int, int) {
    auto& mail = *static_cast<curl_mail*>(self);
    if (std::exchange(mail.begun_, true))
      return CURL_PREREQFUNC_ABORT;
    const auto& permit = mail.settings_.permit;
    mail.trace_.held_back = permit && !permit->holds(mail.time_.steady());
    return mail.trace_.held_back ? CURL_PREREQFUNC_ABORT : CURL_PREREQFUNC_OK;
  }

  static int progress(void* self, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
    return static_cast<curl_mail*>(self)->given_up_ ? 1 : 0;
  }

  static std::size_t reply(char* data, std::size_t size, std::size_t count, void* self) {
    static_cast<curl_mail*>(self)->session_.on_reply_line({data, size * count});
    return size * count;
  }

  static int command(CURL*, curl_infotype type, char* data, std::size_t size, void* self) {
    if (type != CURLINFO_HEADER_OUT)
      return 0;
    auto& mail = *static_cast<curl_mail*>(self);
    mail.session_.on_command({data, size});
    if (mail.session_.quit())
      mail.hang_up(); // libcurl would wait for the goodbye, two minutes if need be
    return 0;
  }

  static std::size_t read(char* buffer, std::size_t size, std::size_t count, void* part) {
    auto& reading = *static_cast<part_reading*>(part);
    const auto bytes = reading.rest.copy(buffer, size * count);
    reading.rest.remove_prefix(bytes);
    if (reading.rest.empty() && reading.last)
      reading.mail->session_.on_message_end();
    return bytes;
  }

  static int rewind(void*, curl_off_t, int) { return CURL_SEEKFUNC_FAIL; }

  static void add_part(curl_mime* parts, const char* type, part_reading& reading) {
    auto* part = curl_mime_addpart(parts);
    curl_mime_type(part, type);
    curl_mime_encoder(part, encoder_for(reading.rest));
    curl_mime_data_cb(part, static_cast<curl_off_t>(reading.rest.size()), &read, &rewind, nullptr, &reading);
  }
};

curl_mail::curl_mail(const transport_settings& settings, const dial_guard& guard,
                     const core::time_source& time, core::outbound_call call)
    : settings_(settings), guard_(guard), time_(time), call_(std::move(call)),
      session_(settings.answer_bytes_max) {}

core::call_answer curl_mail::send() {
  core::call_answer made{.id = call_.id, .owner = call_.owner, .answer = {}};
  auto& answer = made.answer;
  answer.started_at = time_.wall();
  const auto started = time_.steady();
  session_.conclude(answer, perform(), trace_);
  answer.ended_at = time_.wall();
  answer.took = time_.steady() - started;
  return made;
}

int curl_mail::perform() {
  if (!can_be_sent())
    return CURLE_FAILED_INIT;
  trace_.address_refused = !settings_.proxy.empty() && refused_behind_proxy(guard_, call_.request.url);
  if (trace_.address_refused)
    return CURLE_COULDNT_CONNECT;
  const easy_handle easy{curl_easy_init(), &curl_easy_cleanup};
  if (!easy)
    return CURLE_OUT_OF_MEMORY;
  const auto& envelope = *call_.request.mail;
  text_list recipients{nullptr, &curl_slist_free_all};
  for (const auto& address : envelope.to)
    append(recipients, address);
  text_list headers{nullptr, &curl_slist_free_all};
  append(headers, "Content-Type: multipart/alternative"); // libcurl adds the boundary
  for (const auto& line : envelope.headers)
    append(headers, line);
  const mime_tree parts{curl_mime_init(easy.get()), &curl_mime_free};
  text_ = {.mail = this, .rest = envelope.text, .last = envelope.html.empty()};
  html_ = {.mail = this, .rest = envelope.html, .last = true};
  if (!envelope.text.empty())
    callbacks::add_part(parts.get(), "text/plain; charset=utf-8", text_);
  if (!envelope.html.empty())
    callbacks::add_part(parts.get(), "text/html; charset=utf-8", html_);
  set_session(easy.get());
  set_envelope(easy.get());
  curl_easy_setopt(easy.get(), CURLOPT_MAIL_RCPT, recipients.get());
  curl_easy_setopt(easy.get(), CURLOPT_HTTPHEADER, headers.get());
  curl_easy_setopt(easy.get(), CURLOPT_MIMEPOST, parts.get());
  return curl_easy_perform(easy.get());
}

void curl_mail::set_session(void* easy) {
  set_shared_options(easy, settings_);
  curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "smtp,smtps");
  curl_easy_setopt(easy, CURLOPT_URL, call_.request.url.c_str());
  curl_easy_setopt(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L); // a proxy's are no replies
  curl_easy_setopt(easy, CURLOPT_FRESH_CONNECT, 1L);
  curl_easy_setopt(easy, CURLOPT_FORBID_REUSE, 1L);
  curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, &callbacks::open_socket);
  curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, this);
  curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, &callbacks::close_socket);
  curl_easy_setopt(easy, CURLOPT_CLOSESOCKETDATA, this);
  curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, &callbacks::begin);
  curl_easy_setopt(easy, CURLOPT_PREREQDATA, this);
  curl_easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, &callbacks::progress);
  curl_easy_setopt(easy, CURLOPT_XFERINFODATA, this);
  curl_easy_setopt(easy, CURLOPT_NOPROGRESS, 0L);
  curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, &callbacks::reply);
  curl_easy_setopt(easy, CURLOPT_HEADERDATA, this);
  curl_easy_setopt(easy, CURLOPT_DEBUGFUNCTION, &callbacks::command);
  curl_easy_setopt(easy, CURLOPT_DEBUGDATA, this);
  curl_easy_setopt(easy, CURLOPT_VERBOSE, 1L); // what the debug function needs; nothing is printed
}

void curl_mail::set_envelope(void* easy) {
  const auto& envelope = *call_.request.mail;
  curl_easy_setopt(easy, CURLOPT_USE_SSL,
                   static_cast<long>(envelope.require_tls ? CURLUSESSL_ALL : CURLUSESSL_TRY));
  curl_easy_setopt(easy, CURLOPT_MAIL_FROM, envelope.from.c_str());
  if (envelope.username.empty())
    return;
  curl_easy_setopt(easy, CURLOPT_USERNAME, envelope.username.c_str());
  curl_easy_setopt(easy, CURLOPT_PASSWORD, envelope.password.c_str());
}

bool curl_mail::can_be_sent() const {
  const auto& envelope = *call_.request.mail;
  const bool addressed = !envelope.to.empty() && std::ranges::all_of(envelope.to, [](const auto& address) {
    return !address.empty() && is_envelope_address(address);
  });
  return addressed && is_envelope_address(envelope.from) && !(envelope.text.empty() && envelope.html.empty())
         && std::ranges::all_of(envelope.headers, is_clean_folded_line);
}

void curl_mail::give_up() noexcept {
  given_up_ = true;
  hang_up();
}

void curl_mail::hang_up() noexcept {
  const std::lock_guard lock(mutex_);
  for (const int descriptor : descriptors_)
    ::shutdown(descriptor, SHUT_RD); // writing goes on: OpenSSL would raise SIGPIPE
}

} // namespace sluice::providers
