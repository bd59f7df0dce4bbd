#include "app/http_text.hpp"

#include <ostream> // Boost 1.81's string_view prints, and includes only <iosfwd>

namespace sluice::app {
namespace {

/// For people who read along; clients go by the number (RFC 9112 section 4).
std::string_view reason_of(int status) {
  switch (status) {
  case 200:
    return "OK";
  case 201:
    return "Created";
  case 204:
    return "No Content";
  case 429:
    return "Too Many Requests";
  case 503:
    return "Service Unavailable";
  default:
    if (status < 400) {
      return status < 300 ? "Accepted" : "Elsewhere";
    }
    return status < 500 ? "Refused" : "Failed";
  }
}

} // namespace

std::string http_answer_text(int status, std::string_view headers, std::string_view body, bool keep_alive) {
  std::string out = "HTTP/1.1 " + std::to_string(status) + " ";
  out += reason_of(status);
  out += "\r\n";
  out += headers;
  if (status != 204) { // RFC 9110 section 8.6: a 204 has no Content-Length
    out += "Content-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) + "\r\n";
  }
  out += keep_alive ? "\r\n" : "Connection: close\r\n\r\n";
  out += body;
  return out;
}

std::string retry_after_line(std::int64_t seconds) {
  return "Retry-After: " + std::to_string(seconds) + "\r\n";
}

} // namespace sluice::app
