#include "api/wire.hpp"

#include <array>
#include <tuple>

namespace sluice::api {

namespace {

namespace asio = boost::asio;

} // namespace

asio::awaitable<wire::error_code> wire::open(asio::ssl::stream_base::handshake_type as) {
  error_code failed;
  if (tls_)
    std::tie(failed) = co_await tls_->async_handshake(as, awaited);
  co_return failed;
}

/// A TLS client that is not told so takes the end for a cut (RFC 8446 section 6.1).
asio::awaitable<void> wire::end_writing() {
  error_code ignored;
  if (tls_)
    std::tie(ignored) = co_await tls_->async_shutdown(awaited);
  static_cast<void>(transport_.socket().shutdown(asio::socket_base::shutdown_send, ignored));
}

asio::awaitable<std::size_t> wire::drop_some() {
  std::array<char, 4096> unwanted{};
  auto [failed, count] = co_await transport_.async_read_some(asio::buffer(unwanted), awaited);
  co_return failed ? 0 : count;
}

} // namespace sluice::api
