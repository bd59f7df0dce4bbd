#include "providers/dial_guard.hpp"

#include <catch2/catch.hpp>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdexcept>
#include <sys/socket.h>
#include <sys/un.h>

using namespace sluice::providers;

namespace {

dial_verdict judge(const dial_guard& guard, const std::string& text) {
  sockaddr_storage storage{};
  auto& four = reinterpret_cast<sockaddr_in&>(storage);
  auto& six = reinterpret_cast<sockaddr_in6&>(storage);
  if (inet_pton(AF_INET, text.c_str(), &four.sin_addr) == 1)
    storage.ss_family = AF_INET;
  else if (inet_pton(AF_INET6, text.c_str(), &six.sin6_addr) == 1)
    storage.ss_family = AF_INET6;
  else
    FAIL("not an address: " << text);
  return guard.verdict(reinterpret_cast<const sockaddr&>(storage));
}

} // namespace

TEST_CASE("addresses that are not public may not be dialled") {
  const dial_guard guard({});
  for (const char* text : {
           "0.0.0.0",
           "0.255.255.255",
           "10.0.0.0",
           "10.255.255.255",
           "100.64.0.0",
           "100.127.255.255",
           "127.0.0.1",
           "127.255.255.255",
           "169.254.0.1",
           "169.254.169.254",
           "172.16.0.0",
           "172.31.255.255",
           "192.0.0.1",
           "192.0.0.192",
           "192.0.2.1",
           "192.88.99.1",
           "192.168.0.1",
           "192.168.255.255",
           "198.18.0.0",
           "198.19.255.255",
           "198.51.100.7",
           "203.0.113.7",
           "224.0.0.1",
           "239.255.255.255",
           "240.0.0.1",
           "255.255.255.255",
           "::",
           "::1",
           "::2",
           "::127.0.0.1",
           "::8.8.8.8",
           "fe80::1",
           "febf::1",
           "fec0::1",
           "fc00::1",
           "fd12:3456::1",
           "ff02::1",
           "ff0e::1",
           "100::1",
           "2001:db8::1",
           "2001::1",
           "2001:0:4136:e378:8000:63bf:3fff:fdd2",
           "2001:2::1",
           "2001:10::1",
           "2001:20::1",
           "3fff::1",
           "3fff:fff::1",
           "5f00::1",
           "4000::1",
           "1fff::1",
           "::ffff:10.0.0.1",
           "::ffff:127.0.0.1",
           "::ffff:169.254.169.254",
           "::ffff:0.0.0.0",
           "::ffff:0:8.8.8.8",
           "64:ff9b::10.0.0.1",
           "64:ff9b::127.0.0.1",
           "64:ff9b::169.254.169.254",
           "64:ff9b:1::8.8.8.8",
           "2002:7f00:1::",
           "2002:a00:1::1",
           "2002:c0a8:101::1",
           "2002:a9fe:a9fe::",
           "2a00:1450::5efe:10.0.0.1",
           "2a00:1450::200:5efe:192.168.1.1",
       }) {
    INFO(text);
    CHECK(judge(guard, text) == dial_verdict::not_public);
  }
}

TEST_CASE("public addresses may be dialled, also in the forms that carry an IPv4 address") {
  const dial_guard guard({});
  for (const char* text : {
           "1.1.1.1",           "8.8.8.8",         "9.255.255.255",
           "11.0.0.0",          "100.63.255.255",  "100.128.0.0",
           "126.255.255.255",   "128.0.0.1",       "169.253.255.255",
           "169.255.0.0",       "172.15.255.255",  "172.32.0.0",
           "192.0.1.0",         "192.0.3.0",       "192.167.255.255",
           "192.169.0.0",       "198.17.255.255",  "198.20.0.0",
           "223.255.255.255",   "2001:200::1",     "2606:4700:4700::1111",
           "2a00:1450:4001::1", "3ffe::1",         "::ffff:8.8.8.8",
           "64:ff9b::8.8.8.8",  "2002:808:808::1", "2a00:1450::5efe:8.8.8.8",
       }) {
    INFO(text);
    CHECK(judge(guard, text) == dial_verdict::allowed);
  }
}

TEST_CASE("what the settings allow may be dialled, in every form that leads there, and nothing beside it") {
  const dial_guard guard({"10.1.0.0/16", "127.0.0.1", "fd00:1::/32", "192.168.4.128/25"});
  for (const char* text :
       {"10.1.0.0", "10.1.255.255", "127.0.0.1", "fd00:1::5", "fd00:1:ffff::1", "192.168.4.128",
        "192.168.4.255", "::ffff:10.1.2.3", "64:ff9b::10.1.2.3", "2002:a01:203::1"}) {
    INFO(text);
    CHECK(judge(guard, text) == dial_verdict::allowed);
  }
  for (const char* text :
       {"10.0.255.255", "10.2.0.0", "127.0.0.2", "fd00:2::1", "192.168.4.127", "::1", "64:ff9b::10.2.2.3"}) {
    INFO(text);
    CHECK(judge(guard, text) == dial_verdict::not_public);
  }
}

TEST_CASE("a range of IPv6 allows no IPv4 but through the mapped form it names") {
  CHECK(judge(dial_guard({"::ffff:0:0/96"}), "10.0.0.1") == dial_verdict::allowed);
  CHECK(judge(dial_guard({"fc00::/7"}), "10.0.0.1") == dial_verdict::not_public);
  CHECK(judge(dial_guard({"64:ff9b::/96"}), "64:ff9b::10.0.0.1") == dial_verdict::allowed);
  CHECK(judge(dial_guard({"64:ff9b::/96"}), "10.0.0.1") == dial_verdict::not_public);
}

TEST_CASE("what is neither IPv4 nor IPv6 may not be dialled") {
  sockaddr_un local{};
  local.sun_family = AF_UNIX;
  CHECK(dial_guard({"0.0.0.0/0", "::/0"}).verdict(reinterpret_cast<const sockaddr&>(local))
        == dial_verdict::not_internet);
}

TEST_CASE("a range that is none may not be allowed") {
  CHECK_THROWS_AS(dial_guard({"10.0.0.0/8", "nonsense"}), std::invalid_argument);
}

TEST_CASE("a host that is an address inside is refused before anything is dialled") {
  CHECK(dial_guard({}).refuse_literal("0x7f.1"));
  CHECK_FALSE(dial_guard({"127.0.0.0/8"}).refuse_literal("0x7f.1"));
}
