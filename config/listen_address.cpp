#include "config/listen_address.hpp"

#include <arpa/inet.h>
#include <array>
#include <charconv>

namespace sluice::config {
namespace {

bool is_address(const std::string& text) {
  std::array<unsigned char, sizeof(in6_addr)> bytes{};
  return inet_pton(AF_INET, text.c_str(), bytes.data()) == 1
         || inet_pton(AF_INET6, text.c_str(), bytes.data()) == 1;
}

} // namespace

std::string listen_address::text() const {
  const bool is_v6 = address.find(':') != std::string::npos;
  return (is_v6 ? "[" + address + "]" : address) + ":" + std::to_string(port);
}

std::expected<listen_address, std::string> parse_listen_address(std::string_view text) {
  listen_address out{"127.0.0.1", 0};
  auto port = text;
  if (const auto colon = text.rfind(':'); colon != std::string_view::npos) {
    out.address = text.substr(0, colon);
    port = text.substr(colon + 1);
  }
  if (out.address.starts_with('[') && out.address.ends_with(']')) {
    out.address = out.address.substr(1, out.address.size() - 2);
  }
  const auto [end, failed] = std::from_chars(port.data(), port.data() + port.size(), out.port);
  if (failed != std::errc{} || end != port.data() + port.size() || !is_address(out.address)) {
    return std::unexpected{"allowed is ADDRESS:PORT, as in 127.0.0.1:8400 or [::1]:8400, or a port alone"};
  }
  return out;
}

} // namespace sluice::config
