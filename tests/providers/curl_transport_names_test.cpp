// Name resolution under the test's control: this program's getaddrinfo stands in front of the C library's,
// for libcurl too.

#include "tests/providers/test_server.hpp"
#include "tests/providers/transport_world.hpp"

#include <catch2/catch.hpp>

#include <atomic>
#include <cstring>
#include <dlfcn.h>
#include <netdb.h>

namespace {

/// Names that resolve only when the test lets them.
class stuck_names {
public:
  static void wait() {
    ++entered;
    entered.notify_all();
    released.wait(false);
  }
  static void wait_until_entered() { entered.wait(0); }
  static void release() {
    released = true;
    released.notify_all();
  }

private:
  static inline std::atomic<int> entered = 0;
  static inline std::atomic<bool> released = false;
};

} // namespace

extern "C" int getaddrinfo(const char* node, const char* service, const addrinfo* hints, addrinfo** result) {
  static const auto real = reinterpret_cast<decltype(&getaddrinfo)>(dlsym(RTLD_NEXT, "getaddrinfo"));
  if (node != nullptr && std::strcmp(node, "stuck.test") == 0) {
    stuck_names::wait();
    return EAI_AGAIN;
  }
  if (node != nullptr && std::strcmp(node, "nowhere.test") == 0)
    return EAI_NONAME;
  if (node != nullptr && std::strcmp(node, "inside.test") == 0)
    return real("10.1.2.3", service, hints, result);
  if (node != nullptr && std::strcmp(node, "both.test") == 0) {
    const int first = real("127.0.0.2", service, hints, result);
    return first == 0 ? real("127.0.0.1", service, hints, &(*result)->ai_next) : first;
  }
  return real(node, service, hints, result);
}

using namespace sluice;
using namespace sluice::tests;
using core::call_error;

TEST_CASE("a name nobody knows never arrived") {
  transport_world world;
  const auto got = world.call(make_request("POST", "http://nowhere.test/", "x"));
  CHECK(got.error == call_error::not_connected);
  CHECK(got.detail.find("resolved") != std::string::npos);
}

TEST_CASE("a name that leads inside is refused when it is dialled") {
  transport_world world;
  CHECK(world.call(make_request("POST", "http://inside.test/", "x")).error == call_error::address_refused);
}

TEST_CASE("of a name's addresses each is judged by itself: one that may be dialled opens no other") {
  test_server server({answer(200)}); // on 127.0.0.1, which is the second; nobody listens at the first
  const auto url = "http://both.test" + server.url().substr(std::string{"http://127.0.0.1"}.size());
  const auto call_with = [&](std::vector<std::string> allowed) {
    auto settings = loopback_settings();
    settings.allowed_networks = std::move(allowed);
    return transport_world(settings).call(make_request("POST", url, "x"));
  };
  const auto refused = call_with({"127.0.0.2"});
  CHECK(refused.error == call_error::not_connected);
  CHECK_FALSE(refused.may_have_arrived());
  CHECK(server.connections() == 0);
  CHECK(call_with({"127.0.0.1"}).status == 200);
  CHECK(call_with({"127.0.0.0/8"}).status == 200);
  CHECK(call_with({}).error == call_error::address_refused);
  CHECK(server.connections() == 2);
}

TEST_CASE("a resolver that is stuck holds up neither other calls nor the end of the transport") {
  test_server server({answer(200)});
  auto settings = loopback_settings();
  settings.connect_timeout = std::chrono::milliseconds{200};
  transport_world world(settings);
  world.submit(make_request("POST", "http://stuck.test/", "x"), 1);
  stuck_names::wait_until_entered();
  CHECK(world.call(make_request("GET", server.url())).status == 200);

  const auto given_up = world.answers(2);
  REQUIRE(given_up.size() == 2);
  CHECK(given_up[1].answer.error == call_error::not_connected);
  CHECK(world.call(make_request("GET", server.url())).status == 200);

  world.submit(make_request("POST", "http://stuck.test/", "x"), 1);
  const auto before = std::chrono::steady_clock::now();
  world.destroy_transport();
  CHECK(std::chrono::steady_clock::now() - before < std::chrono::seconds{5});
  CHECK(world.answers(4).size() == 4);
  stuck_names::release();
}
