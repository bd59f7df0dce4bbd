#pragma once

#include "api/gate.hpp"
#include "api/server.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/basic_stream.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>

#include <cstdint>
#include <expected>
#include <list>
#include <memory>
#include <optional>
#include <utility>

/// For the server's own sources: here Beast shows.
namespace sluice::api {

class connection;

/// What the connections of one server share. Only the server's thread touches it, save `io`.
struct connection_hall : std::enable_shared_from_this<connection_hall> {
  explicit connection_hall(server::plan given)
      : how(std::move(given)),
        checks(*how.routes, how.who, static_cast<std::uint64_t>(how.settings.body_bytes_max)) {}

  [[nodiscard]] bool full() const { return std::cmp_greater_equal(living, how.settings.connections_max); }

  /// Cuts the connection that has waited longest for a whole head; false when none waits.
  bool make_room();

  server::plan how;
  gate checks;
  std::list<connection*> waiting; ///< without a whole head, the longest first
  std::int64_t living = 0;
  bool closing = false;
  boost::asio::io_context io{1}; ///< last: what it still holds when it ends uses the rest
};

/// One client, by TCP or over the machine's own socket. Owned by its coroutine.
class connection {
public:
  using protocol = boost::asio::generic::stream_protocol;

  /// `local_user`: it is the node's own user, on its own machine.
  connection(connection_hall& hall, protocol::socket socket, bool local_user);
  ~connection();
  connection(const connection&) = delete;
  connection& operator=(const connection&) = delete;

  boost::asio::awaitable<void> run();

  void cut();

private:
  using error_code = boost::system::error_code;

  /// Asks somebody on another thread and waits; nothing where no answer comes in time.
  template <class Answer, class Ask>
  boost::asio::awaitable<std::optional<Answer>> answer_of(Ask ask);

  boost::asio::awaitable<bool> serve_one();
  boost::asio::awaitable<std::expected<admitted, problem>> admit(const request_head& head);
  boost::asio::awaitable<std::expected<caller, problem>> sender_of(const shown_sender& shown);
  boost::asio::awaitable<error_code> read_head();
  boost::asio::awaitable<error_code> read_body(const request_head& head);
  boost::asio::awaitable<response> served(admitted request);
  boost::asio::awaitable<bool> write(response answer, bool keep_alive);
  boost::asio::awaitable<bool> refuse(error_code failed);
  boost::asio::awaitable<void> part();
  void start_waiting();
  void stop_waiting();

  connection_hall& hall_;
  boost::beast::basic_stream<protocol> stream_;
  bool local_user_;
  boost::asio::steady_timer settled_; ///< waited on while somebody else has the word
  boost::beast::flat_buffer buffer_;
  std::optional<boost::beast::http::request_parser<boost::beast::http::string_body>> parser_;
  std::optional<std::list<connection*>::iterator> place_;
  const route* asked_for_ = nullptr; ///< by the request at hand, once its sender may
  bool spoken_ = false;              ///< answered at the end, so that it parts in order
};

} // namespace sluice::api
