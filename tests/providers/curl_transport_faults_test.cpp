#include "tests/providers/test_server.hpp"
#include "tests/providers/transport_world.hpp"

#include <catch2/catch.hpp>

#include <cstdlib>

using namespace sluice;
using namespace sluice::tests;
using core::call_error;

namespace {

reaction close_silently() {
  return {.bytes = {}, .chunk = {}, .then = reaction::end::close};
}

providers::transport_settings impatient() {
  auto settings = loopback_settings();
  settings.connect_timeout = std::chrono::milliseconds{200};
  settings.call_timeout = std::chrono::milliseconds{300};
  return settings;
}

} // namespace

TEST_CASE("every request is sent once when its reused connection closes without an answer") {
  const auto& [method, body] = GENERATE(table<std::string, std::string>(
      {{"POST", "create"}, {"POST", ""}, {"PUT", "update"}, {"GET", ""}, {"DELETE", ""}}));
  CAPTURE(method, body);
  test_server server({answer(200), close_silently(), answer(201)});
  transport_world world;
  REQUIRE(world.call(make_request("GET", server.url())).status == 200);
  const auto got = world.call(make_request(method, server.url(), body));
  CHECK(got.error == call_error::cut);
  CHECK(got.status == 0);
  CHECK(got.may_have_arrived());
  CHECK(got.detail.find("error 42") != std::string::npos);
  CHECK(server.requests().size() == 2);
}

TEST_CASE("calls share a connection as long as it lasts") {
  test_server server({answer(200)});
  transport_world world;
  for (int i = 0; i < 5; ++i)
    CHECK(world.call(make_request("POST", server.url(), "x")).status == 200);
  CHECK(server.connections() == 1);
}

TEST_CASE("a connection the peer closed while it was idle is replaced before anything is sent") {
  auto last = answer(200);
  last.then = reaction::end::close;
  test_server server({last});
  transport_world world;
  for (std::size_t i = 1; i <= 5; ++i) {
    CHECK(world.call(make_request("PUT", server.url(), "x")).status == 200);
    REQUIRE(server.wait_for_ended(i));
  }
  CHECK(server.connections() == 5);
}

TEST_CASE("an answer that breaks off in its body is cut, with the status that came") {
  test_server server({reaction{.bytes = "HTTP/1.1 201 Created\r\nContent-Length: 100\r\n\r\n{\"id\"",
                               .chunk = {},
                               .then = reaction::end::close}});
  transport_world world;
  const auto got = world.call(make_request("POST", server.url(), "x"));
  CHECK(got.error == call_error::cut);
  CHECK(got.status == 201);
  CHECK(got.body == "{\"id\"");
  CHECK(got.may_have_arrived());
}

TEST_CASE("an answer in drips runs into the timeout of the call") {
  test_server server(
      {reaction{.bytes = answer(200, std::string(1000, '.')).bytes, .chunk = {}, .drip = true}});
  transport_world world(impatient());
  const auto got = world.call(make_request("POST", server.url(), "x"));
  CHECK(got.error == call_error::timed_out);
  CHECK(got.may_have_arrived());
}

TEST_CASE("a peer that says nothing runs into the timeout of the call, and the next call is not harmed") {
  test_server server({reaction{.bytes = {}, .chunk = {}, .then = reaction::end::hang}, answer(200)});
  transport_world world(impatient());
  const auto got = world.call(make_request("POST", server.url(), "x"));
  CHECK(got.error == call_error::timed_out);
  CHECK(got.status == 0);
  CHECK(got.may_have_arrived());
  CHECK(got.took >= std::chrono::milliseconds{300});
  CHECK(world.call(make_request("POST", server.url(), "y")).status == 200);
}

TEST_CASE("garbage instead of HTTP is no answer, but the request has arrived") {
  test_server server({reaction{
      .bytes = "220 mail ready\r\n\x01\x02\x03\r\n\r\n", .chunk = {}, .then = reaction::end::close}});
  transport_world world;
  const auto got = world.call(make_request("POST", server.url(), "x"));
  CHECK(got.error == call_error::cut);
  CHECK(got.status == 0);
  CHECK(got.may_have_arrived());
}

TEST_CASE("a refused connection never arrived") {
  transport_world world;
  const auto url = "http://127.0.0.1:" + std::to_string(closed_port()) + "/";
  const auto got = world.call(make_request("POST", url, "x"));
  CHECK(got.error == call_error::not_connected);
  CHECK_FALSE(got.may_have_arrived());
}

TEST_CASE("a handshake that does not come about in time never arrived") {
  test_server server({answer(200)}); // it waits for the end of a request line that is none
  transport_world world(impatient());
  const auto got = world.call(make_request("POST", server.url("/", "https"), "x"));
  CHECK(got.error == call_error::not_connected);
  CHECK(server.requests().empty());
}

TEST_CASE("loopback is refused unless it is allowed, in every spelling") {
  test_server server({answer(200)});
  transport_world world(providers::transport_settings{});
  const auto port = server.url().substr(std::string{"http://127.0.0.1"}.size());
  for (const std::string host : {"127.0.0.1", "localhost", "0x7f.1", "2130706433", "017700000001", "[::1]",
                                 "[::ffff:127.0.0.1]", "0.0.0.0", "127.1", "[64:ff9b::127.0.0.1]"}) {
    const auto got = world.call(make_request("POST", "http://" + host + port, "x"));
    INFO(host << ": " << got.detail);
    CHECK(got.error == call_error::address_refused);
    CHECK_FALSE(got.may_have_arrived());
  }
  CHECK(server.connections() == 0);
}

TEST_CASE("a network that is none is a fault of the settings") {
  auto settings = loopback_settings();
  settings.allowed_networks = {"127.0.0.0/8", "10.0.0.0/33"};
  CHECK_THROWS_WITH(transport_world(settings),
                    Catch::Contains("allowed_networks") && Catch::Contains("10.0.0.0/33"));
}

TEST_CASE("a proxy is used when it is set, and no address inside can be reached through it") {
  test_server proxy({answer(200)});
  auto settings = loopback_settings();
  settings.proxy = proxy.url("");
  transport_world world(settings);
  for (const std::string host : {"10.0.0.1", "0xa000001", "[::1]", "169.254.169.254"}) {
    INFO(host);
    CHECK(world.call(make_request("GET", "http://" + host + "/")).error == call_error::address_refused);
  }
  CHECK(proxy.connections() == 0);
  CHECK(world.call(make_request("GET", "http://nowhere.example/x")).status == 200);
  CHECK(proxy.requests().at(0).head.starts_with("GET http://nowhere.example/x HTTP/1.1\r\n"));
}

TEST_CASE("the environment's proxy is not used") {
  test_server server({answer(200)});
  ::setenv("http_proxy", ("http://127.0.0.1:" + std::to_string(closed_port())).c_str(), 1);
  transport_world world;
  const auto got = world.call(make_request("GET", server.url()));
  ::unsetenv("http_proxy");
  CHECK(got.status == 200);
}
