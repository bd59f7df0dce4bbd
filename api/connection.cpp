#include "api/connection.hpp"

#include <boost/asio/post.hpp>
#include <boost/beast/http/write.hpp>

#include <tuple>

namespace sluice::api {

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using boost::system::error_code;

constexpr auto linger_time = std::chrono::seconds{1};

std::string text_of(beast::string_view text) {
  return {text.data(), text.size()};
}

request_head head_of(const http::request<http::string_body>& from, std::uint64_t content_length) {
  return {.method = text_of(from.method_string()),
          .target = text_of(from.target()),
          .authorization = text_of(from[http::field::authorization]),
          .cookie = text_of(from[http::field::cookie]),
          .csrf = text_of(from["X-Sluice-Csrf"]),
          .idempotency_key = text_of(from["Idempotency-Key"]),
          .if_match = text_of(from[http::field::if_match]),
          .if_none_match = text_of(from[http::field::if_none_match]),
          .content_type = text_of(from[http::field::content_type]),
          .expect = text_of(from[http::field::expect]),
          .has_host = from.find(http::field::host) != from.end(),
          .is_http_1_0 = from.version() < 11,
          .chunked = from.chunked(),
          .content_length = content_length};
}

http::response<http::string_body> message_of(response&& answer, bool is_head, bool keep_alive) {
  http::response<http::string_body> made;
  set_head(made, answer, keep_alive);
  if (made.result() != http::status::no_content)
    made.content_length(answer.body.size());
  if (!is_head)
    made.body() = std::move(answer.body);
  return made;
}

} // namespace

response late_answer() {
  return as_response({504,
                      "timed_out",
                      "The node took too long.",
                      "the request may still be carried out; look before repeating it",
                      {},
                      {}});
}

bool connection_hall::make_room() {
  if (waiting.empty())
    return false;
  waiting.front()->cut();
  return true;
}

connection::connection(connection_hall& hall, wire::protocol::socket socket, tls_identity identity, peer from)
    : hall_(hall), stream_(std::move(socket), std::move(identity)), from_(std::move(from)), settled_(hall.io),
      buffer_(static_cast<std::size_t>(hall.how.settings.header_bytes_max) + read_ahead_bytes) {
  ++hall_.living;
  hall_.how.metrics->api_connections.add(1);
}

connection::~connection() {
  stop_waiting();
  end_exchange();
  --hall_.living;
  hall_.how.metrics->api_connections.add(-1);
}

asio::awaitable<void> connection::run() {
  auto more = !co_await open();
  while (more)
    more = co_await serve_one();
  co_await part();
}

void connection::cut() {
  stop_waiting();
  stream_.close();
}

/// Until it is open it has shown no token: it counts as waiting, and makes room.
asio::awaitable<error_code> connection::open() {
  start_waiting();
  stream_.expires_after(hall_.how.settings.header_timeout);
  co_return co_await stream_.open(asio::ssl::stream_base::server);
}

asio::awaitable<bool> connection::serve_one() {
  const auto failed = co_await read_head();
  if (failed)
    co_return co_await refuse(failed);
  const auto head = head_of(parser_->get(), parser_->content_length().value_or(0));
  is_head_ = head.method == "HEAD";
  auto admitted = co_await admit(head);
  if (!admitted)
    co_return co_await write(as_response(admitted.error()), parser_->keep_alive() && !head.has_body());
  asked_for_ = admitted->to;
  if (admitted->streamed)
    co_return co_await serve_streamed(std::move(*admitted), head);
  if (admitted->to->needed == access::anyone)
    start_waiting(); // it has shown no token: a body that comes slowly keeps nobody out
  const auto cut_short = co_await read_body(head);
  stop_waiting();
  if (cut_short)
    co_return co_await refuse(cut_short);
  admitted->asked.body = std::move(parser_->get().body());
  if (admitted->to->raw)
    admitted->asked.raw = raw_asked();
  auto answer = co_await served(std::move(*admitted));
  if (answer.stream && !is_head_)
    co_return co_await serve_pieces(std::move(answer), head);
  if (answer.stream)
    answer.stream->close();
  co_return co_await write(std::move(answer), parser_->keep_alive());
}

