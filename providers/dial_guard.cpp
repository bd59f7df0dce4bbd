#include "providers/dial_guard.hpp"

#include <cstring>
#include <netinet/in.h>
#include <stdexcept>
#include <sys/socket.h>

namespace sluice::providers {
namespace {

/// An IPv4 address as core::address_bytes has it.
core::address_bytes map(const in_addr& four) noexcept {
  core::address_bytes bytes{};
  bytes[10] = bytes[11] = 0xff;
  std::memcpy(bytes.data() + 12, &four, sizeof four);
  return bytes;
}

} // namespace

dial_guard::dial_guard(const std::vector<std::string>& allowed_networks) {
  auto made = core::outside_addresses::make(allowed_networks);
  if (!made)
    throw std::invalid_argument(made.error());
  addresses_ = *std::move(made);
}

dial_verdict dial_guard::verdict(const sockaddr& address) const noexcept {
  core::address_bytes bytes{};
  if (address.sa_family == AF_INET) {
    sockaddr_in four{};
    std::memcpy(&four, &address, sizeof four);
    bytes = map(four.sin_addr);
  } else if (address.sa_family == AF_INET6) {
    sockaddr_in6 six{};
    std::memcpy(&six, &address, sizeof six);
    std::memcpy(bytes.data(), &six.sin6_addr, bytes.size());
  } else {
    return dial_verdict::not_internet;
  }
  return addresses_.allows(bytes) ? dial_verdict::allowed : dial_verdict::not_public;
}

} // namespace sluice::providers
