#include "tests/api/server_world.hpp"

#include <deque>
#include <string>

namespace sluice::api {
namespace {

using tests::contains;
using tests::http_client;
using tests::server_world;
using namespace std::chrono_literals;

const std::string authorized = server_world::headers();

TEST_CASE("a body over the limit is refused, announced or not") {
  server_world w{[](auto& settings) { settings.body_bytes_max = 1024; }};
  auto client = w.client();
  CHECK(client.send("POST", "/v1/things/a", "\"" + std::string(1022, 'x') + "\"", authorized).status == 200);
  const auto refused = client.send("POST", "/v1/things/a", std::string(1025, 'x'), authorized);
  CHECK(refused.status == 413);
  CHECK(contains(refused.body, "api.body_bytes_max"));
  CHECK(client.ended());
  auto chunked = w.client();
  REQUIRE(chunked.write("POST /v1/things/a HTTP/1.1\r\nHost: x\r\n" + authorized
                        + "Transfer-Encoding: chunked\r\n\r\n401\r\n" + std::string(1025, 'x')
                        + "\r\n0\r\n\r\n"));
  CHECK(chunked.receive().status == 413);
  CHECK(w.served == 1);
}

TEST_CASE("a chunked body arrives whole") {
  server_world w;
  auto client = w.client();
  REQUIRE(client.write("POST /v1/things/a HTTP/1.1\r\nHost: x\r\n" + authorized
                       + "Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n1\r\n}\r\n0\r\n\r\n"));
  CHECK(contains(client.receive().body, R"("body":"{}")"));
}

TEST_CASE("a head over the limit is refused") {
  server_world w{[](auto& settings) { settings.header_bytes_max = 1024; }};
  auto client = w.client();
  const auto refused =
      client.send("GET", "/v1/things", "", authorized + "X: " + std::string(1024, 'x') + "\r\n");
  CHECK(refused.status == 431);
  CHECK(contains(refused.body, "api.header_bytes_max"));
  auto endless = w.client();
  REQUIRE(endless.write("GET /" + std::string(4096, 'x')));
  CHECK(endless.receive().status == 431);
}

TEST_CASE("a body of another type is refused, and one without a type too") {
  server_world w;
  for (const std::string type : {"", "Content-Type: text/plain\r\n", "Content-Type: application/jsonx\r\n",
                                 "Content-Type: application/x-www-form-urlencoded\r\n"}) {
    INFO(type);
    auto client = w.client();
    CHECK(client
              .send("POST", "/v1/things/a", "{}",
                    "Authorization: Bearer " + std::string{w.token} + "\r\n" + type)
              .status
          == 415);
  }
  auto client = w.client();
  CHECK(client
            .send("POST", "/v1/things/a", "{}",
                  "Authorization: Bearer " + std::string{w.token}
                      + "\r\nContent-Type: Application/JSON; charset=utf-8\r\n")
            .status
        == 200);
}

TEST_CASE("a client that asks first is told to go on, or why not") {
  server_world w;
  auto client = w.client();
  const auto head = "POST /v1/things/a HTTP/1.1\r\nHost: x\r\n" + authorized + "Content-Length: 2\r\n";
  REQUIRE(client.write(head + "Expect: 100-continue\r\n\r\n"));
  CHECK(client.receive(false).status == 100);
  REQUIRE(client.write("{}"));
  CHECK(client.receive().status == 200);
  REQUIRE(client.write(head + "Expect: miracles\r\n\r\n"));
  CHECK(client.receive().status == 417);
}

TEST_CASE("a head that comes a byte at a time ends the connection in the head's time") {
  server_world w{[](auto& settings) { settings.header_timeout = 60ms; }};
  auto client = w.client();
  const std::string head = "GET /v1/things HTTP/1.1\r\n";
  std::size_t sent = 0;
  http_client witness{w.server->port()};
  // One byte for each request of another client: time passes, and that client is not harmed.
  while (sent < head.size() && client.write(head.substr(sent, 1))
         && witness.send("GET", "/v1/things", "", authorized).status == 200)
    ++sent;
  CHECK(client.ended());
}

TEST_CASE("half a body and then silence ends the connection, and nothing is served") {
  server_world w{[](auto& settings) { settings.body_timeout = 50ms; }};
  auto client = w.client();
  REQUIRE(
      client.write("POST /v1/things/a HTTP/1.1\r\nHost: x\r\n" + authorized + "Content-Length: 10\r\n\r\n{"));
  CHECK(client.ended());
  auto cut = w.client();
  REQUIRE(
      cut.write("POST /v1/things/a HTTP/1.1\r\nHost: x\r\n" + authorized + "Content-Length: 10\r\n\r\n{"));
  cut.end_writing();
  CHECK(cut.ended());
  CHECK(w.served == 0);
}

TEST_CASE("a connection without a request is closed in the idle time") {
  server_world w{[](auto& settings) { settings.idle_timeout = 50ms; }};
  auto fresh = w.client();
  CHECK(fresh.ended());
  auto used = w.client();
  CHECK(used.send("GET", "/v1/things", "", authorized).status == 200);
  CHECK(used.ended());
}

TEST_CASE("when there are too many connections, the one that waits longest makes room") {
  server_world w{[](auto& settings) { settings.connections_max = 3; }};
  std::deque<http_client> idle;
  for (auto i = 0; i < 40; ++i) {
    idle.emplace_back(w.server->port());
    REQUIRE(idle.back().write("GET /v1/thi")); // half a head waits like none
  }
  CHECK(idle.front().ended());
  auto client = w.client();
  CHECK(client.send("GET", "/v1/things", "", authorized).status == 200);
}

TEST_CASE("a connection that was refused and does not leave makes room") {
  server_world w{[](auto& settings) { settings.connections_max = 2; }};
  std::deque<http_client> refused;
  for (auto i = 0; i < 2; ++i) {
    refused.emplace_back(w.server->port());
    REQUIRE(refused.back().write("garbage\r\n\r\n"));
    REQUIRE(refused.back().receive().status == 400);
  }
  auto client = w.client();
  CHECK(client.send("GET", "/v1/things", "", authorized).status == 200);
}

TEST_CASE("when every connection is being served, one more is told to come again") {
  server_world w{[](auto& settings) { settings.connections_max = 2; }};
  std::deque<http_client> busy;
  for (auto i = 0; i < 2; ++i) {
    busy.emplace_back(w.server->port());
    REQUIRE(busy.back().write("POST /v1/later HTTP/1.1\r\nHost: x\r\n" + authorized + "\r\n"));
  }
  REQUIRE(w.wait_for_later(2));
  auto more = w.client();
  const auto refused = more.receive();
  CHECK(refused.status == 503);
  CHECK(contains(refused.head, "Retry-After"));
  w.answer_later();
  for (auto& client : busy)
    CHECK(client.receive().status == 200);
}

} // namespace
} // namespace sluice::api
