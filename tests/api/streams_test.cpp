#include "tests/api/streamed.hpp"

#include <chrono>
#include <string>
#include <vector>

namespace sluice::api {
namespace {

using namespace std::chrono_literals;
using namespace tests;
using kind = body_piece::kind;

TEST_CASE("a streamed body is handed over as it comes, and the connection goes on behind it") {
  server_world w;
  auto client = w.client();
  REQUIRE(client.write(chunked + "\r\n" + chunk("one\n") + chunk("two\n")));
  const auto post = first_of(w);
  CHECK(post.asked.parameters.at("name") == "a");
  CHECK(read(post, 8) == "one\ntwo\n");
  auto later = ask(post);
  REQUIRE(client.write(chunk("three\n") + "0\r\n\r\nGET /v1/things HTTP/1.1\r\nHost: x\r\n"
                       + server_world::headers() + "\r\n"));
  CHECK(got(std::move(later)).bytes == "three\n");
  CHECK(next(post).what == kind::end);
  post.answer(json_response({{"done", true}}));
  CHECK(client.receive().body == "{\"done\":true}\n");
  CHECK(contains(client.receive().body, "\"method\":\"GET\""));
}

TEST_CASE("a chunk is handed over before the next one begins") {
  server_world w;
  auto client = w.client();
  const auto whole = chunk("one\n");
  REQUIRE(client.write(chunked + "\r\n" + whole.substr(0, whole.size() - 2)));
  CHECK(read(first_of(w), 4) == "one\n");
}

TEST_CASE("a stream may be longer than a body, and knows its length or not") {
  server_world w{[](auto& settings) { settings.body_bytes_max = 1024; }};
  const std::string text(200'000, 'x');
  auto client = w.client();
  REQUIRE(client.write(lines_head + "Content-Length: 200000\r\n\r\n" + text));
  const auto post = first_of(w);
  CHECK(read(post, text.size()) == text);
  CHECK(next(post).what == kind::end);
  post.answer(response{});
  CHECK(client.receive().status == 200);
  REQUIRE(client.write(lines_head + "Content-Length: 0\r\n\r\n"));
  const auto empty = first_of(w);
  CHECK(next(empty).what == kind::end);
}

TEST_CASE("another type than lines is a body within the limit there, a wrong one is refused") {
  server_world w{[](auto& settings) { settings.body_bytes_max = 1024; }};
  auto client = w.client();
  CHECK(client.send("POST", "/v1/lines/a", std::string(1025, 'x'), server_world::headers()).status == 413);
  auto other = w.client();
  const auto refused = other.send("POST", "/v1/lines/a", "a",
                                  "Authorization: Bearer " + std::string{w.token}
                                      + "\r\nContent-Type: application/x-ndjsonx\r\n");
  CHECK(refused.status == 415);
  CHECK(contains(refused.body, "application/x-ndjson"));
  auto third = w.client();
  CHECK(third
            .send("POST", "/v1/things/a", "a",
                  "Authorization: Bearer " + std::string{w.token}
                      + "\r\nContent-Type: application/x-ndjson\r\n")
            .status
        == 415);
}

TEST_CASE("a client that asks first is told to go on when its body is wanted, and not when it is refused") {
  server_world w;
  auto client = w.client();
  REQUIRE(client.write(chunked + "Expect: 100-continue\r\n\r\n"));
  const auto post = first_of(w);
  auto piece = ask(post);
  CHECK(client.receive(false).status == 100);
  REQUIRE(client.write(chunk("one\n")));
  CHECK(got(std::move(piece)).bytes == "one\n");
  auto refused = w.client();
  REQUIRE(refused.write(chunked + "Expect: 100-continue\r\n\r\n"));
  first_of(w).answer(as_response(conflict("not here")));
  CHECK(refused.receive().status == 409);
  CHECK(refused.ended());
}

TEST_CASE("a body that is cut is told so, and its client why") {
  server_world w;
  auto client = w.client();
  REQUIRE(client.write(lines_head + "Content-Length: 10\r\n\r\none\n"));
  client.end_writing();
  const auto post = first_of(w);
  CHECK(read(post, 4) == "one\n");
  const auto cut = next(post);
  CHECK(cut.what == kind::cut);
  CHECK(cut.bytes == "the body ended before its end");
  post.answer(as_response(bad_request(cut.bytes)));
  CHECK(client.receive().status == 400);
}

TEST_CASE("garbage where a chunk should begin cuts the body") {
  server_world w;
  const std::vector<std::string> cases{"hello\r\n", std::string(200'000, '1'), "4;\x01\r\n", "-1\r\n"};
  for (const auto& garbage : cases) {
    INFO(garbage.substr(0, 20));
    auto client = w.client();
    REQUIRE(client.write(chunked + "\r\n" + chunk("one\n") + garbage));
    const auto post = first_of(w);
    auto piece = next(post);
    if (piece.what == kind::bytes)
      piece = next(post);
    CHECK(piece.what == kind::cut);
    post.answer(as_response(bad_request(piece.bytes)));
    CHECK(client.receive().status == 400);
    CHECK(client.ended());
  }
}

TEST_CASE("a stream that pauses too long is cut and its connection closed") {
  server_world w{[](auto& settings) { settings.stream_idle_timeout = 50ms; }};
  auto client = w.client();
  REQUIRE(client.write(chunked + "\r\n" + chunk("one\n")));
  const auto post = first_of(w);
  CHECK(read(post, 4) == "one\n");
  const auto cut = next(post);
  CHECK(cut.what == kind::cut);
  CHECK(contains(cut.bytes, "api.stream_idle_timeout"));
  post.answer(as_response(bad_request(cut.bytes)));
  CHECK(client.ended());
}

TEST_CASE("an answer ends a body that is still coming") {
  server_world w;
  auto client = w.client();
  REQUIRE(client.write(chunked + "\r\n" + chunk("one\n")));
  const auto post = first_of(w);
  CHECK(read(post, 4) == "one\n");
  auto never = ask(post);
  post.answer(as_response(conflict("no more")));
  CHECK(client.receive().status == 409);
  CHECK(got(std::move(never)).what == kind::cut);
  CHECK(next(post).what == kind::cut);
}

TEST_CASE("a streamed request that nobody serves or answers is told so") {
  server_world w{[](auto&) {}, 100ms};
  auto dropped = w.client();
  REQUIRE(dropped.write(chunked + "\r\n"));
  {
    const auto post = first_of(w);
  }
  CHECK(dropped.receive().status == 503);
  auto late = w.client();
  REQUIRE(late.write(chunked + "\r\n"));
  const auto post = first_of(w);
  CHECK(late.receive().status == 504);
}

} // namespace
} // namespace sluice::api
