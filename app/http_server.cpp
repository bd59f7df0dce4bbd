#include "app/http_server.hpp"

#include "app/http_text.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>

#include <chrono>
#include <csignal>
#include <optional>
#include <utility>

namespace sluice::app {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using asio::ip::tcp;
using boost::system::error_code;

constexpr std::uint64_t body_bytes_max = std::uint64_t{8} << 20;
constexpr std::uint32_t header_bytes_max = 32U << 10;

std::string_view view_of(boost::beast::string_view text) {
  return {text.data(), text.size()};
}

/// What all connections share.
struct shared_service {
  http_server::handler react;
  asio::io_context io{1};
  std::int64_t answers_owed = 0;
  bool ending = false; ///< the last request has come

  void answered() {
    --answers_owed;
    stop_when_done();
  }
  void stop_when_done() {
    if (ending && answers_owed == 0) {
      io.stop();
    }
  }
};

/// One client connection: reads a request, answers it, reads the next. Lives as long as one of its operations
/// is out.
class served_connection : public std::enable_shared_from_this<served_connection> {
public:
  served_connection(tcp::socket socket, shared_service& service)
      : socket_{std::move(socket)}, timer_{socket_.get_executor()}, service_{service} {}

  void read() {
    parser_.emplace();
    parser_->body_limit(body_bytes_max);
    parser_->header_limit(header_bytes_max);
    http::async_read(socket_, buffer_, *parser_, [self = shared_from_this()](error_code failed, std::size_t) {
      if (!failed) {
        self->on_request();
      }
    });
  }

private:
  void on_request() {
    if (service_.ending) {
      cut();
      return;
    }
    const auto& request = parser_->get();
    const auto method = request.method_string();
    const auto reaction =
        service_.react({.method = view_of(method),
                        .target = view_of(request.target()),
                        .body = request.body(),
                        .header = [&request](std::string_view name) {
                          return view_of(request[boost::beast::string_view{name.data(), name.size()}]);
                        }});
    service_.ending = reaction.last;
    perform(reaction);
    service_.stop_when_done();
  }

  void perform(const http_reaction& reaction) {
    switch (reaction.kind) {
    case reaction_kind::hang:
      // Readable means that the client has given up, or sends what nobody reads: either way the end.
      socket_.async_wait(tcp::socket::wait_read, [self = shared_from_this()](error_code) {});
      return;
    case reaction_kind::cut:
      cut();
      return;
    case reaction_kind::answer:
      answer(reaction);
      return;
    }
  }

  void answer(const http_reaction& reaction) {
    ++service_.answers_owed;
    out_ = http_answer_text(reaction.status, reaction.headers, reaction.body, parser_->get().keep_alive());
    if (reaction.after == core::duration{}) {
      write();
      return;
    }
    timer_.expires_after(reaction.after);
    timer_.async_wait([self = shared_from_this()](error_code failed) {
      if (!failed) {
        self->write();
      }
    });
  }

  void write() {
    asio::async_write(socket_, asio::buffer(out_),
                      [self = shared_from_this()](error_code failed, std::size_t) { self->wrote(failed); });
  }

  void wrote(error_code failed) {
    service_.answered();
    if (failed) {
      return;
    }
    if (parser_->get().keep_alive()) {
      read();
    } else {
      cut();
    }
  }

  void cut() {
    error_code ignored;
    static_cast<void>(socket_.shutdown(tcp::socket::shutdown_both, ignored));
    static_cast<void>(socket_.close(ignored));
  }

  tcp::socket socket_;
  asio::steady_timer timer_;
  shared_service& service_;
  boost::beast::flat_buffer buffer_;
  std::optional<http::request_parser<http::string_body>> parser_;
  std::string out_;
};

} // namespace

std::expected<config::listen_address, std::string> read_listen_option(const std::string& text) {
  auto read = config::parse_listen_address(text);
  if (!read) {
    return std::unexpected{"--listen " + text + " is not an address; " + read.error()};
  }
  return read;
}

struct http_server::implementation {
  explicit implementation(handler react) : service{.react = std::move(react)} {}

  error_code open(const tcp::endpoint& endpoint) {
    error_code failed;
    static_cast<void>(acceptor.open(endpoint.protocol(), failed));
    if (!failed) {
      static_cast<void>(acceptor.set_option(tcp::acceptor::reuse_address(true), failed));
    }
    if (!failed) {
      static_cast<void>(acceptor.bind(endpoint, failed));
    }
    if (!failed) {
      static_cast<void>(acceptor.listen(asio::socket_base::max_listen_connections, failed));
    }
    return failed;
  }

  void accept() {
    acceptor.async_accept([this](error_code failed, tcp::socket socket) {
      if (failed == asio::error::operation_aborted) {
        return;
      }
      if (failed) { // out of descriptors, most likely: give some time to come back
        pause.expires_after(std::chrono::milliseconds{100});
        pause.async_wait([this](error_code stopped) {
          if (!stopped) {
            accept();
          }
        });
        return;
      }
      error_code ignored;
      static_cast<void>(socket.set_option(tcp::no_delay(true), ignored));
      std::make_shared<served_connection>(std::move(socket), service)->read();
      accept();
    });
  }

  shared_service service;
  tcp::acceptor acceptor{service.io};
  asio::steady_timer pause{service.io};
  asio::signal_set signals{service.io};
};

http_server::http_server(std::unique_ptr<implementation> made) : implementation_{std::move(made)} {}
http_server::http_server(http_server&&) noexcept = default;
http_server& http_server::operator=(http_server&&) noexcept = default;
http_server::~http_server() = default;

std::expected<http_server, std::string> http_server::listen(const config::listen_address& address,
                                                            handler react) {
  auto made = std::make_unique<implementation>(std::move(react));
  if (const auto failed = made->open({asio::ip::make_address(address.address), address.port})) {
    return std::unexpected{"cannot listen on " + address.text() + ": " + failed.message()};
  }
  made->accept();
  return http_server{std::move(made)};
}

std::string http_server::address() const {
  const auto endpoint = implementation_->acceptor.local_endpoint();
  return config::listen_address{endpoint.address().to_string(), endpoint.port()}.text();
}

std::uint16_t http_server::port() const noexcept {
  error_code ignored;
  return implementation_->acceptor.local_endpoint(ignored).port();
}

void http_server::run() {
  implementation_->service.io.run();
}

void http_server::stop() {
  implementation_->service.io.stop();
}

void http_server::stop_on_signals() {
  auto& signals = implementation_->signals;
  error_code ignored;
  static_cast<void>(signals.add(SIGTERM, ignored));
  static_cast<void>(signals.add(SIGINT, ignored));
  signals.async_wait([&io = implementation_->service.io](error_code failed, int) {
    if (!failed) {
      io.stop();
    }
  });
}

} // namespace sluice::app
