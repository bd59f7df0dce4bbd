#include "api/connection.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/error.hpp>
#include <boost/beast/http/chunk_encode.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/write.hpp>

#include <algorithm>
#include <chrono>
#include <tuple>

/// Bodies and answers that come in pieces. One coroutine does both ways of a connection: it waits for the
/// client, for whoever serves the request or for the server's end, and each of them wakes it.
namespace sluice::api {

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using boost::system::error_code;

constexpr std::size_t piece_bytes_max = 64U << 10;
constexpr std::size_t refused_bytes_max = 64U << 20; ///< of a body nobody reads, while its client is told so
constexpr core::duration long_wait = std::chrono::hours{24};

body_piece cut_by(error_code failed, core::duration idle) {
  if (failed == beast::error::timeout)
    return {body_piece::kind::cut, "nothing came for " + core::to_text(idle) + " (api.stream_idle_timeout)"};
  if (failed == http::error::partial_message)
    return {body_piece::kind::cut, "the body ended before its end"};
  return {body_piece::kind::cut, "the body cannot be read: " + failed.message()};
}

} // namespace

/// What other threads leave for a connection that serves a stream. The server's thread alone touches it.
struct connection::exchange {
  connection* at = nullptr; ///< none: it is over
  body_source::taker wanted;
  std::optional<response> answer;
  bool chunked = true;
  bool reading = false; ///< waits for the client's bytes
  bool left = false;    ///< the client did, or it said what nobody asked for

  void want(body_source::taker take) {
    wanted = std::move(take);
    if (at)
      at->wake();
    else
      let_go();
  }

  void let_go() {
    if (auto take = std::exchange(wanted, nullptr))
      take({body_piece::kind::cut, "the connection ended"});
  }

  void settle(response given) {
    if (!at)
      return;
    answer = std::move(given);
    at->wake();
  }
};

void connection::wake() {
  if (exchange_ && exchange_->reading)
    stream_.cancel();
  else
    settled_.cancel();
}

void connection::begin_exchange(bool chunked) {
  exchange_ = std::make_shared<exchange>();
  exchange_->at = this;
  exchange_->chunked = chunked;
  hall_.streaming.insert(this);
  stream_.expires_never();
}

void connection::end_exchange() {
  if (!exchange_)
    return;
  exchange_->at = nullptr;
  exchange_->let_go();
  exchange_.reset();
  hall_.streaming.erase(this);
  body_.reset();
}

/// Makes a function for any thread: `act(exchange, value)` happens on the server's, while there is one.
template <class Value, class Act>
std::function<void(Value)> connection::from_elsewhere(Act act) {
  return [act, here = exchange_, hall = hall_.weak_from_this()](Value value) {
    if (auto living = hall.lock())
      asio::post(living->io,
                 [act, here, value = std::move(value)]() mutable { act(*here, std::move(value)); });
  };
}

asio::awaitable<bool> connection::serve_streamed(admitted request, const request_head& head) {
  begin_exchange(!head.is_http_1_0);
  const auto here = exchange_;
  body_.emplace(std::move(*parser_));
  expects_ = !head.expect.empty();
  dropped_bytes_max_ = refused_bytes_max;
  request.asked.stream = std::make_shared<body_source>(from_elsewhere<body_source::taker>(
      [](exchange& of, body_source::taker take) { of.want(std::move(take)); }));
  hall_.how.serve({request.to, std::move(request.asked),
                   responder{from_elsewhere<response>(
                       [](exchange& of, response given) { of.settle(std::move(given)); })}});
  while (!here->answer) {
    if (here->wanted)
      co_await feed();
    else if (!co_await woken_within(hall_.how.answer_timeout))
      here->answer = late_answer();
  }
  auto answer = std::move(*here->answer);
  auto stays = false;
  if (answer.stream)
    stays = co_await write_pieces(std::move(answer));
  else
    stays = co_await write(std::move(answer), body_->keep_alive() && body_->is_done());
  end_exchange();
  co_return stays;
}

asio::awaitable<bool> connection::serve_pieces(response answer, const request_head& head) {
  begin_exchange(!head.is_http_1_0);
  stream_.socket().async_wait(asio::socket_base::wait_read, [here = exchange_](error_code failed) {
    here->left = !failed;
    if (here->left && here->at)
      here->at->wake();
  });
  const auto stays = co_await write_pieces(std::move(answer));
  end_exchange();
  co_return stays;
}

asio::awaitable<bool> connection::woken_within(core::duration patience) {
  settled_.expires_after(patience);
  auto [woken] = co_await settled_.async_wait(awaited);
  co_return static_cast<bool>(woken);
}

