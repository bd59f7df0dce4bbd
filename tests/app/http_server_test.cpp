#include "app/http_server.hpp"
#include "tests/app/http_client.hpp"

#include <catch2/catch.hpp>

#include <chrono>
#include <future>
#include <string>
#include <thread>
#include <utility>

namespace sluice::app {
namespace {

using tests::http_client;

/// A server that reacts as it is told, on a thread of its own.
struct world {
  explicit world(http_server::handler react)
      : server{http_server::listen({"127.0.0.1", 0}, std::move(react)).value()},
        thread{[this] { server.run(); }} {}
  ~world() {
    server.stop();
    if (thread.joinable()) {
      thread.join();
    }
  }

  http_server server;
  std::thread thread;
};

std::string post(const std::string& target) {
  return "POST " + target + " HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n";
}

TEST_CASE("a handler is given the request whole, with its headers in any case") {
  world w{[](const served_request& request) -> http_reaction {
    return {.status = 202,
            .headers = "X-Seen: yes\r\n",
            .body = std::string{request.method} + " " + std::string{request.target} + " "
                    + std::string{request.body} + " " + std::string{request.header("webhook-id")} + "|"
                    + std::string{request.header("absent")}};
  }};
  http_client client{w.server.port()};
  const auto answer = client.send("PUT", "/a?b=1", "bytes", "Webhook-Id: e1\r\n");
  CHECK(answer.status == 202);
  CHECK(answer.body == "PUT /a?b=1 bytes e1|");
  CHECK_THAT(answer.head, Catch::Contains("X-Seen: yes"));
}

TEST_CASE("a connection is cut without an answer, or left open without one") {
  std::promise<void> hangs;
  world w{[&](const served_request& request) -> http_reaction {
    if (request.target == "/cut") {
      return {.kind = reaction_kind::cut};
    }
    hangs.set_value();
    return {.kind = reaction_kind::hang};
  }};
  http_client hanging{w.server.port()};
  REQUIRE(hanging.write(post("/hang")));
  hangs.get_future().wait();
  http_client cut{w.server.port()};
  REQUIRE(cut.write(post("/cut")));
  CHECK(cut.ended()); // the one that hangs holds up nobody
  CHECK(hanging.still_open());
  hanging.end_writing(); // its client gives up
  CHECK(hanging.ended());
}

TEST_CASE("the last request ends the server once every answer that is owed is out") {
  std::promise<void> owed;
  world w{[&](const served_request& request) -> http_reaction {
    if (request.target == "/last") {
      return {.last = true};
    }
    owed.set_value();
    return {.after = std::chrono::milliseconds{50}};
  }};
  http_client slow{w.server.port()};
  REQUIRE(slow.write(post("/slow")));
  owed.get_future().wait();
  http_client last{w.server.port()};
  REQUIRE(last.write(post("/last") + post("/one-more")));
  CHECK(last.receive().status == 200);
  CHECK(last.ended()); // no request is taken any more
  CHECK(slow.receive().status == 200);
  w.thread.join(); // it has stopped by itself
}

} // namespace
} // namespace sluice::app
