#include "providers/write_joiner.hpp"

#include <catch2/catch.hpp>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace sluice;

namespace {

/// A TCP socket, at first bound to no port.
class tcp_socket {
public:
  tcp_socket() = default;
  ~tcp_socket() { ::close(descriptor_); }
  tcp_socket(const tcp_socket&) = delete;
  tcp_socket& operator=(const tcp_socket&) = delete;

  [[nodiscard]] int descriptor() const { return descriptor_; }

  int bind() {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address;
    ::bind(descriptor_, reinterpret_cast<const sockaddr*>(&address), length);
    ::getsockname(descriptor_, reinterpret_cast<sockaddr*>(&address), &length);
    return ntohs(address.sin_port);
  }

  [[nodiscard]] bool holds_packets() const {
    int on = 0;
    socklen_t length = sizeof on;
    ::getsockopt(descriptor_, IPPROTO_TCP, TCP_CORK, &on, &length);
    return on != 0;
  }

private:
  int descriptor_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
};

} // namespace

TEST_CASE("a socket holds its packets from the beginning of its request to the flush, again and again") {
  tcp_socket socket;
  providers::write_joiner joiner;
  joiner.opened(socket.descriptor());
  const int port = socket.bind();
  for (int i = 0; i < 2; ++i) {
    joiner.begin(port);
    CHECK(socket.holds_packets());
    joiner.flush();
    CHECK_FALSE(socket.holds_packets());
  }
}

TEST_CASE("the next request lets the packets of the one before go") {
  tcp_socket first;
  tcp_socket second;
  providers::write_joiner joiner;
  joiner.opened(first.descriptor());
  joiner.opened(second.descriptor());
  joiner.begin(first.bind());
  joiner.begin(second.bind());
  CHECK_FALSE(first.holds_packets());
  CHECK(second.holds_packets());
}

TEST_CASE("ports nobody has and sockets that are closed are let be") {
  tcp_socket socket;
  providers::write_joiner joiner;
  joiner.opened(socket.descriptor());
  joiner.begin(1);
  CHECK_FALSE(socket.holds_packets());
  const int port = socket.bind();
  joiner.begin(port);
  joiner.closed(socket.descriptor());
  joiner.flush();
  CHECK(socket.holds_packets()); // no longer the joiner's to touch
  joiner.begin(port);
  joiner.flush();
  CHECK(socket.holds_packets());
}
