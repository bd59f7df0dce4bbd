#include "api/client.hpp"

#include "api/wire.hpp"
#include "config/listen_address.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>

#include <optional>
#include <tuple>
#include <utility>

namespace sluice::api {

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using protocol = wire::protocol;
using boost::system::error_code;

constexpr std::uint64_t answer_bytes_max = std::uint64_t{64} << 20;

/// One exchange: what is sent, and what came of it.
struct exchange {
  protocol::endpoint to;
  http::request<http::string_body> asked;
  core::duration timeout{};
  http::response_parser<http::string_body> parser;
  error_code failed;
  bool connected = false;
};

asio::awaitable<void> run(wire& stream, exchange& one) {
  stream.expires_after(one.timeout);
  std::tie(one.failed) = co_await stream.lowest().async_connect(one.to, awaited);
  if (one.failed)
    co_return;
  one.connected = true;
  one.failed = co_await stream.open(asio::ssl::stream_base::client);
  if (one.failed)
    co_return;
  std::size_t count = 0;
  std::tie(one.failed, count) = co_await http::async_write(stream, one.asked, awaited);
  // A server that refuses early may close before it has read all: its answer counts.
  beast::flat_buffer buffer;
  one.parser.body_limit(answer_bytes_max);
  std::tie(one.failed, count) = co_await http::async_read(stream, buffer, one.parser, awaited);
}

std::string reachable(const std::string& address) {
  if (address == "0.0.0.0")
    return "127.0.0.1";
  return address == "::" ? "::1" : address;
}

} // namespace

std::expected<client, std::string> client::of(const config::api_settings& settings) {
  if (settings.listen.empty())
    return std::unexpected{"api.listen is not set, so the settings name no node's API"};
  const auto where = config::parse_listen_address(settings.listen);
  if (!where)
    return std::unexpected{"api.listen: " + where.error()};
  if (where->port == 0)
    return std::unexpected{"api.listen has port 0, so the node's port is known to its log alone"};
  client made;
  made.address_ = reachable(where->address);
  made.port_ = where->port;
  made.token_ = settings.token;
  made.trusted_file_ = settings.tls_certificate_file;
  made.place_ = config::listen_address{made.address_, made.port_}.text();
  return made;
}

client client::at_socket(std::string path) {
  client made;
  made.place_ = path;
  made.socket_path_ = std::move(path);
  return made;
}

struct client::question {
  std::string_view method;
  std::string_view target;
  std::optional<std::string> body{}; ///< absent: none is sent
  std::string idempotency_key{};     ///< empty: none
  core::duration timeout{};
  std::string_view content_type = "application/json";
};

std::expected<client::answer, client::failure> client::send(std::string_view method, std::string_view target,
                                                            const nlohmann::ordered_json& body,
                                                            core::duration timeout) const {
  question asked{.method = method, .target = target, .timeout = timeout};
  if (!body.is_null())
    asked.body = body.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  return ask(std::move(asked));
}

std::expected<client::answer, client::failure> client::send_text(std::string_view method,
                                                                 std::string_view target, std::string body,
                                                                 const std::string& idempotency_key,
                                                                 core::duration timeout) const {
  return ask({.method = method,
              .target = target,
              .body = std::move(body),
              .idempotency_key = idempotency_key,
              .timeout = timeout});
}

std::expected<client::answer, client::failure>
client::send_typed(std::string_view method, std::string_view target, std::string_view content_type,
                   std::string body, core::duration timeout) const {
  return ask({.method = method,
              .target = target,
              .body = std::move(body),
              .timeout = timeout,
              .content_type = content_type});
}

std::expected<client::answer, client::failure> client::ask(question&& what) const {
  tls_identity identity;
  if (!trusted_file_.empty()) {
    auto trust = trust_in(trusted_file_);
    if (!trust)
      return std::unexpected{failure{fault::unreachable, trust.error()}};
    identity = std::move(*trust);
  }
  exchange one;
  one.to = socket_path_.empty()
               ? protocol::endpoint{asio::ip::tcp::endpoint{asio::ip::make_address(address_), port_}}
               : protocol::endpoint{asio::local::stream_protocol::endpoint{socket_path_}};
  one.timeout = what.timeout;
  one.asked.version(11);
  one.asked.method_string({what.method.data(), what.method.size()});
  one.asked.target({what.target.data(), what.target.size()});
  one.asked.set(http::field::host, socket_path_.empty() ? place_ : "localhost");
  if (!token_.empty())
    one.asked.set(http::field::authorization, "Bearer " + token_);
  one.asked.keep_alive(false);
  if (!what.idempotency_key.empty())
    one.asked.set("Idempotency-Key", what.idempotency_key);
  if (what.body) {
    one.asked.set(http::field::content_type, {what.content_type.data(), what.content_type.size()});
    one.asked.body() = std::move(*what.body);
  }
  one.asked.prepare_payload();
  asio::io_context io{1};
  wire stream{protocol::socket{io}, identity};
  asio::co_spawn(io, run(stream, one), asio::detached);
  io.run();
  if (one.failed)
    return std::unexpected{failure{one.connected ? fault::broken : fault::unreachable, one.failed.message()}};
  auto received = one.parser.release();
  answer made;
  made.status = static_cast<int>(received.result_int());
  made.document = nlohmann::ordered_json::parse(received.body(), nullptr, false);
  if (made.document.is_discarded() || !made.document.is_object())
    return std::unexpected{failure{fault::broken, "the answer is not a JSON document"}};
  return made;
}

} // namespace sluice::api
