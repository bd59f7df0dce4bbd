#include "app/crm.hpp"
#include "tests/app/http_client.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <thread>

namespace sluice::app {
namespace {

using tests::http_client;

/// A stand-in target on a thread of its own, and a client of it.
struct world {
  explicit world(const crm_options& options = {})
      : server{crm_server::listen(options).value()}, thread{[this] { server.run(); }}, client{server.port()} {
  }
  ~world() {
    server.stop();
    thread.join();
  }

  std::string state() { return client.send("GET", "/_state").body; }

  crm_server server;
  std::thread thread;
  http_client client;
};

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST_CASE("the stand-in target creates, changes, replaces, finds and removes") {
  world w;
  auto made = w.client.send("POST", "/customers", R"({"external_id":"A 1","name":"Ann","n":1.0})");
  CHECK(made.status == 201);
  CHECK(made.body == R"({"id":"1"})");
  CHECK(w.client.send("PATCH", "/customers/1", R"({"n":1234567890123456789012345678901234567890})").status
        == 200);
  CHECK(
      w.client.send("GET", "/customers?external_id=A%201").body
      == R"({"items":[{"id":"1","external_id":"A 1","fields":{"n":1234567890123456789012345678901234567890,"name":"Ann"}}]})");
  CHECK(w.client.send("PUT", "/customers/1", R"({"only":1.50})").status == 200);
  CHECK(w.client.send("GET", "/customers/1").body
        == R"({"id":"1","external_id":"A 1","fields":{"only":1.50}})");
  CHECK(w.client.send("DELETE", "/customers/1").status == 204);
  CHECK(w.client.send("DELETE", "/customers/1").status == 404);
  CHECK(w.client.send("PATCH", "/customers/1", "{}").status == 404);
  CHECK(w.client.send("GET", "/customers?external_id=A%201").body == R"({"items":[]})");
}

TEST_CASE("the stand-in target deactivates and reactivates, and remembers each withdrawal with its time") {
  world w;
  w.client.send("POST", "/customers", R"({"external_id":"A","name":"Ann"})");
  w.client.send("POST", "/customers", R"({"external_id":"B"})");
  CHECK(w.client.send("PATCH", "/customers/1", R"({"active":false})").status == 200);
  CHECK(w.client.send("PATCH", "/customers/1", R"({"active":false})").status == 200);
  CHECK(w.client.send("GET", "/customers/1").body
        == R"({"id":"1","external_id":"A","active":false,"fields":{"name":"Ann"}})");
  CHECK(w.client.send("DELETE", "/customers/2").status == 204);
  CHECK(contains(w.state(), R"("updates":2,"deletes":1,"deactivations":1,"reactivations":0)"));
  const auto shown = w.client.send("GET", "/_state/customers").body;
  CHECK(contains(shown, R"("withdrawals":[{"id":"1","external_id":"A","how":"deactivate","at":"2)"));
  CHECK(contains(shown, R"(,{"id":"2","external_id":"B","how":"delete","at":"2)"));
  CHECK(w.client.send("PATCH", "/customers/1", R"({"active":true,"name":"Ann"})").status == 200);
  CHECK(w.client.send("GET", "/customers/1").body
        == R"({"id":"1","external_id":"A","fields":{"name":"Ann"}})");
  CHECK(contains(w.state(), R"("deactivations":1,"reactivations":1)"));
  CHECK(contains(w.client.send("GET", "/_state/nothing").body, R"({"items":[],"withdrawals":[]})"));
}

TEST_CASE("the stand-in target refuses what it does not understand") {
  world w;
  CHECK(w.client.send("POST", "/customers", "{").status == 400);
  CHECK(w.client.send("POST", "/customers", "[1]").status == 422);
  CHECK(w.client.send("GET", "/customers").status == 405);
  CHECK(w.client.send("GET", "/a/b/c").status == 404);
  CHECK(w.client.send("PATCH", "/customers/x", "{}").status == 404);
  CHECK(contains(w.state(), R"("requests":5)"));
}

TEST_CASE("a second create of an external id makes a second object and is counted") {
  world w;
  w.client.send("POST", "/customers", R"({"external_id":"A"})");
  w.client.send("POST", "/customers", R"({"external_id":"A"})");
  w.client.send("POST", "/customers", R"({"external_id":"B"})");
  CHECK(contains(w.state(), R"("customers":{"count":3,"created_twice":["A"],"creates":3,"updates":0)"));
  CHECK(contains(w.client.send("GET", "/_state/customers").body,
                 R"({"items":[{"id":"1","external_id":"A","fields":{}})"));
}

TEST_CASE("a create after a removal is no double") {
  world w;
  w.client.send("POST", "/customers", R"({"external_id":"A"})");
  w.client.send("DELETE", "/customers/1");
  w.client.send("POST", "/customers", R"({"external_id":"A"})");
  CHECK(contains(w.state(), R"("created_twice":[])"));
}

TEST_CASE("the same idempotency key gets the same answer, unless keys are ignored") {
  const std::string key = "Idempotency-Key: k1\r\n";
  world w;
  CHECK(w.client.send("POST", "/c", R"({"external_id":"A"})", key).body == R"({"id":"1"})");
  CHECK(w.client.send("POST", "/c", R"({"external_id":"A"})", key).body == R"({"id":"1"})");
  CHECK(contains(w.state(), R"("creates":1)"));
  world deaf{{.ignore_keys = true}};
  deaf.client.send("POST", "/c", R"({"external_id":"A"})", key);
  CHECK(deaf.client.send("POST", "/c", R"({"external_id":"A"})", key).body == R"({"id":"2"})");
  CHECK(contains(deaf.state(), R"("created_twice":["A"])"));
}

TEST_CASE("more requests in a minute than allowed are answered 429 with the wait") {
  world w{{.requests_per_minute = 2}};
  CHECK(w.client.send("POST", "/c", "{}").status == 201);
  CHECK(w.client.send("POST", "/c", "{}").status == 201);
  const auto refused = w.client.send("POST", "/c", "{}");
  CHECK(refused.status == 429);
  CHECK((contains(refused.head, "Retry-After: 60") || contains(refused.head, "Retry-After: 59")));
  CHECK(contains(w.state(), R"("peak_requests_in_60s":3,"rate_limited":1)"));
  CHECK(contains(w.state(), R"("count":2)"));
}

TEST_CASE("a failed request has done nothing, a lost reply has done all") {
  world failing{{.fail_rate = 1}};
  CHECK(failing.client.send("POST", "/c", "{}").status == 503);
  CHECK(contains(failing.state(), R"("collections":{},)"));
  CHECK(contains(failing.state(), R"("failed":1)"));

  world losing{{.lose_reply_rate = 1}};
  CHECK(losing.client.send("POST", "/c", R"({"external_id":"A"})").status == 0);
  http_client second{losing.server.port()};
  const auto state = second.send("GET", "/_state").body;
  CHECK(contains(state, R"("count":1)"));
  CHECK(contains(state, R"("lost_replies":1)"));
}

TEST_CASE("the same seed makes the same faults") {
  const auto statuses = [](std::uint64_t seed) {
    world w{{.fail_rate = 0.5, .seed = seed}};
    std::string out;
    for (int i = 0; i < 64; ++i) {
      out += w.client.send("POST", "/c", "{}").status == 201 ? '+' : '-';
    }
    return out;
  };
  const auto first = statuses(7);
  CHECK(first == statuses(7));
  CHECK(first != statuses(8));
  CHECK(contains(first, "+"));
  CHECK(contains(first, "-"));
}

TEST_CASE("an answer is held back by the latency") {
  world w{{.latency = std::chrono::milliseconds{30}}};
  const auto before = std::chrono::steady_clock::now();
  CHECK(w.client.send("POST", "/c", "{}").status == 201);
  CHECK(std::chrono::steady_clock::now() - before >= std::chrono::milliseconds{30});
}

TEST_CASE("an address that is none, or is taken, is refused with a sentence") {
  CHECK(contains(crm_server::listen({.listen = "nowhere"}).error(), "allowed is ADDRESS:PORT"));
  CHECK(contains(crm_server::listen({.listen = "127.0.0.1:99999"}).error(), "allowed is ADDRESS:PORT"));
  world w;
  CHECK(contains(crm_server::listen({.listen = w.server.address()}).error(), "cannot listen on"));
}

} // namespace
} // namespace sluice::app
