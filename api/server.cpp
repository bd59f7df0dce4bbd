#include "api/server.hpp"

#include "api/connection.hpp"
#include "config/listen_address.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/post.hpp>

#include <cerrno>
#include <future>
#include <string_view>
#include <sys/socket.h>
#include <sys/stat.h>
#include <thread>
#include <type_traits>
#include <unistd.h>
#include <utility>
#include <vector>

namespace sluice::api {

namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using local = asio::local::stream_protocol;
using boost::system::error_code;

constexpr auto accept_pause = std::chrono::milliseconds{100};

bool is_socket(const std::string& path) {
  struct stat found{};
  return ::lstat(path.c_str(), &found) == 0 && S_ISSOCK(found.st_mode);
}

peer peer_of(tcp::socket& from) {
  error_code gone;
  const auto at = from.remote_endpoint(gone);
  return {false, gone ? std::string{"unknown"} : at.address().to_string()};
}

/// The kernel says who connected; the file's mode has kept others out already.
peer peer_of(local::socket& from) {
  struct ucred who{};
  socklen_t size = sizeof(who);
  const auto known = ::getsockopt(from.native_handle(), SOL_SOCKET, SO_PEERCRED, &who, &size) == 0;
  return {known && (who.uid == ::geteuid() || who.uid == 0), "local"};
}

/// Null where it speaks in clear.
std::expected<tls_identity, std::string> identity_of(const config::api_settings& settings) {
  if (settings.tls_certificate_file.empty())
    return tls_identity{};
  return read_tls_identity(settings.tls_certificate_file, settings.tls_key_file);
}

std::vector<telemetry::route_counters::route> counted_routes(const router& routes) {
  std::vector<telemetry::route_counters::route> counted;
  for (const auto& each : routes.routes())
    counted.push_back({each.method, each.pattern});
  return counted;
}

} // namespace

struct server::implementation {
  explicit implementation(plan given) : hall(std::make_shared<connection_hall>(std::move(given))) {}
  ~implementation() {
    if (!socket_path.empty())
      ::unlink(socket_path.c_str());
  }
  implementation(const implementation&) = delete;
  implementation& operator=(const implementation&) = delete;

  error_code open(const config::listen_address& where);
  error_code open_socket(const std::string& path);
  void run();
  template <class Acceptor>
  asio::awaitable<void> accept_all(Acceptor& at);
  void take(wire::protocol::socket socket, bool in_clear, peer from);
  void close();

  std::shared_ptr<connection_hall> hall; ///< an answer on its way from another thread holds it too
  tcp::acceptor acceptor{hall->io};
  local::acceptor socket_acceptor{hall->io};
  std::string socket_path; ///< ours, once it is bound
  std::string socket_fault;
  asio::steady_timer pause{hall->io};
  tcp::endpoint bound;
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
    bound = acceptor.local_endpoint(failed);
  return failed;
}

/// What an earlier life left behind is removed; where somebody still answers, it is theirs.
error_code server::implementation::open_socket(const std::string& path) {
  const local::endpoint endpoint{path};
  error_code failed;
  local::socket probe{hall->io};
  if (!probe.connect(endpoint, failed))
    return asio::error::address_in_use;
  if (failed == asio::error::connection_refused && is_socket(path))
    ::unlink(path.c_str());
  failed = {};
  static_cast<void>(socket_acceptor.open(endpoint.protocol(), failed));
  if (!failed)
    static_cast<void>(socket_acceptor.bind(endpoint, failed));
  if (failed)
    return failed;
  socket_path = path;
  if (::chmod(path.c_str(), S_IRUSR | S_IWUSR) != 0)
    return {errno, boost::system::system_category()};
  static_cast<void>(socket_acceptor.listen(asio::socket_base::max_listen_connections, failed));
  return failed;
}

void server::implementation::run() {
  if (acceptor.is_open())
    asio::co_spawn(hall->io, accept_all(acceptor), asio::detached);
  if (socket_acceptor.is_open())
    asio::co_spawn(hall->io, accept_all(socket_acceptor), asio::detached);
  hall->io.run();
  over.set_value();
}

