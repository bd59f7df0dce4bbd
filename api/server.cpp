#include "api/server.hpp"

#include "api/connection.hpp"
#include "config/listen_address.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <future>
#include <string_view>
#include <thread>
#include <utility>

namespace sluice::api {

namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

constexpr auto awaited = asio::as_tuple(asio::use_awaitable);
constexpr auto accept_pause = std::chrono::milliseconds{100};

} // namespace

struct server::implementation {
  explicit implementation(plan given) : hall(std::make_shared<connection_hall>(std::move(given))) {}

  error_code open(const config::listen_address& where);
  void run();
  asio::awaitable<void> accept_all();
  void take(tcp::socket socket);
  void close();

  std::shared_ptr<connection_hall> hall; ///< an answer on its way from another thread holds it too
  tcp::acceptor acceptor{hall->io};
  asio::steady_timer pause{hall->io};
  tcp::endpoint local;
  std::thread thread;
  std::promise<void> over;
};

error_code server::implementation::open(const config::listen_address& where) {
  const tcp::endpoint endpoint{asio::ip::make_address(where.address), where.port};
  error_code failed;
  static_cast<void>(acceptor.open(endpoint.protocol(), failed));
  if (!failed)
    static_cast<void>(acceptor.set_option(tcp::acceptor::reuse_address(true), failed));
  if (!failed)
    static_cast<void>(acceptor.bind(endpoint, failed));
  if (!failed)
    static_cast<void>(acceptor.listen(asio::socket_base::max_listen_connections, failed));
  if (!failed)
    local = acceptor.local_endpoint(failed);
  return failed;
}

void server::implementation::run() {
  asio::co_spawn(hall->io, accept_all(), asio::detached);
  hall->io.run();
  over.set_value();
}

asio::awaitable<void> server::implementation::accept_all() {
  while (!hall->closing) {
    auto [failed, socket] = co_await acceptor.async_accept(awaited);
    if (!failed) {
      take(std::move(socket));
    } else if (!hall->closing) { // out of descriptors, most likely: give some time to come back
      pause.expires_after(accept_pause);
      (void)co_await pause.async_wait(awaited);
    }
  }
}

void server::implementation::take(tcp::socket socket) {
  error_code ignored;
  if (hall->full()
      && !hall->make_room()) { // all of them are being served: nothing to give, and nothing kept of it
    const auto text = std::string_view{"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\n"
                                       "Content-Length: 0\r\nConnection: close\r\n\r\n"};
    static_cast<void>(socket.non_blocking(true, ignored));
    socket.write_some(asio::buffer(text), ignored);
    return;
  }
  static_cast<void>(socket.set_option(tcp::no_delay(true), ignored));
  auto made = std::make_unique<connection>(*hall, std::move(socket));
  auto life = [](std::unique_ptr<connection> of) -> asio::awaitable<void> { co_await of->run(); };
  asio::co_spawn(hall->io, life(std::move(made)), asio::detached);
}

void server::implementation::close() {
  hall->closing = true;
  error_code ignored;
  static_cast<void>(acceptor.close(ignored));
  pause.cancel();
  while (hall->make_room()) {
  }
}

std::expected<std::unique_ptr<server>, std::string> server::start(plan how) {
  const auto where = config::parse_listen_address(how.settings.listen);
  if (!where)
    return std::unexpected{where.error()};
  auto made = std::make_unique<implementation>(std::move(how));
  if (const auto failed = made->open(*where))
    return std::unexpected{"the API cannot listen on " + where->text() + ": " + failed.message()};
  made->thread = std::thread{[raw = made.get()] { raw->run(); }};
  return std::unique_ptr<server>{new server(std::move(made))};
}

server::server(std::unique_ptr<implementation> made) : implementation_(std::move(made)) {}

server::~server() {
  end(core::duration{0});
}

std::uint16_t server::port() const noexcept {
  return implementation_->local.port();
}

std::string server::address() const {
  return config::listen_address{implementation_->local.address().to_string(), port()}.text();
}

void server::close() {
  asio::post(implementation_->hall->io, [raw = implementation_.get()] { raw->close(); });
}

void server::end(core::duration patience) {
  auto& made = *implementation_;
  if (!made.thread.joinable())
    return;
  close();
  made.over.get_future().wait_for(patience);
  made.hall->io.stop();
  made.thread.join();
}

} // namespace sluice::api
