#include "tests/providers/smtp_server.hpp"

#include <arpa/inet.h>
#include <array>
#include <chrono>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

namespace sluice::tests {
namespace {

bool send_all(int client, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto sent = ::send(client, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0)
      return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

bool receive(int client, std::string& input) {
  std::array<char, 65536> buffer{};
  const auto got = ::recv(client, buffer.data(), buffer.size(), 0);
  if (got > 0)
    input.append(buffer.data(), static_cast<std::size_t>(got));
  return got > 0;
}

bool read_line(int client, std::string& input, std::string& line) {
  auto end = input.find("\r\n");
  for (; end == std::string::npos; end = input.find("\r\n"))
    if (!receive(client, input))
      return false;
  line = input.substr(0, end);
  input.erase(0, end + 2);
  return true;
}

} // namespace

smtp_server::smtp_server(smtp_script script) : script_(std::move(script)) {
  listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  if (::bind(listener_, reinterpret_cast<const sockaddr*>(&address), length) != 0)
    std::terminate();
  ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &length);
  port_ = ntohs(address.sin_port);
  ::listen(listener_, 64);
  acceptor_ = std::thread([this] { accept_all(); });
}

smtp_server::~smtp_server() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
    ::shutdown(listener_, SHUT_RDWR);
    for (const int client : clients_)
      ::shutdown(client, SHUT_RDWR);
  }
  acceptor_.join();
  for (auto& thread : threads_)
    thread.join();
  ::close(listener_);
}

std::string smtp_server::url(const std::string& path) const {
  return "smtp://127.0.0.1:" + std::to_string(port_) + path;
}

std::vector<std::string> smtp_server::commands() {
  const std::lock_guard lock(mutex_);
  return commands_;
}

std::vector<std::string> smtp_server::messages() {
  const std::lock_guard lock(mutex_);
  return messages_;
}

std::size_t smtp_server::sessions() {
  const std::lock_guard lock(mutex_);
  return threads_.size();
}

bool smtp_server::wait_for_commands(std::size_t count) {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, std::chrono::seconds{10}, [&] { return commands_.size() >= count; });
}

void smtp_server::accept_all() {
  for (;;) {
    const int client = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    const std::lock_guard lock(mutex_);
    if (client < 0 || closing_) {
      if (client >= 0)
        ::close(client);
      return;
    }
    clients_.push_back(client);
    threads_.emplace_back([this, client] {
      serve(client);
      const std::lock_guard ending(mutex_);
      std::erase(clients_, client);
      ::close(client); // whatever the client still sends is refused
    });
  }
}

void smtp_server::serve(int client) {
  if (!react(client, "GREETING", "220 server.example"))
    return;
  std::string input;
  std::string line;
  while (read_line(client, input, line)) {
    const auto verb = line.substr(0, line.find(' '));
    {
      const std::lock_guard lock(mutex_);
      commands_.push_back(line);
      changed_.notify_all();
    }
    const std::string usual = verb == "EHLO"   ? "250-server.example\r\n" + script_.extensions
                              : verb == "DATA" ? "354 go on"
                              : verb == "AUTH" ? "334 "
                              : verb == "QUIT" ? "221 2.0.0 bye"
                                               : "250 2.1.0 fine";
    if (!react(client, verb, usual))
      return;
    const bool usual_reply = !script_.replies.contains(verb);
    if (verb == "AUTH" && usual_reply
        && !(read_line(client, input, line) && send_all(client, "235 2.7.0 welcome\r\n")))
      return;
    if (verb == "DATA" && usual_reply
        && !(read_message(client, input) && react(client, "MESSAGE", "250 2.0.0 queued as Q1")))
      return;
  }
}

bool smtp_server::react(int client, const std::string& verb, const std::string& usual) {
  const auto found = script_.replies.find(verb);
  const auto& reply = found == script_.replies.end() ? usual : found->second;
  std::string rest;
  if (reply == "hang")
    static_cast<void>(read_line(client, rest, rest));
  return reply != "hang" && reply != "close" && send_all(client, reply + "\r\n");
}

bool smtp_server::read_message(int client, std::string& input) {
  while (input.find("\r\n.\r\n") == std::string::npos)
    if (input.size() > script_.message_bytes_max || !receive(client, input))
      return false;
  const auto end = input.find("\r\n.\r\n");
  const std::lock_guard lock(mutex_);
  messages_.push_back(input.substr(0, end + 2));
  input.erase(0, end + 5);
  return true;
}

} // namespace sluice::tests