template <class Acceptor>
asio::awaitable<void> server::implementation::accept_all(Acceptor& at) {
  while (!hall->closing) {
    auto [failed, socket] = co_await at.async_accept(awaited);
    if (!failed) {
      constexpr auto stays_on_machine = std::is_same_v<Acceptor, local::acceptor>;
      auto from = peer_of(socket);
      take(std::move(socket), stays_on_machine, std::move(from));
    } else if (!hall->closing) { // out of descriptors, most likely: give some time to come back
      pause.expires_after(accept_pause);
      (void)co_await pause.async_wait(awaited);
    }
  }
}

void server::implementation::take(wire::protocol::socket socket, bool in_clear, peer from) {
  error_code ignored;
  if (hall->full()
      && !hall->make_room()) { // all of them are being served: nothing to give, and nothing kept of it
    const auto text = std::string_view{"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\n"
                                       "Content-Length: 0\r\nConnection: close\r\n\r\n"};
    static_cast<void>(socket.non_blocking(true, ignored));
    if (in_clear || !hall->identity)
      socket.send(asio::buffer(text), 0, ignored);
    return;
  }
  static_cast<void>(socket.set_option(tcp::no_delay(true), ignored)); // the machine's own has no such thing
  auto made = std::make_unique<connection>(*hall, std::move(socket), in_clear ? nullptr : hall->identity,
                                           std::move(from));
  auto life = [](std::unique_ptr<connection> of) -> asio::awaitable<void> { co_await of->run(); };
  asio::co_spawn(hall->io, life(std::move(made)), asio::detached);
}

void server::implementation::close() {
  hall->closing = true;
  error_code ignored;
  static_cast<void>(acceptor.close(ignored));
  static_cast<void>(socket_acceptor.close(ignored));
  pause.cancel();
  while (hall->make_room()) {
  }
  for (auto* each : hall->streaming)
    each->wake();
}

std::expected<std::unique_ptr<server>, std::string> server::start(plan how) {
  how.metrics->api_requests.set_routes(counted_routes(*how.routes));
  auto made = std::make_unique<implementation>(std::move(how));
  const auto& settings = made->hall->how.settings;
  if (auto identity = identity_of(settings))
    made->hall->identity = std::move(*identity);
  else
    return std::unexpected{identity.error()};
  if (!settings.listen.empty()) {
    const auto where = config::parse_listen_address(settings.listen);
    if (!where)
      return std::unexpected{where.error()};
    if (const auto failed = made->open(*where))
      return std::unexpected{"the API cannot listen on " + where->text() + ": " + failed.message()};
  }
  if (const auto& path = made->hall->how.socket_path; !path.empty())
    if (const auto failed = made->open_socket(path))
      made->socket_fault = "the API cannot listen on " + path + ": " + failed.message();
  if (!made->socket_fault.empty() && !made->hall->how.socket_optional)
    return std::unexpected{made->socket_fault};
  made->thread = std::thread{[raw = made.get()] { raw->run(); }};
  return std::unique_ptr<server>{new server(std::move(made))};
}

server::server(std::unique_ptr<implementation> made) : implementation_(std::move(made)) {}

server::~server() {
  end(core::duration{0});
}

std::uint16_t server::port() const noexcept {
  return implementation_->bound.port();
}

std::string server::address() const {
  if (port() == 0)
    return {};
  return config::listen_address{implementation_->bound.address().to_string(), port()}.text();
}

const std::string& server::socket_fault() const noexcept {
  return implementation_->socket_fault;
}

std::expected<void, std::string> server::renew_identity() {
  auto identity = identity_of(implementation_->hall->how.settings);
  if (!identity)
    return std::unexpected{identity.error()};
  asio::post(implementation_->hall->io, [raw = implementation_.get(), renewed = std::move(*identity)] {
    raw->hall->identity = renewed;
  });
  return {};
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
