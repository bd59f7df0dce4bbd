#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace sluice::tests {

/// What the server does with one request.
struct reaction {
  enum class end { keep, close, hang }; ///< hang: say no more until the client leaves

  std::string bytes;
  std::string chunk; ///< sent behind `bytes`, `chunk_count` times, for answers without end
  std::size_t chunk_count = 0;
  bool drip = false; ///< one byte each 10 ms
  end then = end::keep;
};

[[nodiscard]] reaction answer(int status, const std::string& body = {}, const std::string& headers = {});

struct seen_request {
  std::string head; ///< request line and headers, as they came
  std::string body;
  std::size_t connection = 0; ///< 1 for the first connection accepted
};

/// A server on 127.0.0.1 that does to its requests, in their order of arrival, what a script says.
class test_server {
public:
  /// The last reaction serves all later requests too.
  explicit test_server(std::deque<reaction> script);
  ~test_server();
  test_server(const test_server&) = delete;
  test_server& operator=(const test_server&) = delete;

  [[nodiscard]] std::string url(const std::string& path = "/", const std::string& scheme = "http") const;

  /// Blocks until this many requests have arrived whole; false after ten seconds.
  [[nodiscard]] bool wait_for_requests(std::size_t count);
  /// Blocks until the server is through with this many connections; false after ten seconds.
  [[nodiscard]] bool wait_for_ended(std::size_t count);
  [[nodiscard]] std::vector<seen_request> requests();
  [[nodiscard]] std::size_t connections();
  [[nodiscard]] std::size_t most_at_once(); ///< requests that waited for their answer at one time

  void hold(); ///< requests from now on wait for `release` before anything is done to them
  void release();

private:
  void accept_all();
  void serve(int client, std::size_t number);
  [[nodiscard]] bool read_request(int client, std::string& input, seen_request& request);
  [[nodiscard]] bool react(int client, const reaction& what);
  [[nodiscard]] reaction next_reaction(const seen_request& request);

  int listener_ = -1;
  std::uint16_t port_ = 0;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<reaction> script_;
  std::vector<seen_request> requests_;
  std::vector<int> clients_;
  std::vector<std::thread> threads_;
  std::size_t connections_ = 0;
  std::size_t ended_ = 0; ///< of the connections
  std::size_t at_once_ = 0;
  std::size_t most_at_once_ = 0;
  bool held_ = false;
  bool closing_ = false;
  std::thread acceptor_;
};

/// A port of 127.0.0.1 nobody listens on.
[[nodiscard]] std::uint16_t closed_port();

} // namespace sluice::tests
