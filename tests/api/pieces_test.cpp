#include "tests/api/streamed.hpp"

#include <chrono>
#include <string>
#include <thread>

namespace sluice::api {
namespace {

using namespace std::chrono_literals;
using namespace tests;
using kind = body_piece::kind;

TEST_CASE("an answer may begin before its body has ended, and go on in pieces") {
  server_world w;
  auto client = w.client();
  REQUIRE(client.write(chunked + "\r\n" + chunk("one\n")));
  const auto post = first_of(w);
  const auto queue = std::make_shared<answer_queue>(1000);
  post.answer(answer_with(queue));
  CHECK(contains(client.receive_until("first\n"), "Transfer-Encoding: chunked"));
  CHECK(read(post, 4) == "one\n");
  auto later = ask(post);
  CHECK(queue->push(piece_of("stored\n"))); // while it waits for the client's bytes
  CHECK(contains(client.receive_until("stored\n"), "7\r\n"));
  REQUIRE(client.write(chunk("two\n") + "0\r\n\r\n"));
  CHECK(got(std::move(later)).bytes == "two\n");
  CHECK(next(post).what == kind::end);
  queue->push(piece_of("done\n"));
  queue->end();
  CHECK(contains(client.receive_until("0\r\n\r\n"), "done\n"));
  CHECK(client.send("GET", "/v1/things", "", server_world::headers()).status == 200);
}

TEST_CASE("a page gets its pieces until they end") {
  server_world w;
  auto client = w.client();
  REQUIRE(client.write("GET /v1/pieces HTTP/1.1\r\nHost: x\r\n" + server_world::headers() + "\r\n"));
  const auto page = first_of(w);
  const auto queue = std::make_shared<answer_queue>(1000);
  page.answer(answer_with(queue));
  CHECK_FALSE(client.receive_until("first\n").empty());
  {
    const answer_writer out{queue};
    CHECK(out.write("second\n"));
    CHECK_FALSE(client.receive_until("second\n").empty());
  }
  CHECK_FALSE(client.receive_until("0\r\n\r\n").empty());
  CHECK(client.ended());
  CHECK_FALSE(queue->push(piece_of("late")));
}

TEST_CASE("a page of HTTP/1.0 gets its pieces as they are") {
  server_world w;
  auto client = w.client();
  REQUIRE(client.write("GET /v1/pieces HTTP/1.0\r\n" + server_world::headers() + "\r\n"));
  const auto queue = std::make_shared<answer_queue>(1000);
  first_of(w).answer(answer_with(queue));
  CHECK_FALSE(contains(client.receive_until("\r\n\r\n"), "chunked"));
  CHECK(client.receive_until("\n") == "first\n");
  queue->end();
  CHECK(client.ended());
}

TEST_CASE("a HEAD of a page has no pieces") {
  server_world w;
  auto client = w.client();
  REQUIRE(client.write("HEAD /v1/pieces HTTP/1.1\r\nHost: x\r\n" + server_world::headers() + "\r\n"));
  const auto queue = std::make_shared<answer_queue>(1000);
  first_of(w).answer(answer_with(queue));
  CHECK(client.receive(false).status == 200);
  CHECK(queue->over());
}

TEST_CASE("a page that left takes nothing more") {
  server_world w;
  const auto queue = std::make_shared<answer_queue>(1000);
  {
    auto client = w.client();
    REQUIRE(client.write("GET /v1/pieces HTTP/1.1\r\nHost: x\r\n" + server_world::headers() + "\r\n"));
    first_of(w).answer(answer_with(queue));
    CHECK_FALSE(client.receive_until("first\n").empty());
  }
  const auto give_up = std::chrono::steady_clock::now() + 10s;
  while (!queue->over() && std::chrono::steady_clock::now() < give_up)
    std::this_thread::yield();
  CHECK(queue->over());
}

TEST_CASE("more than a client that does not read may let wait breaks its answer off") {
  answer_queue queue{10};
  CHECK(queue.push(piece_of("larger than the limit alone")));
  CHECK_FALSE(queue.push(piece_of("x")));
  CHECK_FALSE(queue.push(piece_of("x")));
  const auto waiting = queue.take();
  CHECK(waiting.pieces.empty());
  CHECK(waiting.broken_off);
}

TEST_CASE("once it closes, streams are told and end") {
  server_world w;
  auto posting = w.client();
  REQUIRE(posting.write(chunked + "\r\n"));
  const auto post = first_of(w);
  auto piece = ask(post);
  auto watching = w.client();
  REQUIRE(watching.write("GET /v1/pieces HTTP/1.1\r\nHost: x\r\n" + server_world::headers() + "\r\n"));
  const auto queue = std::make_shared<answer_queue>(1000);
  first_of(w).answer(answer_with(queue));
  CHECK_FALSE(watching.receive_until("first\n").empty());
  w.server->close();
  CHECK(got(std::move(piece)).what == kind::closing);
  post.answer(as_response(unavailable("the node ends")));
  CHECK(posting.receive().status == 503);
  CHECK_FALSE(watching.receive_until("0\r\n\r\n").empty());
  w.server->end(10s);
}

TEST_CASE("a stream that is under way when the server is over disturbs nobody") {
  server_world w;
  auto client = w.client();
  REQUIRE(client.write(chunked + "\r\n"));
  const auto post = first_of(w);
  auto piece = ask(post);
  w.server.reset();
  CHECK(client.ended());
  post.asked.stream->next([](body_piece) {});
  post.answer(response{});
}

} // namespace
} // namespace sluice::api
