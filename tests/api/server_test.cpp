#include "tests/api/server_world.hpp"

#include <string>

namespace sluice::api {
namespace {

using tests::contains;
using tests::server_world;
using namespace std::chrono_literals;

const std::string authorized = server_world::headers();

TEST_CASE("a request reaches the handler of its route with parameters, query and body") {
  server_world w;
  auto client = w.client();
  const auto answer = client.send("POST", "/v1/things/a%2Fb%20c?x=1+2", R"({"n":1})", authorized);
  CHECK(answer.status == 200);
  CHECK(answer.body
        == R"({"method":"POST","body":"{\"n\":1}","name":"a/b c","query":{"x":"1 2"}})"
           "\n");
  CHECK(contains(answer.head, "Content-Type: application/json"));
  CHECK(contains(answer.head, "Cache-Control: no-store"));
}

TEST_CASE("a connection serves one request after the other, also when they come at once") {
  server_world w;
  auto client = w.client();
  const auto request = "GET /v1/things HTTP/1.1\r\nHost: x\r\n" + authorized + "\r\n";
  REQUIRE(client.write(request + request + request));
  for (auto i = 0; i < 3; ++i)
    CHECK(client.receive().status == 200);
  CHECK(client.send("GET", "/v1/things", "", authorized).status == 200);
  CHECK(w.served == 4);
}

TEST_CASE("garbage behind a request is refused after that request was served") {
  server_world w;
  auto client = w.client();
  REQUIRE(
      client.write("GET /v1/things HTTP/1.1\r\nHost: x\r\n" + authorized + "\r\n\x01\x02garbage\r\n\r\n"));
  CHECK(client.receive().status == 200);
  const auto refused = client.receive();
  CHECK(refused.status == 400);
  CHECK(contains(refused.head, "Connection: close"));
  CHECK(contains(refused.head, "application/problem+json"));
  CHECK(client.ended());
}

TEST_CASE("what is no HTTP/1.1 is refused with a problem") {
  server_world w;
  for (const std::string text :
       {"hello\r\n\r\n", "GET /v1/things HTTP/9.9\r\n\r\n", "GET  HTTP/1.1\r\n\r\n",
        "\x16\x03\x01\x02\x00\x01\r\n\r\n", "GET /v1/things HTTP/1.1\r\nContent-Length: x\r\n\r\n",
        "GET /v1/things HTTP/1.1\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\nabc",
        "GET /v1/things HTTP/1.1\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabc",
        "GET /v1/things HTTP/1.1\r\nbad header\r\n\r\n"}) {
    INFO(text);
    auto client = w.client();
    REQUIRE(client.write(text));
    CHECK(client.receive().status == 400);
    CHECK(client.ended());
  }
  CHECK(w.served == 0);
}

TEST_CASE("without the token nothing is served, and no body is waited for") {
  server_world w;
  for (const std::string header :
       {"", "Authorization: Bearer wrong\r\n", "Authorization: Bearer \r\n", "Authorization: Basic YTpi\r\n",
        "Authorization: Bearer a-token-for-the-test\r\n"}) {
    INFO(header);
    auto client = w.client();
    const auto refused = client.send("GET", "/v1/things", "", header);
    CHECK(refused.status == 401);
    CHECK(contains(refused.head, "WWW-Authenticate: Bearer"));
    CHECK(contains(refused.body, "urn:sluice:problem:unauthorized"));
    CHECK(client.send("GET", "/v1/nowhere", "", header).status == 401); // the routes are not told either
  }
  auto client = w.client();
  REQUIRE(client.write("POST /v1/later HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n"));
  CHECK(client.receive().status == 401);
  CHECK(client.ended());
  CHECK(w.served == 0);
}

TEST_CASE("the scheme of the token is read in any case") {
  server_world w;
  auto client = w.client();
  CHECK(client.send("GET", "/v1/things", "", "Authorization: BEARER  " + std::string{w.token} + "\r\n").status
        == 200);
}

TEST_CASE("a path without a route is 404, a method without one is 405 and says which there are") {
  server_world w;
  auto client = w.client();
  for (const std::string path :
       {"/", "/v1", "/v1/things/a/b", "/v1/../../etc/passwd", "/v1/things/%2e%2e/x"}) {
    INFO(path);
    const auto missing = client.send("GET", path, "", authorized);
    CHECK(missing.status == 404);
    CHECK(contains(missing.body, "\"status\":404"));
  }
  const auto refused = client.send("DELETE", "/v1/things", "", authorized);
  CHECK(refused.status == 405);
  CHECK(contains(refused.head, "Allow: GET, HEAD"));
  CHECK(client.send("BREW", "/v1/things", "", authorized).status == 405);
  CHECK(client.send("GET", "/v1/things/%zz", "", authorized).status == 400);
  CHECK(client.send("GET", "/v1/things?x=%00", "", authorized).status == 400);
  CHECK(client.send("GET", "/v1/things?x=%ff", "", authorized).status == 400);
  CHECK(client.send("GET", "http://x/v1/things", "", authorized).status == 400);
}

TEST_CASE("a HEAD has the GET's head and no body") {
  server_world w;
  auto client = w.client();
  REQUIRE(client.write("HEAD /v1/things HTTP/1.1\r\nHost: x\r\n" + authorized + "\r\n"));
  const auto answer = client.receive(false);
  CHECK(answer.status == 200);
  CHECK(contains(answer.head, "Content-Length: 28"));
  CHECK(client.send("GET", "/v1/things", "", authorized).status == 200);
}

TEST_CASE("HTTP/1.1 needs a Host, HTTP/1.0 does not and ends after its answer") {
  server_world w;
  auto client = w.client();
  REQUIRE(client.write("GET /v1/things HTTP/1.1\r\n" + authorized + "\r\n"));
  CHECK(client.receive().status == 400);
  auto old = w.client();
  REQUIRE(old.write("GET /v1/things HTTP/1.0\r\n" + authorized + "\r\n"));
  CHECK(old.receive().status == 200);
  CHECK(old.ended());
}

TEST_CASE("a handler that drops its request has the client told so at once") {
  server_world w;
  auto client = w.client();
  const auto answer = client.send("POST", "/v1/never", "", authorized);
  CHECK(answer.status == 503);
  CHECK(contains(answer.head, "Retry-After: 1"));
}

TEST_CASE("a request that is not answered in time is told so, and a late answer is dropped") {
  server_world w{[](auto&) {}, 50ms};
  auto client = w.client();
  CHECK(client.send("POST", "/v1/later", "", authorized).status == 504);
  w.answer_later();
  CHECK(contains(client.send("GET", "/v1/things", "", authorized).body, "\"method\":\"GET\""));
}

TEST_CASE("requests of other connections are served while one waits for its answer") {
  server_world w;
  auto slow = w.client();
  REQUIRE(slow.write("POST /v1/later HTTP/1.1\r\nHost: x\r\n" + authorized + "\r\n"));
  REQUIRE(w.wait_for_later(1));
  auto other = w.client();
  CHECK(other.send("GET", "/v1/things", "", authorized).status == 200);
  w.answer_later();
  CHECK(slow.receive().body == "{\"late\":true}\n");
}

TEST_CASE("a client that leaves before its answer disturbs nobody") {
  server_world w;
  {
    auto leaving = w.client();
    REQUIRE(leaving.write("POST /v1/later HTTP/1.1\r\nHost: x\r\n" + authorized + "\r\n"));
    REQUIRE(w.wait_for_later(1));
  }
  w.answer_later();
  auto other = w.client();
  CHECK(other.send("GET", "/v1/things", "", authorized).status == 200);
}

TEST_CASE("once it closes it takes nothing new, answers what it serves and ends") {
  server_world w;
  auto idle = w.client();
  CHECK(idle.send("GET", "/v1/things", "", authorized).status == 200);
  auto busy = w.client();
  REQUIRE(busy.write("POST /v1/later HTTP/1.1\r\nHost: x\r\n" + authorized + "\r\n"));
  REQUIRE(w.wait_for_later(1));
  w.server->close();
  CHECK(idle.ended());
  CHECK(w.client().send("GET", "/v1/things", "", authorized).status == 0);
  w.answer_later();
  const auto last = busy.receive();
  CHECK(last.status == 200);
  CHECK(contains(last.head, "Connection: close"));
  w.server->end(10s);
}

TEST_CASE("an answer that comes when the server is over is dropped") {
  server_world w;
  auto client = w.client();
  REQUIRE(client.write("POST /v1/later HTTP/1.1\r\nHost: x\r\n" + authorized + "\r\n"));
  REQUIRE(w.wait_for_later(1));
  w.server.reset();
  CHECK(client.ended());
  w.answer_later();
}

TEST_CASE("an address that is taken is refused with a sentence") {
  server_world w;
  server::plan second;
  second.settings.listen = w.server->address();
  second.routes = &w.routes;
  second.who = w.who;
  second.time = &w.time;
  const auto refused = server::start(second);
  REQUIRE_FALSE(refused);
  CHECK(contains(refused.error(), "the API cannot listen on 127.0.0.1:"));
}

} // namespace
} // namespace sluice::api
