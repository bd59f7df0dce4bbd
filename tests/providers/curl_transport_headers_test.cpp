#include "tests/providers/test_server.hpp"
#include "tests/providers/transport_world.hpp"

#include <catch2/catch.hpp>

using namespace sluice;
using namespace sluice::tests;
using headers = std::vector<std::pair<std::string, std::string>>;

namespace {

core::http_answer asked(const std::string& bytes, std::vector<std::string> wanted) {
  test_server server({reaction{.bytes = bytes, .chunk = {}, .then = reaction::end::close}});
  transport_world world;
  auto request = make_request("POST", server.url(), "x");
  request.wanted_headers = std::move(wanted);
  return world.call(request);
}

} // namespace

TEST_CASE("an answer carries the headers that were asked for, in order, and no other") {
  const auto got = asked("HTTP/1.1 200 OK\r\nDate:  Mon, 30 Nov 2026 20:00:00 GMT \r\nX-Id: 1\r\nOther: o\r\n"
                         "x-ID:2\r\nX-Idle: no\r\nContent-Length: 0\r\n\r\n",
                         {"date", "x-id"});
  CHECK(got.headers == headers{{"date", "Mon, 30 Nov 2026 20:00:00 GMT"}, {"x-id", "1"}, {"x-id", "2"}});
  CHECK(got.header("x-id") == "1");
  CHECK(asked("HTTP/1.1 200 OK\r\nDate: x\r\nContent-Length: 0\r\n\r\n", {}).headers.empty());
}

TEST_CASE("neither an interim answer's headers nor trailers are the answer's") {
  const auto got =
      asked("HTTP/1.1 103 Early Hints\r\nX-Id: early\r\n\r\n"
            "HTTP/1.1 200 OK\r\nX-Id: last\r\nTransfer-Encoding: chunked\r\nTrailer: X-Id\r\n\r\n"
            "1\r\na\r\n0\r\nX-Id: trailer\r\n\r\n",
            {"x-id"});
  CHECK(got.status == 200);
  CHECK(got.headers == headers{{"x-id", "last"}});
}

TEST_CASE("a header is cut where it is longer than anybody needs, and so is a flood of them") {
  std::string flood;
  for (int i = 0; i < 100; ++i)
    flood += "X-Id: " + std::to_string(i) + "\r\n";
  const auto got = asked("HTTP/1.1 200 OK\r\nX-Long: " + std::string(10000, 'a') + "\r\n" + flood
                             + "Content-Length: 0\r\n\r\n",
                         {"x-long", "x-id"});
  CHECK(got.header("x-long").size() == 8192);
  CHECK(got.headers.size() == 64);
}