asio::awaitable<std::expected<admitted, problem>> connection::admit(const request_head& head) {
  auto arrived = hall_.checks.read(head, from_.local_user, hall_.how.time->wall());
  if (!arrived)
    co_return std::unexpected{std::move(arrived.error())};
  if (arrived->for_anyone() || (!arrived->shown.local_user && arrived->shown.digest.empty()))
    co_return hall_.checks.admit(std::move(*arrived), head, std::nullopt);
  auto who = co_await sender_of(arrived->shown);
  if (!who)
    co_return std::unexpected{std::move(who.error())};
  co_return hall_.checks.admit(std::move(*arrived), head, std::move(*who));
}

asio::awaitable<std::expected<caller, problem>> connection::sender_of(const shown_sender& shown) {
  if (auto known = hall_.checks.who().known(shown))
    co_return std::move(*known);
  auto found = co_await answer_of<found_token>(
      [&](auto sink) { hall_.how.find_token(shown.digest, std::move(sink)); });
  if (!found)
    co_return std::unexpected{unavailable("the tokens could not be read in time")};
  co_return senders::by_token(*found, hall_.how.time->wall());
}

/// The answer comes from another thread, perhaps when this connection, or the whole server, is over.
template <class Answer, class Ask>
asio::awaitable<std::optional<Answer>> connection::answer_of(Ask ask) {
  struct seat {
    asio::steady_timer* timer = nullptr; ///< none: nobody waits any more
    std::optional<Answer> answer;
  };
  auto here = std::make_shared<seat>(seat{&settled_, {}});
  auto deliver = [here](Answer& answer) {
    here->answer = std::move(answer);
    if (here->timer)
      here->timer->cancel();
  };
  auto sink = [deliver, hall = hall_.weak_from_this()](Answer answer) {
    if (auto living = hall.lock())
      asio::post(living->io, [deliver, answer = std::move(answer)]() mutable { deliver(answer); });
  };
  stream_.expires_never();
  settled_.expires_after(hall_.how.answer_timeout);
  ask(std::function<void(Answer)>{std::move(sink)});
  (void)co_await settled_.async_wait(awaited);
  here->timer = nullptr;
  co_return std::move(here->answer);
}

asio::awaitable<response> connection::served(admitted request) {
  auto answer = co_await answer_of<response>([&](auto sink) {
    hall_.how.serve({request.to, std::move(request.asked), responder{std::move(sink)}});
  });
  co_return answer ? std::move(*answer) : late_answer();
}

asio::awaitable<bool> connection::write(response answer, bool keep_alive) {
  count_answer(answer);
  const auto stays = keep_alive && !hall_.closing;
  auto message = message_of(std::move(answer), is_head_, stays);
  http::response_serializer<http::string_body> serializer{message};
  stream_.expires_after(hall_.how.settings.body_timeout);
  error_code failed;
  if (is_head_) {
    std::tie(failed, std::ignore) = co_await http::async_write_header(stream_, serializer, awaited);
  } else {
    std::tie(failed, std::ignore) = co_await http::async_write(stream_, serializer, awaited);
  }
  spoken_ = !failed;
  co_return !failed && stays;
}

void connection::count_answer(const response& answer) {
  const auto& routes = *hall_.how.routes;
  hall_.how.metrics->api_requests.of(routes.number_of(asked_for_), answer.status).add();
}

asio::awaitable<bool> connection::refuse(error_code failed) {
  auto why = problem_of(failed);
  if (why)
    co_await write(as_response(*why), false);
  co_return false;
}

/// A socket that is closed while bytes lie unread resets the connection, and the client may never see the
/// answer.
asio::awaitable<void> connection::part() {
  if (!spoken_)
    co_return;
  start_waiting(); // it has its answer: one more connection may have its place
  stream_.expires_after(linger_time);
  co_await stream_.end_writing();
  std::size_t dropped = 0;
  std::size_t count = 1;
  while (count > 0 && dropped < dropped_bytes_max_) {
    count = co_await stream_.drop_some();
    dropped += count;
  }
}

void connection::start_waiting() {
  if (!place_)
    place_ = hall_.waiting.insert(hall_.waiting.end(), this);
}

void connection::stop_waiting() {
  if (place_)
    hall_.waiting.erase(*place_);
  place_.reset();
}

} // namespace sluice::api
