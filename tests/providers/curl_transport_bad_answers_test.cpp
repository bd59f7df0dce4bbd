// What HTTP forbids, from a server that says it all the same.

#include "providers/curl_headers.hpp"
#include "tests/providers/test_server.hpp"
#include "tests/providers/transport_world.hpp"

#include <catch2/catch.hpp>

#include <chrono>

using namespace sluice;
using namespace sluice::tests;
using namespace std::string_literals;
using core::call_error;

namespace {

reaction then_close(std::string bytes) {
  return {.bytes = std::move(bytes), .chunk = {}, .then = reaction::end::close};
}

/// `chunk` so often that nobody would read it all, and no end.
reaction flood(std::string bytes, std::string chunk) {
  const auto count = (std::size_t{16} << 20) / chunk.size();
  return {.bytes = std::move(bytes),
          .chunk = std::move(chunk),
          .chunk_count = count,
          .then = reaction::end::hang};
}

providers::transport_settings bounded() {
  auto settings = loopback_settings();
  settings.call_timeout = std::chrono::seconds{10};
  settings.answer_bytes_max = 1000;
  return settings;
}

} // namespace

TEST_CASE("an answer that breaks off anywhere before its end is cut, and may have arrived") {
  const auto [bytes, status, body] = GENERATE(table<std::string, int, std::string>({
      {"HTTP/1.1 2", 0, ""},
      {"HTTP/1.1 200 OK\r\n", 200, ""},
      {"HTTP/1.1 200 OK\r\nContent-Le", 200, ""},
      {"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n", 200, ""},
      {"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n", 200, ""},
      {"HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\nok", 200, "ok"},
      {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab", 200, "ab"},
      {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n", 200, "ab"},
  }));
  CAPTURE(bytes);
  test_server server({then_close(bytes)});
  transport_world world(bounded());
  const auto got = world.call(make_request("POST", server.url(), "x"));
  CHECK(got.error == call_error::cut);
  CHECK(got.status == status);
  CHECK(got.body == body);
  CHECK(got.may_have_arrived());
  CHECK_FALSE(got.detail.empty());
}

TEST_CASE("an answer that is not HTTP is cut, and the next call is not harmed") {
  const auto bytes = GENERATE(values<std::string>({
      "HTTP/1.1 99999 Much\r\n\r\n",
      "HTTP/1.1 000 None\r\nContent-Length: 0\r\n\r\n",
      "HTTP/1.1 200 OK\r\nContent-Length: -2\r\n\r\nok",
      "HTTP/1.1 200 OK\r\nContent-Length: two\r\n\r\nok",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nabc",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\nabc",
      "HTTP/1.1 429 No\r\nRetry-After: 5\0"s + "5\r\nContent-Length: 0\r\n\r\n",
      "HTTP/1.1 200 OK\r\nX: " + std::string(200'000, 'a') + "\r\nContent-Length: 2\r\n\r\nok",
      "hello\r\n",
  }));
  CAPTURE(bytes.substr(0, 100));
  test_server server({then_close(bytes), answer(200)});
  transport_world world(bounded());
  const auto got = world.call(make_request("POST", server.url(), "x"));
  CHECK(got.error == call_error::cut);
  CHECK(got.retry_after.empty());
  CHECK(got.may_have_arrived());
  CHECK(world.call(make_request("POST", server.url(), "y")).status == 200);
}

TEST_CASE("bytes behind an announced length are no part of any answer") {
  auto longer = answer(200, "ok");
  longer.bytes += "HTTP/1.1 500 Smuggled\r\nContent-Length: 0\r\n\r\n";
  test_server server({longer, answer(201, "next")});
  transport_world world;
  const auto first = world.call(make_request("POST", server.url(), "x"));
  CHECK(first.status == 200);
  CHECK(first.body == "ok");
  const auto second = world.call(make_request("POST", server.url(), "y"));
  CHECK(second.status == 201);
  CHECK(second.body == "next");
}

TEST_CASE("a header of 100 KB is read, and the wait at its end") {
  std::string lines;
  while (lines.size() < 100'000)
    lines += "X-Filler: " + std::string(80, 'a') + "\r\n";
  test_server server({answer(429, "", lines + "Retry-After: 5\r\nRetry-After: 9\r\n")});
  transport_world world;
  const auto got = world.call(make_request("POST", server.url(), "x"));
  CHECK(got.error == call_error::none);
  CHECK(got.status == 429);
  CHECK(got.retry_after == "9");
}

TEST_CASE("a header without end is given up at its limit, announcements without end too") {
  const auto [first, line] = GENERATE(table<std::string, std::string>(
      {{"HTTP/1.1 200 OK\r\n", "X-More: and more\r\n"}, {"", "HTTP/1.1 100 Continue\r\n\r\n"}}));
  CAPTURE(line);
  test_server server({flood(first, line), answer(200)});
  transport_world world(bounded());
  const auto got = world.call(make_request("POST", server.url(), "x"));
  CHECK(got.error == call_error::cut);
  CHECK(got.detail.find("256 KiB") != std::string::npos);
  CHECK(got.took < std::chrono::seconds{10});
  CHECK(world.call(make_request("POST", server.url(), "y")).status == 200);
}

TEST_CASE("a body without end is given up at its limit, with or without a length, in chunks or not") {
  const auto [head, chunk] = GENERATE(table<std::string, std::string>(
      {{"HTTP/1.1 200 OK\r\n\r\n", "more"},
       {"HTTP/1.1 200 OK\r\nContent-Length: 9223372036854775807\r\n\r\n", "more"},
       {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "4\r\nmore\r\n"}}));
  CAPTURE(head);
  test_server server({flood(head, chunk)});
  transport_world world(bounded());
  const auto got = world.call(make_request("POST", server.url(), "x"));
  CHECK(got.error == call_error::answer_too_large);
  CHECK(got.status == 200);
  CHECK(got.body.size() == 1000);
  CHECK(got.took < std::chrono::seconds{10});
}
