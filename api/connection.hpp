#pragma once

#include "api/gate.hpp"
#include "api/server.hpp"
#include "api/streams.hpp"
#include "api/wire.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/buffer_body.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>

#include <cstdint>
#include <expected>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>

/// For the server's own sources: here Beast shows.
namespace sluice::api {

class connection;

inline constexpr std::size_t read_ahead_bytes = 64U << 10;

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
  tls_identity identity;                     ///< of what is accepted from here on; null: in clear
  std::list<connection*> waiting;            ///< without a whole head, the longest first
  std::unordered_set<connection*> streaming; ///< to be woken when it closes
  std::int64_t living = 0;
  bool closing = false;
  boost::asio::io_context io{1}; ///< last: what it still holds when it ends uses the rest
};

/// The head of an answer, but for its length.
template <class Body>
void set_head(boost::beast::http::response<Body>& message, const response& answer, bool keep_alive) {
  namespace http = boost::beast::http;
  message.version(11);
  message.result(static_cast<unsigned>(answer.status));
  message.keep_alive(keep_alive);
  message.set(http::field::cache_control, "no-store");
  message.set("X-Content-Type-Options", "nosniff");
  if (message.result() != http::status::no_content) // RFC 9110 section 15.3.5
    message.set(http::field::content_type, answer.content_type);
  for (const auto& [name, value] : answer.headers)
    message.set(name, value);
}

/// To a request that nobody answered in time.
[[nodiscard]] response late_answer();

/// Who is at the other end.
struct peer {
  bool local_user = false; ///< the node's own user, on its own machine
  std::string address;     ///< as raw_request has it
};

/// One client, by TCP or over the machine's own socket. Owned by its coroutine.
class connection {
public:
  /// `identity` null: in clear.
  connection(connection_hall& hall, wire::protocol::socket socket, tls_identity identity, peer from);
  ~connection();
  connection(const connection&) = delete;
  connection& operator=(const connection&) = delete;

  boost::asio::awaitable<void> run();

  void cut();
  /// Of one that serves a stream: something may have come for it.
  void wake();

private:
  using error_code = boost::system::error_code;

  /// Asks somebody on another thread and waits; nothing where no answer comes in time.
  template <class Answer, class Ask>
  boost::asio::awaitable<std::optional<Answer>> answer_of(Ask ask);

  boost::asio::awaitable<error_code> open();
  boost::asio::awaitable<bool> serve_one();
  boost::asio::awaitable<std::expected<admitted, problem>> admit(const request_head& head);
  boost::asio::awaitable<std::expected<caller, problem>> sender_of(const shown_sender& shown);
  boost::asio::awaitable<error_code> read_head();
  boost::asio::awaitable<error_code> read_body(const request_head& head);
  boost::asio::awaitable<response> served(admitted request);
  boost::asio::awaitable<bool> write(response answer, bool keep_alive);
  void count_answer(const response& answer);
  [[nodiscard]] std::shared_ptr<const raw_request> raw_asked();
  [[nodiscard]] std::optional<problem> problem_of(error_code failed) const;
  boost::asio::awaitable<bool> refuse(error_code failed);
  boost::asio::awaitable<void> part();
  void start_waiting();
  void stop_waiting();

  // connection_streams.cpp

  struct exchange;
  void begin_exchange(bool chunked);
  void end_exchange();
  template <class Value, class Act>
  std::function<void(Value)> from_elsewhere(Act act);
  /// A request whose body is a stream.
  boost::asio::awaitable<bool> serve_streamed(admitted request, const request_head& head);
  /// An answer that is one; its client has nothing more to say.
  boost::asio::awaitable<bool> serve_pieces(response answer, const request_head& head);
  boost::asio::awaitable<bool> woken_within(core::duration patience);
  boost::asio::awaitable<void> feed();
  boost::asio::awaitable<std::optional<body_piece>> read_piece();
  error_code parse_body();
  boost::asio::awaitable<error_code> read_more();
  boost::asio::awaitable<bool> write_pieces(response answer);
  boost::asio::awaitable<error_code> write_pieces_head(const response& answer, bool stays);
  boost::asio::awaitable<error_code> write_chunk(const std::string& text);

  connection_hall& hall_;
  wire stream_;
  peer from_;
  boost::asio::steady_timer settled_; ///< waited on while somebody else has the word
  boost::beast::flat_buffer buffer_;
  std::optional<boost::beast::http::request_parser<boost::beast::http::string_body>> parser_;
  std::optional<std::list<connection*>::iterator> place_;
  const route* asked_for_ = nullptr;   ///< by the request at hand, once its sender may
  std::shared_ptr<exchange> exchange_; ///< while it serves a stream
  std::optional<boost::beast::http::request_parser<boost::beast::http::buffer_body>>
      body_;                                         ///< a streamed one
  bool expects_ = false;                             ///< waits to be told to send its body
  bool is_head_ = false;                             ///< the request asks for the head alone
  std::size_t dropped_bytes_max_ = read_ahead_bytes; ///< when it parts
  bool spoken_ = false;                              ///< answered at the end, so that it parts in order
};

} // namespace sluice::api
