#include "tests/api/server_world.hpp"

#include <string>

namespace sluice::api {
namespace {

using tests::server_world;
using namespace std::chrono_literals;

const std::string authorized = server_world::headers();

/// What was counted under the route at this place, or under none.
std::int64_t counted(const server_world& w, const std::string& pattern, int status) {
  const auto& routes = w.routes.routes();
  std::size_t number = 0;
  while (number < routes.size() && routes[number].pattern != pattern)
    ++number;
  return w.metrics->api_requests.of(number, status).value();
}

TEST_CASE("a request is counted once, under its route's pattern and the class of its answer") {
  server_world w;
  auto client = w.client();
  CHECK(client.send("POST", "/v1/things/one", "{}", authorized).status == 200);
  CHECK(client.send("POST", "/v1/things/two", "{}", authorized).status == 200);
  CHECK(client.send("POST", "/v1/never", "{}", authorized).status == 503);
  CHECK(counted(w, "/v1/things/{name}", 200) == 2);
  CHECK(counted(w, "/v1/things/{name}", 500) == 0);
  CHECK(counted(w, "/v1/never", 503) == 1);
  CHECK(counted(w, "/v1/things", 200) == 0);
}

TEST_CASE("what is refused before it has a route is counted under none, whatever it calls itself") {
  server_world w;
  auto client = w.client();
  CHECK(client.send("GET", "/v1/things", "", "").status == 401);
  CHECK(client.send("GET", "/no/such/path", "", authorized).status == 404);
  CHECK(client.send("INVENTED", "/v1/things", "", authorized).status == 405);
  CHECK(counted(w, "none", 400) == 3);
  CHECK(counted(w, "/v1/things", 400) == 0);
}

TEST_CASE("open connections are counted, and no more when they are over") {
  server_world w;
  {
    auto first = w.client();
    auto second = w.client();
    CHECK(first.send("GET", "/v1/things", "", authorized).status == 200);
    CHECK(second.send("GET", "/v1/things", "", authorized).status == 200);
    CHECK(w.metrics->api_connections.value() == 2.0);
  }
  w.server.reset();
  CHECK(w.metrics->api_connections.value() == 0.0);
}

} // namespace
} // namespace sluice::api
