#pragma once

#include "api/tls_identity.hpp"
#include "core/time.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core/basic_stream.hpp>

#include <cstddef>
#include <optional>
#include <utility>

/// For the server's and the client's own sources: here Beast shows.
namespace sluice::api {

/// With it an operation is awaited for a tuple, whose first value is its error.
inline constexpr auto awaited = boost::asio::as_tuple(boost::asio::use_awaitable);

/// The bytes between a client and the server, in clear or by TLS; a Beast AsyncStream with basic_stream's
/// timeouts. For one coroutine.
class wire {
public:
  using protocol = boost::asio::generic::stream_protocol;
  using transport = boost::beast::basic_stream<protocol>;
  using executor_type = transport::executor_type;
  using error_code = boost::system::error_code;

  /// `identity` null: in clear.
  wire(protocol::socket socket, tls_identity identity)
      : transport_(std::move(socket)), identity_(std::move(identity)) {
    if (identity_)
      tls_.emplace(transport_, *identity_);
  }

  [[nodiscard]] executor_type get_executor() noexcept { return transport_.get_executor(); }

  void expires_after(core::duration time) { transport_.expires_after(time); }
  void expires_never() { transport_.expires_never(); }
  /// What waits for bytes ends with operation_aborted; the wire stays good.
  void cancel() { transport_.cancel(); }
  void close() { transport_.close(); }
  [[nodiscard]] transport& lowest() noexcept { return transport_; }
  [[nodiscard]] protocol::socket& socket() noexcept { return transport_.socket(); }

  /// Before the first byte, as the one that was called or the one that calls; nothing in clear.
  boost::asio::awaitable<error_code> open(boost::asio::ssl::stream_base::handshake_type as);
  /// The last byte was written; the other end may still send.
  boost::asio::awaitable<void> end_writing();
  /// Reads bytes nobody wants; 0 at their end.
  boost::asio::awaitable<std::size_t> drop_some();

  template <class Buffers, class Token>
  auto async_read_some(const Buffers& buffers, Token&& token) {
    return tls_ ? tls_->async_read_some(buffers, std::forward<Token>(token))
                : transport_.async_read_some(buffers, std::forward<Token>(token));
  }
  template <class Buffers, class Token>
  auto async_write_some(const Buffers& buffers, Token&& token) {
    return tls_ ? tls_->async_write_some(buffers, std::forward<Token>(token))
                : transport_.async_write_some(buffers, std::forward<Token>(token));
  }

private:
  transport transport_;
  tls_identity identity_;
  std::optional<boost::asio::ssl::stream<transport&>> tls_;
};

} // namespace sluice::api