/// Hands over the next piece. Woken meanwhile, it leaves the wish for it as it is.
asio::awaitable<void> connection::feed() {
  const auto here = exchange_;
  auto take = std::exchange(here->wanted, nullptr);
  if (hall_.closing) {
    take({body_piece::kind::closing, {}});
    co_return;
  }
  if (std::exchange(expects_, false) && !body_->is_done()) {
    http::response<http::empty_body> go_on{http::status::continue_, 11};
    stream_.expires_after(hall_.how.settings.body_timeout);
    (void)co_await http::async_write(stream_, go_on, awaited); // a failure shows when it reads
  }
  auto piece = co_await read_piece();
  if (piece)
    take(std::move(*piece));
  else
    here->wanted = std::move(take);
}

/// Nothing: woken before a byte came.
asio::awaitable<std::optional<body_piece>> connection::read_piece() {
  const auto idle = hall_.how.settings.stream_idle_timeout;
  std::string bytes(piece_bytes_max, '\0');
  auto& into = body_->get().body();
  into.data = bytes.data();
  into.size = bytes.size();
  for (;;) {
    const auto unreadable = parse_body();
    if (unreadable)
      co_return cut_by(unreadable, idle);
    if (into.size < bytes.size()) {
      bytes.resize(bytes.size() - into.size);
      co_return body_piece{body_piece::kind::bytes, std::move(bytes)};
    }
    if (body_->is_done())
      co_return body_piece{body_piece::kind::end, {}};
    const auto failed = co_await read_more();
    if (failed == asio::error::operation_aborted)
      co_return std::nullopt;
    if (failed)
      co_return cut_by(failed, idle);
  }
}

/// What lies in the buffer. Beast's own reading would wait for the next chunk's head before it lets go of
/// this one's bytes.
connection::error_code connection::parse_body() {
  error_code stopped;
  while (!stopped && !body_->is_done() && buffer_.size() > 0)
    buffer_.consume(body_->put(buffer_.data(), stopped));
  const auto fed = stopped == http::error::need_more || stopped == http::error::need_buffer;
  return fed ? error_code{} : stopped;
}

asio::awaitable<connection::error_code> connection::read_more() {
  const auto room = buffer_.max_size() - buffer_.size();
  if (room == 0)
    co_return error_code{http::error::buffer_overflow}; // the head of a chunk that has no end
  stream_.expires_after(hall_.how.settings.stream_idle_timeout);
  exchange_->reading = true;
  auto [failed, count] =
      co_await stream_.async_read_some(buffer_.prepare(std::min(room, piece_bytes_max)), awaited);
  exchange_->reading = false;
  buffer_.commit(count);
  co_return failed == asio::error::eof ? error_code{http::error::partial_message} : failed;
}

asio::awaitable<bool> connection::write_pieces(response answer) {
  count_answer(answer);
  const auto here = exchange_;
  const auto queue = answer.stream;
  const auto stays = body_ && body_->keep_alive() && !hall_.closing;
  auto wake = from_elsewhere<bool>([](exchange& of, bool) {
    if (of.at)
      of.at->wake();
  });
  queue->wake_by([wake] { wake(true); });
  auto failed = co_await write_pieces_head(answer, stays);
  answer_queue::waiting waiting;
  while (!failed) {
    waiting = queue->take();
    for (std::size_t at = 0; at < waiting.pieces.size() && !failed; ++at)
      failed = co_await write_chunk(*waiting.pieces[at]);
    if (failed || !waiting.pieces.empty())
      continue;
    if (waiting.ended || here->left || (hall_.closing && !body_))
      break;
    if (here->wanted)
      co_await feed();
    else
      (void)co_await woken_within(long_wait);
  }
  queue->close();
  if (!failed && !waiting.broken_off && here->chunked)
    std::tie(failed, std::ignore) = co_await asio::async_write(stream_, http::make_chunk_last(), awaited);
  spoken_ = !failed && !waiting.broken_off;
  const auto goes_on = spoken_ && stays && body_->is_done();
  co_return goes_on;
}

asio::awaitable<connection::error_code> connection::write_pieces_head(const response& answer, bool stays) {
  http::response<http::empty_body> head;
  set_head(head, answer, stays && exchange_->chunked);
  head.chunked(exchange_->chunked);
  http::response_serializer<http::empty_body> serializer{head};
  stream_.expires_after(hall_.how.settings.body_timeout);
  auto [failed, count] = co_await http::async_write_header(stream_, serializer, awaited);
  if (!failed)
    failed = co_await write_chunk(answer.body);
  co_return failed;
}

/// An empty chunk would be the last one.
asio::awaitable<connection::error_code> connection::write_chunk(const std::string& text) {
  error_code failed;
  if (text.empty())
    co_return failed;
  stream_.expires_after(hall_.how.settings.body_timeout);
  if (exchange_->chunked)
    std::tie(failed, std::ignore) =
        co_await asio::async_write(stream_, http::make_chunk(asio::buffer(text)), awaited);
  else
    std::tie(failed, std::ignore) = co_await asio::async_write(stream_, asio::buffer(text), awaited);
  stream_.expires_never();
  co_return failed;
}

} // namespace sluice::api
