#include "app/http_text.hpp"

#include <boost/beast/http/status.hpp>

namespace sluice::app {

std::string http_answer_text(int status, std::string_view headers, std::string_view body, bool keep_alive) {
  const auto reason = boost::beast::http::obsolete_reason(static_cast<boost::beast::http::status>(status));
  std::string out = "HTTP/1.1 " + std::to_string(status) + " ";
  out.append(reason.data(), reason.size());
  out += "\r\n";
  out += headers;
  if (status != 204) { // RFC 9110 section 8.6: a 204 has no Content-Length
    out += "Content-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) + "\r\n";
  }
  out += keep_alive ? "\r\n" : "Connection: close\r\n\r\n";
  out += body;
  return out;
}

} // namespace sluice::app
