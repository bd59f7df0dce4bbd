#pragma once

#include "core/time.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sluice::core {

/// Header lines "Name: value" that many requests share; made once, never changed.
using header_lines = std::vector<std::string>;

/// An e-mail, which takes the place of its request's method, headers and body. The transport writes MIME's
/// own headers and sends text and html as alternatives, in UTF-8. Opened: never printed.
struct mail_envelope {
  std::string from;            ///< MAIL FROM; empty: the null reverse-path
  std::vector<std::string> to; ///< RCPT TO; one that is refused ends the session before the message
  std::string username;        ///< empty: no authentication
  std::string password;
  bool require_tls = true; ///< STARTTLS, or nothing is sent; an smtps URL has TLS from the start
  header_lines headers;    ///< "Name: value", ASCII, folded by CRLF and a space where they are long
  std::string text;        ///< lines end with CRLF, as do html's; one of the two may be empty
  std::string html;
};

/// One outside request, ready to send. Values may hold credentials: never print headers or bodies.
struct http_request {
  std::string method; ///< "GET", "POST", …
  std::string url;    ///< absolute, http or https; smtp or smtps with `mail`
  std::shared_ptr<const header_lines> common_headers;
  header_lines headers; ///< of this request alone
  std::string body;
  bool http2 = false;                        ///< offer HTTP/2 (ALPN over TLS; prior knowledge is not assumed)
  std::vector<std::string> wanted_headers;   ///< names in lower case whose values the answer is to carry
  std::shared_ptr<const mail_envelope> mail; ///< set: an e-mail by SMTP
};

/// How a call ended below HTTP.
enum class call_error : std::uint8_t {
  none,             ///< an answer with a status arrived whole
  not_connected,    ///< refused, unresolvable, handshake failed: the request never arrived; an e-mail's
                    ///< session ended before its message had left
  address_refused,  ///< the guard refused the dialled address: the request never left
  unattempted,      ///< held back before the hand-over: shut down, cancelled or stopped
  timed_out,        ///< no whole answer in time; the request may have arrived
  cut,              ///< the peer or the network ended the exchange; the request may have arrived
  answer_too_large, ///< a status arrived, the body was over the limit and was cut there
};

[[nodiscard]] std::string_view to_string(call_error error) noexcept;

/// What came back. `status` is 0 when no status line arrived.
///
/// Of an e-mail the status is the code of the last reply before QUIT, the body has all replies, and the
/// headers have one a command, by name: greeting, ehlo, starttls, auth, mail, rcpt (one a recipient, in their
/// order), data, message (the reply to the final dot). Error `none` means that the last reply settled it: a
/// refusal at any command, or 2yz to the message.
struct http_answer {
  call_error error = call_error::none;
  int status = 0;
  std::string body;        ///< at most the transport's `answer_bytes_max`
  std::string retry_after; ///< the header's raw value, empty when absent
  std::string location;    ///< the header's raw value, empty when absent
  std::vector<std::pair<std::string, std::string>>
      headers;        ///< of those wanted, in order; names in lower case
  std::string detail; ///< our own words about `error`; never the request's content
  timestamp started_at{};
  timestamp ended_at{};
  duration took{}; ///< by the monotonic clock

  /// The first value of the wanted header, empty where there was none.
  [[nodiscard]] std::string_view header(std::string_view lower_case_name) const noexcept {
    for (const auto& [name, value] : headers)
      if (name == lower_case_name)
        return value;
    return {};
  }

  [[nodiscard]] bool may_have_arrived() const noexcept {
    return error != call_error::not_connected && error != call_error::address_refused
           && error != call_error::unattempted;
  }
};

/// Prints what may be seen: never a header, never a body, never a query.
template <class Inspector>
auto inspect(Inspector& f, http_request& x) {
  auto address = x.url.substr(0, x.url.find('?')); // a query may hold an API key
  return f(x.method, address);
}

template <class Inspector>
auto inspect(Inspector& f, http_answer& x) {
  return f(x.error, x.status, x.detail, x.started_at, x.ended_at, x.took);
}

} // namespace sluice::core
