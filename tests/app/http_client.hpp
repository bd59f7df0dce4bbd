#pragma once

#include <arpa/inet.h>
#include <cerrno>
#include <cstdint>
#include <netinet/in.h>
#include <string>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

namespace sluice::tests {

/// One blocking connection to loopback that sends requests and reads whole answers.
class http_client {
public:
  explicit http_client(std::uint16_t port) : socket_{::socket(AF_INET, SOCK_STREAM, 0)} {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const timeval patience{.tv_sec = 10, .tv_usec = 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    connected_ = ::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  }
  ~http_client() { ::close(socket_); }
  http_client(const http_client&) = delete;
  http_client& operator=(const http_client&) = delete;

  struct answer {
    int status = 0; ///< 0: the connection ended without an answer
    std::string head;
    std::string body;
  };

  answer send(const std::string& method, const std::string& target, const std::string& body = "",
              const std::string& headers = "") {
    const auto request = method + " " + target + " HTTP/1.1\r\nHost: crm\r\n" + headers
                         + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
    return write(request) ? receive() : answer{};
  }

  /// Bytes as they are.
  bool write(const std::string& bytes) {
    return connected_ && ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL) >= 0;
  }

  void end_writing() { ::shutdown(socket_, SHUT_WR); }

  /// Whether the other side has ended the connection and sent nothing before.
  bool ended() { return received_.empty() && !more() && errno != EAGAIN; }

  /// Whether nothing has come and the other side has not ended the connection either.
  bool still_open() {
    char byte = 0;
    return received_.empty() && ::recv(socket_, &byte, 1, MSG_PEEK | MSG_DONTWAIT) < 0 && errno == EAGAIN;
  }

  answer receive(bool with_body = true) {
    std::size_t head_end = 0;
    while ((head_end = received_.find("\r\n\r\n")) == std::string::npos) {
      if (!more()) {
        return {};
      }
    }
    answer out;
    out.head = received_.substr(0, head_end);
    out.status = std::stoi(out.head.substr(9, 3));
    std::size_t length = 0;
    const auto at = out.head.find("Content-Length: ");
    if (with_body && at != std::string::npos) {
      length = std::stoul(out.head.substr(at + 16));
    }
    while (received_.size() < head_end + 4 + length) {
      if (!more()) {
        return {};
      }
    }
    out.body = received_.substr(head_end + 4, length);
    received_.erase(0, head_end + 4 + length);
    return out;
  }

  /// Everything up to and with `end`, taken; empty where it does not come.
  std::string receive_until(const std::string& end) {
    std::size_t at = 0;
    while ((at = received_.find(end)) == std::string::npos) {
      if (!more()) {
        return {};
      }
    }
    auto out = received_.substr(0, at + end.size());
    received_.erase(0, out.size());
    return out;
  }

private:
  bool more() {
    char block[4096];
    errno = 0;
    const auto count = ::recv(socket_, block, sizeof block, 0);
    if (count > 0) {
      received_.append(block, static_cast<std::size_t>(count));
    }
    return count > 0;
  }

  int socket_;
  bool connected_ = false;
  std::string received_;
};

} // namespace sluice::tests
