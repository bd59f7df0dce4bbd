#include "tests/providers/test_server.hpp"

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <chrono>
#include <netinet/in.h>
#include <poll.h>
#include <stdexcept>
#include <string_view>
#include <sys/socket.h>
#include <tuple>
#include <unistd.h>
#include <utility>

namespace sluice::tests {
namespace {

constexpr auto patience = std::chrono::seconds{10};

std::pair<int, std::uint16_t> bind_loopback() {
  const int descriptor = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::bind(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
    throw std::runtime_error("no port of 127.0.0.1 is to be had");
  socklen_t length = sizeof address;
  ::getsockname(descriptor, reinterpret_cast<sockaddr*>(&address), &length);
  return {descriptor, ntohs(address.sin_port)};
}

bool send_all(int client, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto sent = ::send(client, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0)
      return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

/// False when the client has left; true after `limit_ms` of its silence.
bool still_there(int client, int limit_ms) {
  pollfd waiting{.fd = client, .events = POLLIN, .revents = 0};
  if (::poll(&waiting, 1, limit_ms) == 0)
    return true;
  char byte = 0;
  return ::recv(client, &byte, 1, MSG_PEEK) > 0;
}

std::size_t content_length(const std::string& head) {
  constexpr std::string_view name = "\r\nContent-Length: ";
  const auto found = head.find(name);
  return found == std::string::npos ? 0 : std::stoul(head.substr(found + name.size()));
}

} // namespace

reaction answer(int status, const std::string& body, const std::string& headers) {
  return {.bytes = "HTTP/1.1 " + std::to_string(status) + " Said\r\nContent-Length: "
                   + std::to_string(body.size()) + "\r\n" + headers + "\r\n" + body,
          .chunk = {}};
}

test_server::test_server(std::deque<reaction> script) : script_(std::move(script)) {
  std::tie(listener_, port_) = bind_loopback();
  ::listen(listener_, 512);
  acceptor_ = std::thread([this] { accept_all(); });
}

test_server::~test_server() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
    held_ = false;
    ::shutdown(listener_, SHUT_RDWR);
    for (const int client : clients_)
      ::shutdown(client, SHUT_RDWR);
    changed_.notify_all();
  }
  acceptor_.join();
  for (auto& thread : threads_)
    thread.join();
  for (const int client : clients_)
    ::close(client);
  ::close(listener_);
}

std::string test_server::url(const std::string& path, const std::string& scheme) const {
  return scheme + "://127.0.0.1:" + std::to_string(port_) + path;
}

bool test_server::wait_for_requests(std::size_t count) {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, patience, [&] { return requests_.size() >= count; });
}

bool test_server::wait_for_ended(std::size_t count) {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, patience, [&] { return ended_ >= count; });
}

std::vector<seen_request> test_server::requests() {
  const std::lock_guard lock(mutex_);
  return requests_;
}

std::size_t test_server::connections() {
  const std::lock_guard lock(mutex_);
  return connections_;
}

std::size_t test_server::most_at_once() {
  const std::lock_guard lock(mutex_);
  return most_at_once_;
}

void test_server::hold() {
  const std::lock_guard lock(mutex_);
  held_ = true;
}

void test_server::release() {
  const std::lock_guard lock(mutex_);
  held_ = false;
  changed_.notify_all();
}

void test_server::accept_all() {
  for (;;) {
    const int client = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    const std::lock_guard lock(mutex_);
    if (client < 0 || closing_) {
      if (client >= 0)
        ::close(client);
      return;
    }
    clients_.push_back(client);
    threads_.emplace_back([this, client, number = ++connections_] { serve(client, number); });
  }
}

void test_server::serve(int client, std::size_t number) {
  std::string input;
  for (;;) {
    seen_request request{.head = {}, .body = {}, .connection = number};
    if (!read_request(client, input, request))
      break;
    const auto what = next_reaction(request);
    const bool goes_on = react(client, what);
    if (!goes_on)
      break;
  }
  ::shutdown(client, SHUT_RDWR); // closed by the destructor, so that its number is not taken by another
  const std::lock_guard lock(mutex_);
  ++ended_;
  changed_.notify_all();
}

bool test_server::read_request(int client, std::string& input, seen_request& request) {
  std::array<char, 65536> buffer{};
  for (;;) {
    const auto end = input.find("\r\n\r\n");
    if (end != std::string::npos) {
      const auto head_size = end + 4;
      const auto whole = head_size + content_length(input.substr(0, head_size));
      if (input.size() >= whole) {
        request.head = input.substr(0, head_size);
        request.body = input.substr(head_size, whole - head_size);
        input.erase(0, whole);
        return true;
      }
    }
    const auto got = ::recv(client, buffer.data(), buffer.size(), 0);
    if (got <= 0)
      return false;
    input.append(buffer.data(), static_cast<std::size_t>(got));
  }
}

reaction test_server::next_reaction(const seen_request& request) {
  std::unique_lock lock(mutex_);
  requests_.push_back(request);
  most_at_once_ = std::max(most_at_once_, ++at_once_);
  auto what = script_.front();
  if (script_.size() > 1)
    script_.pop_front();
  changed_.notify_all();
  changed_.wait(lock, [this] { return !held_; });
  --at_once_;
  return what;
}

bool test_server::react(int client, const reaction& what) {
  if (what.drip) {
    for (const char byte : what.bytes)
      if (!send_all(client, {&byte, 1}) || !still_there(client, 10))
        return false;
  } else if (!send_all(client, what.bytes)) {
    return false;
  }
  for (std::size_t i = 0; i < what.chunk_count; ++i)
    if (!send_all(client, what.chunk))
      return false;
  if (what.then == reaction::end::hang)
    static_cast<void>(still_there(client, -1));
  return what.then == reaction::end::keep;
}

std::uint16_t closed_port() {
  const auto [descriptor, port] = bind_loopback();
  ::close(descriptor);
  return port;
}

} // namespace sluice::tests
