#include "tests/api/server_world.hpp"

#include <string>

namespace sluice::api {
namespace {

using tests::contains;
using tests::http_client;
using tests::server_world;
using namespace std::chrono_literals;

const std::string form = "Content-Type: application/x-www-form-urlencoded\r\n";
const std::string chunked_form = form + "Transfer-Encoding: chunked\r\n";

TEST_CASE("a raw route takes any type without a token, and its handler sees the request as it came") {
  server_world w;
  auto client = w.client();
  const auto answer = client.send("POST", "/v1/raw/a%2Fb?x=1+2&x=&y=%7e", "a=1&b=%2B",
                                  form + "X-Signature: AbC=\r\nX-Signature: second\r\n");
  REQUIRE(answer.status == 200);
  const auto seen = nlohmann::json::parse(answer.body);
  CHECK(seen.at("target") == "/v1/raw/a%2Fb?x=1+2&x=&y=%7e");
  CHECK(seen.at("name") == "a/b");
  CHECK(seen.at("body") == "a=1&b=%2B");
  CHECK(seen.at("source") == "127.0.0.1");
  const auto headers = seen.at("headers").dump();
  CHECK(contains(headers, R"(["x-signature","AbC="],["x-signature","second"])"));
  CHECK(contains(headers, R"(["content-type","application/x-www-form-urlencoded"])"));
}

TEST_CASE("other routes get nothing of a request but what is theirs") {
  server_world w;
  auto client = w.client();
  const auto answer = client.send("POST", "/v1/things/a", "{}", server_world::headers());
  REQUIRE(answer.status == 200);
  CHECK_FALSE(contains(answer.body, "target"));
}

TEST_CASE("a raw route's body has limits of its own, announced or not") {
  server_world w{[](auto& settings) { settings.body_bytes_max = 4096; }};
  auto client = w.client();
  CHECK(client.send("POST", "/v1/raw/a", std::string(1024, 'x'), form).status == 200);
  const auto refused = client.send("POST", "/v1/raw/a", std::string(1025, 'x'), form);
  CHECK(refused.status == 413);
  CHECK(contains(refused.body, "at most 1024 bytes are taken (callbacks.body_bytes_max)"));
  auto chunked = w.client();
  REQUIRE(chunked.write("POST /v1/raw/a HTTP/1.1\r\nHost: x\r\n" + chunked_form + "\r\n401\r\n"
                        + std::string(1025, 'x') + "\r\n0\r\n\r\n"));
  CHECK(chunked.receive().status == 413);
  CHECK(w.served == 1);
}

TEST_CASE("a raw route's body has a time of its own") {
  server_world w{[](auto& settings) { settings.body_timeout = 10min; }};
  auto client = w.client();
  REQUIRE(client.write("POST /v1/raw/a HTTP/1.1\r\nHost: x\r\n" + form + "Content-Length: 10\r\n\r\na"));
  CHECK(client.ended());
  CHECK(w.served == 0);
}

TEST_CASE("a body that comes slowly without a token makes room for who has one") {
  server_world w{[](auto& settings) { settings.connections_max = 1; }};
  auto slow = w.client();
  REQUIRE(slow.write("POST /v1/open-body HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                     "Expect: 100-continue\r\nContent-Length: 10\r\n\r\n"));
  REQUIRE(slow.receive(false).status == 100);
  auto client = w.client();
  CHECK(client.send("GET", "/v1/things", "", server_world::headers()).status == 200);
  CHECK(slow.ended());
}

TEST_CASE("an Idempotency-Key means nothing to a raw route") {
  server_world w;
  auto client = w.client();
  const auto answer = client.send("POST", "/v1/raw/a", "x", form + "Idempotency-Key: one\r\n");
  REQUIRE(answer.status == 200);
  CHECK(nlohmann::json::parse(answer.body).at("key") == "");
}

} // namespace
} // namespace sluice::api
