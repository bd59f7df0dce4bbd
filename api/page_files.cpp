#include "api/page_files.hpp"

#include "api/desk.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace sluice::api {

namespace {

/// Where the page's own router takes over: each is answered with the page.
constexpr std::array places{"/",
                            "/connections",
                            "/rules/{rule}",
                            "/rules/{rule}/records/{source_id}",
                            "/subscriptions",
                            "/subscriptions/{subscription}",
                            "/subscriptions/{subscription}/deliveries/{event}",
                            "/notifications",
                            "/notifications/{notification}",
                            "/contacts",
                            "/contacts/{contact}",
                            "/callbacks",
                            "/callbacks/refused",
                            "/reconciliation",
                            "/profiles",
                            "/keys"};

/// A name under assets/ holds a digest of its content: it never changes.
constexpr std::string_view immutable = "public, max-age=31536000, immutable";
constexpr std::string_view asked_anew = "no-cache";

constexpr std::string_view policy =
    "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'";

response file_response(const page_file& file, std::string_view caching) {
  response made;
  made.body = std::string{file.bytes};
  made.content_type = std::string{file.content_type};
  made.headers = {{"Cache-Control", std::string{caching}},
                  {"Content-Security-Policy", std::string{policy}},
                  {"Referrer-Policy", "no-referrer"},
                  {"Cross-Origin-Opener-Policy", "same-origin"}};
  return made;
}

const page_file* find(std::span<const page_file> files, std::string_view path) {
  const auto found = std::ranges::lower_bound(files, path, {}, &page_file::path);
  return found != files.end() && found->path == path ? &*found : nullptr;
}

response not_built() {
  return as_response(not_found("this program was built without the operator page; the API is under /v1, and "
                               "docs/api.md lists it"));
}

} // namespace

void add_page_files(router& to, std::span<const page_file> files) {
  const auto* const index = find(files, "index.html");
  auto page = [index](desk&, const request&, const responder& answer) {
    answer(index ? file_response(*index, asked_anew) : not_built());
  };
  for (const auto* place : places)
    to.add("GET", place, access::anyone, page);
  to.add(
      "GET", "/assets/{name}", access::anyone, [files](desk&, const request& asked, const responder& answer) {
        const auto* const file = find(files, "assets/" + asked.parameters.at("name"));
        answer(file ? file_response(*file, immutable) : as_response(not_found("the page has no such file")));
      });
}

} // namespace sluice::api
