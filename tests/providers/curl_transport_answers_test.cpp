#include "tests/providers/test_server.hpp"
#include "tests/providers/transport_world.hpp"

#include <catch2/catch.hpp>

using namespace sluice;
using namespace sluice::tests;
using core::call_error;

TEST_CASE("an answer comes back whole, with its times") {
  test_server server({answer(201, R"({"id":"r-1"})")});
  transport_world world;
  auto request = make_request("POST", server.url("/customers"), R"({"name":"Ada"})");
  request.common_headers = std::make_shared<const core::header_lines>(
      core::header_lines{"Content-Type: application/json", "X-Shared: yes"});
  request.headers = {"Idempotency-Key: k1"};
  const auto got = world.call(std::move(request));

  CHECK(got.error == call_error::none);
  CHECK(got.status == 201);
  CHECK(got.body == R"({"id":"r-1"})");
  CHECK(got.detail.empty());
  CHECK(got.took > core::duration::zero());
  CHECK(got.ended_at >= got.started_at);
  const auto seen = server.requests();
  REQUIRE(seen.size() == 1);
  CHECK(seen[0].body == R"({"name":"Ada"})");
  CHECK(seen[0].head.starts_with("POST /customers HTTP/1.1\r\n"));
  CHECK(seen[0].head.find("\r\nContent-Type: application/json\r\n") != std::string::npos);
  CHECK(seen[0].head.find("\r\nX-Shared: yes\r\n") != std::string::npos);
  CHECK(seen[0].head.find("\r\nIdempotency-Key: k1\r\n") != std::string::npos);
}

TEST_CASE("one handle serves every kind of request, each with its own method, body and headers") {
  test_server server({answer(200, "ok")});
  transport_world world;
  const std::vector<std::pair<std::string, std::string>> kinds{
      {"GET", ""},    {"POST", "one"}, {"DELETE", ""},     {"PUT", "two"}, {"POST", ""},
      {"PATCH", "3"}, {"GET", ""},     {"DELETE", "four"}, {"PUT", ""},    {"POST", "five"},
  };
  for (const auto& [method, body] : kinds)
    CHECK(world.call(make_request(method, server.url(), body)).status == 200);

  const auto seen = server.requests();
  REQUIRE(seen.size() == kinds.size());
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    INFO(seen[i].head);
    CHECK(seen[i].head.starts_with(kinds[i].first + " / HTTP/1.1\r\n"));
    CHECK(seen[i].body == kinds[i].second);
    CHECK(seen[i].head.find("Content-Type:") == std::string::npos);
    CHECK(seen[i].head.find("Transfer-Encoding:") == std::string::npos);
    const bool says_length = seen[i].head.find("\r\nContent-Length: ") != std::string::npos;
    CHECK(says_length
          == (kinds[i].first != "GET" && (kinds[i].first != "DELETE" || !kinds[i].second.empty())));
  }
}

TEST_CASE("an answer to HEAD has no body to wait for, and the next request is itself again") {
  test_server server(
      {reaction{.bytes = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", .chunk = {}}, answer(201)});
  transport_world world;
  CHECK(world.call(make_request("HEAD", server.url())).status == 200);
  CHECK(world.call(make_request("POST", server.url(), "body")).status == 201);
  CHECK(server.requests().at(1).body == "body");
}

TEST_CASE("a large body goes out at once, without asking the server first") {
  test_server server({answer(200)});
  transport_world world;
  const std::string body(std::size_t{3} << 20, 'x');
  CHECK(world.call(make_request("POST", server.url(), body)).status == 200);
  const auto seen = server.requests();
  REQUIRE(seen.size() == 1);
  CHECK(seen[0].head.find("Expect") == std::string::npos);
  CHECK(seen[0].body == body);
}

TEST_CASE("a redirect is an answer, not an order") {
  test_server elsewhere({answer(200)});
  test_server server({answer(302, "", "Location: " + elsewhere.url("/there") + "\r\n")});
  transport_world world;
  const auto got = world.call(make_request("GET", server.url()));
  CHECK(got.error == call_error::none);
  CHECK(got.status == 302);
  CHECK(got.location == elsewhere.url("/there"));
  CHECK(elsewhere.connections() == 0);
}

TEST_CASE(
    "a 429 brings its Retry-After, in whatever case the header comes, and it does not stick to the handle") {
  test_server server({answer(429, "", "retry-AFTER:   120 \r\n"), answer(200)});
  transport_world world;
  const auto limited = world.call(make_request("POST", server.url(), "x"));
  CHECK(limited.status == 429);
  CHECK(limited.retry_after == "120");
  CHECK(world.call(make_request("POST", server.url(), "x")).retry_after.empty());
}

TEST_CASE("the status that counts is the final one") {
  test_server server({reaction{.bytes = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
                                        "HTTP/1.1 204 No Content\r\n\r\n",
                               .chunk = {}}});
  transport_world world;
  CHECK(world.call(make_request("GET", server.url())).status == 204);
}

TEST_CASE("an answer of 100 MB is cut at the limit and costs no more memory than that") {
  test_server server({reaction{.bytes = "HTTP/1.1 200 OK\r\nContent-Length: 104857600\r\n\r\n",
                               .chunk = std::string(std::size_t{1} << 20, 'y'),
                               .chunk_count = 100}});
  auto settings = loopback_settings();
  settings.answer_bytes_max = 100'000;
  transport_world world(settings);
  const auto got = world.call(make_request("GET", server.url()));
  CHECK(got.error == call_error::answer_too_large);
  CHECK(got.status == 200);
  CHECK(got.body.size() == 100'000);
  CHECK(got.may_have_arrived());
}

TEST_CASE("an answer of exactly the limit is whole") {
  test_server server({answer(200, std::string(1000, 'z'))});
  auto settings = loopback_settings();
  settings.answer_bytes_max = 1000;
  transport_world world(settings);
  const auto got = world.call(make_request("GET", server.url()));
  CHECK(got.error == call_error::none);
  CHECK(got.body.size() == 1000);
}

TEST_CASE("a request that is not HTTP never leaves") {
  test_server server({answer(200)});
  transport_world world;
  auto split_header = make_request("POST", server.url(), "x");
  split_header.headers = {"X-Name: a\r\nX-Injected: b"};
  auto split_common = make_request("POST", server.url(), "x");
  split_common.common_headers = std::make_shared<const core::header_lines>(core::header_lines{"X: a\nY: b"});
  const std::vector<core::http_request> wrong{
      split_header,
      split_common,
      make_request("GET / HTTP/1.1\r\nX:", server.url()),
      make_request("GET", "ftp://127.0.0.1/file"),
      make_request("GET", "file:///etc/hostname"),
      make_request("GET", "not a url"),
  };
  for (const auto& request : wrong) {
    const auto got = world.call(request);
    INFO(request.method << ' ' << request.url);
    CHECK(got.error == call_error::not_connected);
    CHECK_FALSE(got.may_have_arrived());
    CHECK_FALSE(got.detail.empty());
  }
  CHECK(server.connections() == 0);
  CHECK(world.call(make_request("GET", server.url())).status == 200);
}
