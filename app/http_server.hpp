#pragma once

#include "config/listen_address.hpp"
#include "core/time.hpp"

#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace sluice::app {

/// A request as it came; the views hold until the handler returns.
struct served_request {
  std::string_view method;
  std::string_view target; ///< path and query
  std::string_view body;
  std::function<std::string_view(std::string_view name)> header; ///< a header's value; empty: not sent
};

enum class reaction_kind : std::uint8_t {
  answer,
  cut,  ///< the connection ends without an answer
  hang, ///< nothing is answered, the connection stays
};

/// What a request is met with.
struct http_reaction {
  reaction_kind kind = reaction_kind::answer;
  int status = 200;
  std::string headers{};  ///< further lines of the answer, each with its CRLF
  std::string body{};     ///< JSON, or empty
  core::duration after{}; ///< the answer is held back so long
  bool last = false; ///< no request is taken after this one: the server stops once every answer owed is out
};

/// What a command's --listen says. The error is a sentence.
[[nodiscard]] std::expected<config::listen_address, std::string> read_listen_option(const std::string& text);

/// Serves HTTP/1.1 on one thread: what stands in for other people's systems, on loopback as a rule. A request
/// of more than 8 MiB, or one that is none, ends its connection.
class http_server {
public:
  /// Called for each request, on the thread that serves.
  using handler = std::function<http_reaction(const served_request&)>;

  /// Listens from here on. The error is a sentence.
  [[nodiscard]] static std::expected<http_server, std::string> listen(const config::listen_address& address,
                                                                      handler react);
  http_server(http_server&&) noexcept;
  http_server& operator=(http_server&&) noexcept;
  ~http_server();

  [[nodiscard]] std::string address() const; ///< "127.0.0.1:41234"
  [[nodiscard]] std::uint16_t port() const noexcept;

  void run();  ///< serves on the calling thread until stopped
  void stop(); ///< from any thread
  /// SIGTERM and SIGINT stop it; for a process that is nothing else.
  void stop_on_signals();

private:
  struct implementation;
  explicit http_server(std::unique_ptr<implementation> made);
  std::unique_ptr<implementation> implementation_;
};

} // namespace sluice::app
