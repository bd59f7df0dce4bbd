#include "app/command_context.hpp"
#include "app/crm.hpp"
#include "app/crm_behaviour.hpp"
#include "app/crm_store.hpp"
#include "app/http_text.hpp"
#include "config/listen_address.hpp"

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

core::duration monotonic_now() {
  return std::chrono::duration_cast<core::duration>(std::chrono::steady_clock::now().time_since_epoch());
}

/// What all connections share.
struct crm_target {
  explicit crm_target(const crm_options& chosen) : options{chosen}, behaviour{chosen} {}

  [[nodiscard]] std::string state() const {
    const auto& counts = behaviour.counts();
    return "{\"requests\":" + std::to_string(counts.requests) + ",\"collections\":" + store.state_json()
           + ",\"peak_requests_in_60s\":" + std::to_string(behaviour.peak()) + ",\"rate_limited\":"
           + std::to_string(counts.rate_limited) + ",\"failed\":" + std::to_string(counts.failed)
           + ",\"lost_replies\":" + std::to_string(counts.lost_replies)
           + ",\"hung\":" + std::to_string(counts.hung) + "}";
  }

  crm_options options;
  crm_behaviour behaviour;
  crm_store store;
};

/// One client connection: reads a request, answers it, reads the next. Lives as long as one of its operations
/// is out.
class crm_connection : public std::enable_shared_from_this<crm_connection> {
public:
  crm_connection(tcp::socket socket, crm_target& target)
      : socket_{std::move(socket)}, timer_{socket_.get_executor()}, target_{target} {}

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
    const auto& request = parser_->get();
    const std::string_view path{request.target().data(), request.target().size()};
    if (path == "/_state") {
      answer({200, target_.state()}, {});
      return;
    }
    if (constexpr std::string_view prefix = "/_state/"; path.starts_with(prefix)) {
      answer({200, target_.store.items_json(path.substr(prefix.size()))}, {});
      return;
    }
    serve(target_.behaviour.next(monotonic_now()));
  }

  void serve(crm_mood mood) {
    switch (mood) {
    case crm_mood::limit: {
      const auto wait = target_.behaviour.retry_after_seconds(monotonic_now());
      answer_late({429, R"({"error":"too many requests"})"}, "Retry-After: " + std::to_string(wait) + "\r\n");
      return;
    }
    case crm_mood::fail:
      answer_late({503, R"({"error":"not now"})"}, {});
      return;
    case crm_mood::hang:
      // Readable means that the client has given up, or sends what nobody reads: either way the end.
      socket_.async_wait(tcp::socket::wait_read, [self = shared_from_this()](error_code) {});
      return;
    case crm_mood::lose_reply:
      (void)handle();
      cut();
      return;
    case crm_mood::serve:
      answer_late(handle(), {});
      return;
    }
  }

  crm_reply handle() {
    const auto& request = parser_->get();
    const auto key = target_.options.ignore_keys ? boost::beast::string_view{} : request["Idempotency-Key"];
    const auto method = request.method_string();
    return target_.store.handle({.method = {method.data(), method.size()},
                                 .target = {request.target().data(), request.target().size()},
                                 .body = request.body(),
                                 .idempotency_key = {key.data(), key.size()},
                                 .at = wall_now()});
  }

  void answer_late(const crm_reply& reply, std::string_view header) {
    if (target_.options.latency == core::duration{}) {
      answer(reply, header);
      return;
    }
    compose(reply, header);
    timer_.expires_after(target_.options.latency);
    timer_.async_wait([self = shared_from_this()](error_code failed) {
      if (!failed) {
        self->write();
      }
    });
  }

  void answer(const crm_reply& reply, std::string_view header) {
    compose(reply, header);
    write();
  }

  void compose(const crm_reply& reply, std::string_view header) {
    out_ = http_answer_text(reply.status, header, reply.body, parser_->get().keep_alive());
  }

  void write() {
    asio::async_write(socket_, asio::buffer(out_),
                      [self = shared_from_this()](error_code failed, std::size_t) {
                        if (failed) {
                          return;
                        }
                        if (self->parser_->get().keep_alive()) {
                          self->read();
                        } else {
                          self->cut();
                        }
                      });
  }

  void cut() {
    error_code ignored;
    static_cast<void>(socket_.shutdown(tcp::socket::shutdown_both, ignored));
    static_cast<void>(socket_.close(ignored));
  }

  tcp::socket socket_;
  asio::steady_timer timer_;
  crm_target& target_;
  boost::beast::flat_buffer buffer_;
  std::optional<http::request_parser<http::string_body>> parser_;
  std::string out_;
};

std::expected<tcp::endpoint, std::string> read_endpoint(const std::string& text) {
  const auto read = config::parse_listen_address(text);
  if (!read) {
    return std::unexpected{"--listen " + text + " is not an address; " + read.error()};
  }
  return tcp::endpoint{asio::ip::make_address(read->address), read->port};
}

} // namespace

struct crm_server::implementation {
  explicit implementation(const crm_options& options) : target{options} {}

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
      std::make_shared<crm_connection>(std::move(socket), target)->read();
      accept();
    });
  }

  crm_target target;
  asio::io_context io{1};
  tcp::acceptor acceptor{io};
  asio::steady_timer pause{io};
  asio::signal_set signals{io};
};

crm_server::crm_server(std::unique_ptr<implementation> made) : implementation_{std::move(made)} {}
crm_server::crm_server(crm_server&&) noexcept = default;
crm_server& crm_server::operator=(crm_server&&) noexcept = default;
crm_server::~crm_server() = default;

std::expected<crm_server, std::string> crm_server::listen(const crm_options& options) {
  const auto endpoint = read_endpoint(options.listen);
  if (!endpoint) {
    return std::unexpected{endpoint.error()};
  }
  auto made = std::make_unique<implementation>(options);
  if (const auto failed = made->open(*endpoint)) {
    return std::unexpected{"cannot listen on " + options.listen + ": " + failed.message()};
  }
  made->accept();
  return crm_server{std::move(made)};
}

std::string crm_server::address() const {
  const auto endpoint = implementation_->acceptor.local_endpoint();
  const auto host = endpoint.address().to_string();
  return (endpoint.address().is_v6() ? "[" + host + "]" : host) + ":" + std::to_string(endpoint.port());
}

std::uint16_t crm_server::port() const noexcept {
  error_code ignored;
  return implementation_->acceptor.local_endpoint(ignored).port();
}

void crm_server::run() {
  implementation_->io.run();
}

void crm_server::stop() {
  implementation_->io.stop();
}

void crm_server::stop_on_signals() {
  auto& signals = implementation_->signals;
  error_code ignored;
  static_cast<void>(signals.add(SIGTERM, ignored));
  static_cast<void>(signals.add(SIGINT, ignored));
  signals.async_wait([&io = implementation_->io](error_code failed, int) {
    if (!failed) {
      io.stop();
    }
  });
}

} // namespace sluice::app
