#include "api/desk.hpp"
#include "api/page_files.hpp"

#include <catch2/catch.hpp>

#include <array>
#include <optional>
#include <string>

using namespace sluice;

namespace {

constexpr std::array files{
    api::page_file{"assets/index-1a2b.js", "text/javascript", "run()"},
    api::page_file{"index.html", "text/html; charset=utf-8", "<!doctype html>"},
};

/// What the page's routes answer to GET `segments`; 404 where none of them has the path.
api::response get(std::vector<std::string> segments, std::span<const api::page_file> from = files) {
  api::router routes;
  api::add_page_files(routes, from);
  api::request asked;
  asked.method = "GET";
  asked.segments = std::move(segments);
  const auto route = routes.match(asked);
  if (!route)
    return api::as_response(route.error());
  CHECK((*route)->needed == api::access::anyone);
  std::optional<api::response> given;
  api::desk nobody{nullptr};
  (*route)->handle(nobody, asked, api::responder{[&](api::response answer) { given = std::move(answer); }});
  return given.value();
}

std::string header(const api::response& from, std::string_view name) {
  for (const auto& [key, value] : from.headers)
    if (key == name)
      return value;
  return {};
}

} // namespace

TEST_CASE("the page is there under each of its places, and is asked for anew each time") {
  for (const auto& place :
       std::vector<std::vector<std::string>>{{},
                                             {"connections"},
                                             {"rules", "to crm"},
                                             {"rules", "to crm", "records", "a/b"},
                                             {"subscriptions"},
                                             {"subscriptions", "s-1"},
                                             {"subscriptions", "s-1", "deliveries", "e-1"},
                                             {"notifications"},
                                             {"notifications", "n-1"},
                                             {"contacts"},
                                             {"contacts", "c-1"},
                                             {"callbacks"},
                                             {"callbacks", "refused"},
                                             {"reconciliation"},
                                             {"profiles"},
                                             {"keys"}}) {
    const auto answer = get(place);
    CHECK(answer.status == 200);
    CHECK(answer.body == "<!doctype html>");
    CHECK(answer.content_type == "text/html; charset=utf-8");
    CHECK(header(answer, "Cache-Control") == "no-cache");
  }
}

TEST_CASE("what the page loads is kept for good by whoever loaded it") {
  const auto answer = get({"assets", "index-1a2b.js"});
  CHECK(answer.status == 200);
  CHECK(answer.body == "run()");
  CHECK(header(answer, "Cache-Control") == "public, max-age=31536000, immutable");
}

TEST_CASE("nothing runs in the page that did not come from the node") {
  const auto policy = header(get({}), "Content-Security-Policy");
  for (const auto* part : {"default-src 'self'", "script-src 'self'", "style-src 'self'",
                           "connect-src 'self'", "frame-ancestors 'none'"})
    CHECK(policy.find(part) != std::string::npos);
  CHECK(policy.find("unsafe") == std::string::npos);
}

TEST_CASE("no path leads out of the page's files") {
  for (const auto* name : {"..", "../index.html", "../../etc/passwd", "index.html", ""})
    CHECK(get({"assets", name}).status == 404);
  CHECK(get({"index.html"}).status == 404);
}

TEST_CASE("a program built without the page says so") {
  const auto answer = get({}, {});
  CHECK(answer.status == 404);
  CHECK(answer.body.find("built without the operator page") != std::string::npos);
}
