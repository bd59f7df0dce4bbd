#include "providers/exchange_trace.hpp"

#include <curl/curl.h>

#include <string_view>

namespace sluice::providers {

core::call_error judge(int code, const exchange_trace& trace) noexcept {
  using enum core::call_error;
  if (code == CURLE_OK)
    return trace.header_whole ? none : cut;
  if (trace.held_back)
    return unattempted;
  if (!trace.request_begun)
    return trace.address_refused && !trace.address_dialled ? address_refused : not_connected;
  if (trace.answer_overflowed)
    return answer_too_large;
  return code == CURLE_OPERATION_TIMEDOUT ? timed_out : cut;
}

std::string describe(core::call_error error, int code) {
  if (error == core::call_error::unattempted)
    return "held back before it was sent";
  if (error == core::call_error::address_refused)
    return "the address is not public and allowed_networks does not list it";
  if (error == core::call_error::answer_too_large)
    return "the answer was larger than answer_bytes_max and was cut there";
  const auto sentence = [&]() -> std::string_view {
    switch (code) {
    case CURLE_OK:
      return "the answer ended within its header";
    case CURLE_WRITE_ERROR:
      return "the answer's header was larger than 256 KiB";
    case CURLE_OUT_OF_MEMORY:
      return "a line of the answer's header was too long, or memory ran out";
    case CURLE_URL_MALFORMAT:
    case CURLE_UNSUPPORTED_PROTOCOL:
      return error == core::call_error::not_connected ? "the address is no http or https URL"
                                                      : "the peer did not answer in HTTP";
    case CURLE_WEIRD_SERVER_REPLY:
      return "the peer did not answer in HTTP";
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY:
      return "the host name could not be resolved";
    case CURLE_COULDNT_CONNECT:
      return "the connection was refused or the host is unreachable";
    case CURLE_SSL_CONNECT_ERROR:
      return "the TLS handshake failed";
    case CURLE_PEER_FAILED_VERIFICATION:
      return "the peer's certificate was not accepted";
    case CURLE_OPERATION_TIMEDOUT:
      return error == core::call_error::not_connected ? "no connection came about in time"
                                                      : "no whole answer came in time";
    case CURLE_GOT_NOTHING:
      return "the peer closed the connection without an answer";
    case CURLE_PARTIAL_FILE:
      return "the answer ended before its announced length";
    case CURLE_SEND_ERROR:
    case CURLE_RECV_ERROR:
      return "the connection was lost during the exchange";
    case CURLE_FAILED_INIT:
      return "the request has a method or a header line that is not HTTP";
    case CURLE_ABORTED_BY_CALLBACK:
      return "the peer closed the connection without an answer, or the transport ended";
    default:
      return "the exchange failed";
    }
  }();
  const auto named = code == CURLE_OK ? "" : " (libcurl error " + std::to_string(code) + ')';
  return std::string{sentence} + named;
}

} // namespace sluice::providers
