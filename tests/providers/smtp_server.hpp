#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace sluice::tests {

/// What the server does at a command: "" accepts it in its usual words.
struct smtp_script {
  /// By the command's verb, "GREETING" or "MESSAGE" (the final dot): a reply without its line end, several
  /// lines with CRLF between; "close" or "hang" instead of one.
  std::map<std::string, std::string> replies;
  std::string extensions = "250-SIZE 10000000\r\n250-8BITMIME\r\n250-AUTH PLAIN\r\n250 ENHANCEDSTATUSCODES";
  std::size_t message_bytes_max = SIZE_MAX; ///< where the connection is closed in the middle of a message
};

/// An SMTP server on 127.0.0.1 that plays the same script in every session.
class smtp_server {
public:
  explicit smtp_server(smtp_script script = {});
  ~smtp_server();
  smtp_server(const smtp_server&) = delete;
  smtp_server& operator=(const smtp_server&) = delete;

  [[nodiscard]] std::string url(const std::string& path = "/client.example") const;
  [[nodiscard]] std::vector<std::string> commands(); ///< of all sessions, without their line ends
  [[nodiscard]] std::vector<std::string> messages(); ///< whole ones, up to the final dot
  [[nodiscard]] std::size_t sessions();
  /// Blocks until this many commands have arrived; false after ten seconds.
  [[nodiscard]] bool wait_for_commands(std::size_t count);

private:
  void accept_all();
  void serve(int client);
  [[nodiscard]] bool react(int client, const std::string& verb, const std::string& usual);
  [[nodiscard]] bool read_message(int client, std::string& input);

  const smtp_script script_;
  int listener_ = -1;
  std::uint16_t port_ = 0;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::string> commands_;
  std::vector<std::string> messages_;
  std::vector<int> clients_;
  std::vector<std::thread> threads_;
  bool closing_ = false;
  std::thread acceptor_;
};

} // namespace sluice::tests
