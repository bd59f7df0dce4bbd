#pragma once

#include "tests/api/server_world.hpp"

#include <chrono>
#include <future>
#include <memory>
#include <string>
#include <utility>

/// Requests and answers in pieces, driven by a test in the handler's place.
namespace sluice::tests {

using api::answer_queue;
using api::arrived;
using api::body_piece;
using api::response;

inline const std::string lines_head = "POST /v1/lines/a HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer "
                                      + std::string{server_world::token}
                                      + "\r\nContent-Type: application/x-ndjson\r\n";
inline const std::string chunked = lines_head + "Transfer-Encoding: chunked\r\n";

inline std::string chunk(const std::string& text) {
  std::string size;
  for (auto left = text.size(); left > 0; left /= 16)
    size.insert(size.begin(), "0123456789abcdef"[left % 16]);
  return size + "\r\n" + text + "\r\n";
}

inline std::future<body_piece> ask(const arrived& post) {
  auto came = std::make_shared<std::promise<body_piece>>();
  auto piece = came->get_future();
  post.asked.stream->next([came](body_piece one) { came->set_value(std::move(one)); });
  return piece;
}

inline body_piece got(std::future<body_piece> piece) {
  REQUIRE(piece.wait_for(10s) == std::future_status::ready);
  return piece.get();
}

inline body_piece next(const arrived& post) {
  return got(ask(post));
}

/// Pieces until they have so many bytes.
inline std::string read(const arrived& post, std::size_t size) {
  std::string text;
  while (text.size() < size) {
    auto piece = next(post);
    REQUIRE(piece.what == body_piece::kind::bytes);
    text += piece.bytes;
  }
  return text;
}

inline arrived first_of(server_world& w) {
  REQUIRE(w.wait_for_later(1));
  const std::lock_guard guard{w.mutex};
  auto post = std::move(w.later.front());
  w.later.erase(w.later.begin());
  return post;
}

inline answer_queue::piece piece_of(const std::string& text) {
  return std::make_shared<const std::string>(text);
}

inline response answer_with(const std::shared_ptr<answer_queue>& queue) {
  response head;
  head.content_type = "text/event-stream";
  head.body = "first\n";
  head.stream = queue;
  return head;
}

} // namespace sluice::tests
