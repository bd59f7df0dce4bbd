#include "core/outside_address.hpp"

#include <catch2/catch.hpp>
#include <curl/curl.h>

#include <memory>
#include <optional>
#include <rapidcheck.h>
#include <string>
#include <vector>

using namespace sluice::core;

namespace {

/// The host libcurl would call, IPv6 in its brackets.
std::optional<std::string> host_by_curl(const std::string& url) {
  const std::unique_ptr<CURLU, decltype(&curl_url_cleanup)> handle{curl_url(), &curl_url_cleanup};
  char* host = nullptr;
  if (curl_url_set(handle.get(), CURLUPART_URL, url.c_str(), 0) != CURLUE_OK
      || curl_url_get(handle.get(), CURLUPART_HOST, &host, 0) != CURLUE_OK)
    return std::nullopt;
  std::string found{host};
  curl_free(host);
  return found;
}

std::optional<address_bytes> address_of(std::string_view host) {
  if (host.starts_with('['))
    return parse_ipv6(host.substr(1, host.size() - 2));
  return parse_spelled_ipv4(host);
}

/// libcurl writes addresses in a form of its own.
bool same_host(std::string_view ours, std::string_view theirs) {
  return ours == theirs || (address_of(ours) && address_of(ours) == address_of(theirs));
}

} // namespace

TEST_CASE("libcurl calls the host a URL was judged by") {
  CHECK(host_by_curl("http://0x7f.1:80/a?b") == "127.0.0.1");
  CHECK(rc::check([] {
    const auto plain = rc::gen::element<std::string>("a", "example", ".", "127.0.0.1", "0x7f", "1", "010",
                                                     "-", "[::1]", "[64:ff9b::a00:1]", "[2002:a00:1::]");
    const auto odd = rc::gen::element<std::string>("/", "@", ":80", "\\", "?", "#", "%2e", "%40", "..", ":",
                                                   "[", "]", " ", "\t", "\xc3\xa4", ";", "'", "{", "^");
    auto url = *rc::gen::element<std::string>("http://", "https://");
    const auto count = *rc::gen::inRange<std::size_t>(1, 6);
    const auto parts = *rc::gen::container<std::vector<std::string>>(
        count, rc::gen::weightedOneOf<std::string>({{8, plain}, {1, odd}}));
    for (const auto& part : parts)
      url += part;
    const auto parsed = parse_outside_url(url);
    if (!parsed)
      return;
    const auto theirs = host_by_curl(url);
    RC_CLASSIFY(theirs.has_value());
    RC_ASSERT(!theirs || same_host(parsed->host, *theirs));
  }));
}
