#include "tests/api/server_world.hpp"
#include "tests/config/temporary_folder.hpp"

#include <array>
#include <string>
#include <sys/stat.h>
#include <sys/un.h>

namespace sluice::api {
namespace {

using core::token_role;
using tests::contains;
using tests::http_client;
using tests::server_world;
using namespace std::chrono_literals;

std::string bearer(const std::string& token) {
  return "Authorization: Bearer " + token + "\r\nContent-Type: application/json\r\n";
}

core::api_token token_of(const std::string& name, token_role role) {
  core::api_token made;
  made.name = name;
  made.role = role;
  return made;
}

struct asked_route {
  const char* method;
  const char* path;
  access needed;
};
constexpr std::array routes{
    asked_route{"GET", "/v1/open", access::anyone}, asked_route{"POST", "/v1/records", access::intake},
    asked_route{"GET", "/v1/things", access::viewer}, asked_route{"POST", "/v1/things/a", access::operate},
    asked_route{"GET", "/v1/keys", access::administer}};

TEST_CASE("a role may do what it is for and nothing else") {
  server_world w;
  // By role, in the order of the routes.
  const std::array<std::pair<token_role, std::array<bool, 5>>, 4> allowed{{
      {token_role::intake, {true, true, false, false, false}},
      {token_role::viewer, {true, false, true, false, false}},
      {token_role::operating, {true, false, true, true, false}},
      {token_role::admin, {true, true, true, true, true}},
  }};
  for (const auto& [role, may] : allowed) {
    const std::string name{core::to_string(role)};
    w.add_token(name + "-token", token_of(name, role));
    for (std::size_t at = 0; at < routes.size(); ++at) {
      INFO(name << " " << routes[at].path);
      const auto answer = w.client().send(routes[at].method, routes[at].path, "", bearer(name + "-token"));
      CHECK(answer.status == (may[at] ? 200 : 403));
      CHECK(permits(role, routes[at].needed) == may[at]);
      if (!may[at])
        CHECK(contains(answer.body, "urn:sluice:problem:forbidden"));
    }
  }
}

TEST_CASE("a request carries whose token it came with") {
  server_world w;
  w.add_token("a-token", token_of("ann's laptop", token_role::viewer));
  CHECK(
      contains(w.client().send("GET", "/v1/things", "", bearer("a-token")).body, R"("who":"ann's laptop")"));
}

TEST_CASE(
    "a revoked, an expired and an unknown token open nothing, and do not learn which routes there are") {
  server_world w;
  auto revoked = token_of("revoked", token_role::admin);
  revoked.revoked_at = w.time.wall() - 1s;
  w.add_token("revoked-token", revoked);
  auto expired = token_of("expired", token_role::admin);
  expired.expires_at = w.time.wall();
  w.add_token("expired-token", expired);
  auto lasting = token_of("lasting", token_role::admin);
  lasting.expires_at = w.time.wall() + 1us;
  w.add_token("lasting-token", lasting);
  for (const std::string token : {"revoked-token", "expired-token", "unknown-token"}) {
    INFO(token);
    CHECK(w.client().send("GET", "/v1/things", "", bearer(token)).status == 401);
    CHECK(w.client().send("GET", "/v1/nowhere", "", bearer(token)).status == 401);
  }
  CHECK(w.client().send("GET", "/v1/things", "", bearer("lasting-token")).status == 200);
  CHECK(w.client().send("GET", "/v1/nowhere", "", bearer("lasting-token")).status == 404);
}

TEST_CASE("a token counts until the moment it is revoked, on a connection that stays open too") {
  server_world w;
  auto token = token_of("ann", token_role::viewer);
  w.add_token("a-token", token);
  auto client = w.client();
  CHECK(client.send("GET", "/v1/things", "", bearer("a-token")).status == 200);
  token.revoked_at = w.time.wall();
  w.add_token("a-token", token);
  CHECK(client.send("GET", "/v1/things", "", bearer("a-token")).status == 401);
}

TEST_CASE("while tokens cannot be read, those of the table wait and the settings' own works") {
  server_world w;
  w.tokens_unreadable = true;
  const auto refused = w.client().send("GET", "/v1/things", "", bearer("a-token"));
  CHECK(refused.status == 503);
  CHECK(contains(refused.head, "Retry-After"));
  CHECK(w.client().send("GET", "/v1/things", "", server_world::headers()).status == 200);
}

TEST_CASE("without a token in the settings nothing but the table's tokens opens") {
  server_world w{[](auto& settings) { settings.token.clear(); }};
  CHECK(w.client().send("GET", "/v1/things", "", bearer("")).status == 401);
  CHECK(w.client().send("GET", "/v1/things", "", server_world::headers()).status == 401);
  w.add_token("a-token", token_of("ann", token_role::viewer));
  CHECK(w.client().send("GET", "/v1/things", "", bearer("a-token")).status == 200);
}

struct signed_in {
  explicit signed_in(server_world& w, const std::string& token = server_world::token)
      : session(w.who->sessions().begin(token_digest(token), w.time.wall())),
        cookie("Cookie: theme=dark; sluice_session=" + w.who->sessions().seal(session).value() + "\r\n") {}

  [[nodiscard]] std::string with_csrf() const { return cookie + "X-Sluice-Csrf: " + session.csrf + "\r\n"; }

  page_session session;
  std::string cookie;
};

TEST_CASE("a sign-in looks by its cookie alone and acts only with the other half") {
  server_world w;
  const signed_in page{w};
  CHECK(w.client().send("GET", "/v1/things", "", page.cookie).status == 200);
  CHECK(w.client().send("POST", "/v1/things/a", "", page.cookie).status == 403);
  CHECK(w.client().send("POST", "/v1/things/a", "", page.cookie + "X-Sluice-Csrf: guessed\r\n").status
        == 403);
  CHECK(w.client().send("POST", "/v1/things/a", "", page.with_csrf()).status == 200);
}

TEST_CASE("a sign-in ends with its time and with its token, and cannot be made up") {
  server_world w;
  w.add_token("a-token", token_of("ann", token_role::viewer));
  const signed_in page{w, "a-token"};
  CHECK(w.client().send("GET", "/v1/things", "", page.cookie).status == 200);
  CHECK(w.client().send("GET", "/v1/keys", "", page.cookie).status == 403);
  CHECK_FALSE(w.who->sessions().open(w.who->sessions().seal(page.session).value(), page.session.until));
  const signed_in of_another_key{*std::make_unique<server_world>(), "a-token"};
  CHECK(w.client().send("GET", "/v1/things", "", of_another_key.cookie).status == 401);
  CHECK(w.client().send("GET", "/v1/things", "", "Cookie: sluice_session=v1.process.AAAA\r\n").status == 401);
  auto token = token_of("ann", token_role::viewer);
  token.revoked_at = w.time.wall();
  w.add_token("a-token", token);
  CHECK(w.client().send("GET", "/v1/things", "", page.cookie).status == 401);
}

/// One exchange over a Unix socket.
std::string over_socket(const std::string& path, const std::string& request) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path, sizeof address.sun_path - 1);
  const auto socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
  std::string received;
  if (::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0
      && ::send(socket, request.data(), request.size(), MSG_NOSIGNAL) > 0) {
    char block[4096];
    for (ssize_t count = 1; (count = ::recv(socket, block, sizeof block, 0)) > 0;)
      received.append(block, static_cast<std::size_t>(count));
  }
  ::close(socket);
  return received;
}

TEST_CASE("the machine's own user needs no token over the socket, which nobody else may open") {
  tests::temporary_folder folder;
  const auto path = folder.path("api.sock");
  {
    server_world w{[&](auto& settings) { settings.socket = path; }};
    const auto answer = over_socket(path, "GET /v1/keys HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    CHECK(answer.starts_with("HTTP/1.1 200"));
    CHECK(contains(answer, R"("who":"local")"));
    struct stat found{};
    REQUIRE(::stat(path.c_str(), &found) == 0);
    CHECK((found.st_mode & 0777) == 0600);
  }
  CHECK(::access(path.c_str(), F_OK) != 0);
}

TEST_CASE("a socket left behind is replaced, one that is served is not, and another file is left alone") {
  tests::temporary_folder folder;
  const auto path = folder.path("api.sock");
  const auto stale = ::socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path, sizeof address.sun_path - 1);
  REQUIRE(::bind(stale, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
  ::close(stale);
  const auto at_path = [&](auto& settings) { settings.socket = path; };
  server_world first{at_path};
  server::plan second;
  second.socket_path = path;
  second.routes = &first.routes;
  second.who = first.who;
  second.time = &first.time;
  const auto refused = server::start(second);
  REQUIRE_FALSE(refused);
  CHECK(contains(refused.error(), path));
  second.socket_optional = true;
  const auto without = server::start(second);
  REQUIRE(without);
  CHECK(contains((*without)->socket_fault(), path));
  second.socket_optional = false;
  second.socket_path = folder.file("notes.txt", "kept");
  CHECK_FALSE(server::start(second));
  CHECK(::access(second.socket_path.c_str(), F_OK) == 0);
  CHECK(over_socket(path, "GET /v1/open HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            .starts_with("HTTP/1.1 200"));
}

} // namespace
} // namespace sluice::api
