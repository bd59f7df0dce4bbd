#include "providers/write_joiner.hpp"

#include <cstring>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <utility>

namespace sluice::providers {
namespace {

void set_cork(int descriptor, int on) {
  // A socket that cannot be corked sends two packets.
  static_cast<void>(::setsockopt(descriptor, IPPROTO_TCP, TCP_CORK, &on, sizeof on));
}

/// 0 as long as the socket is bound to none.
int local_port_of(int descriptor) {
  sockaddr_storage storage{};
  socklen_t length = sizeof storage;
  if (::getsockname(descriptor, reinterpret_cast<sockaddr*>(&storage), &length) != 0)
    return 0;
  // sockaddr_in and sockaddr_in6 keep the port at the same place.
  sockaddr_in address{};
  std::memcpy(&address, &storage, sizeof address);
  return ntohs(address.sin_port);
}

} // namespace

void write_joiner::opened(int descriptor) {
  unplaced_.push_back(descriptor);
}

void write_joiner::closed(int descriptor) {
  std::erase(unplaced_, descriptor);
  std::erase_if(by_port_, [descriptor](const auto& entry) { return entry.second == descriptor; });
  if (held_ == descriptor)
    held_ = -1;
}

void write_joiner::begin(int local_port) {
  flush();
  held_ = find(local_port);
  if (held_ >= 0)
    set_cork(held_, 1);
}

void write_joiner::flush() {
  if (held_ >= 0)
    set_cork(std::exchange(held_, -1), 0);
}

int write_joiner::find(int local_port) {
  for (const int descriptor : std::exchange(unplaced_, {})) {
    const int port = local_port_of(descriptor);
    if (port == 0)
      unplaced_.push_back(descriptor);
    else
      by_port_[port] = descriptor;
  }
  const auto found = by_port_.find(local_port);
  return found == by_port_.end() ? -1 : found->second;
}

} // namespace sluice::providers
