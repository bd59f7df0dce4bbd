#include "core/ip_address.hpp"

#include <catch2/catch.hpp>

#include <arpa/inet.h>
#include <rapidcheck.h>

using namespace sluice::core;

TEST_CASE("a CIDR range is read or refused with the reason") {
  for (const char* text :
       {"10.0.0.0/8", "0.0.0.0/0", "1.2.3.4/32", "1.2.3.4", "::/0", "fd00::/8", "::1/128", "::1"}) {
    INFO(text);
    CHECK(parse_network(text).has_value());
  }
  for (const char* text :
       {"", "/", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/8x", "10.0.0.1/8", "10.0.0/8",
        "fd00::/129", "fd00::1/8", "localhost", "1.2.3.4/ 8", "0x7f.0.0.1", "::ffff:1.2.3.4/24"}) {
    const auto parsed = parse_network(text);
    REQUIRE_FALSE(parsed.has_value());
    CHECK(parsed.error().find('"' + std::string{text} + '"') != std::string::npos);
  }
}

TEST_CASE("IPv6 is read as inet_pton reads it") {
  for (const char* text : {"::",
                           "::1",
                           "1::",
                           "1:2:3:4:5:6:7:8",
                           "1:2:3:4:5:6:7::",
                           "::2:3:4:5:6:7:8",
                           "1::8",
                           "fe80::1",
                           "::ffff:1.2.3.4",
                           "64:ff9b::1.2.3.4",
                           "1:2:3:4:5:6:1.2.3.4",
                           "ABCD::ef01",
                           "",
                           ":",
                           ":::",
                           "1",
                           "1:2",
                           "1:2:3:4:5:6:7:8:9",
                           "1:2:3:4:5:6:7:8::",
                           "::1::",
                           "1::2::3",
                           "12345::",
                           "g::",
                           ":1::",
                           "1:::2",
                           "1:",
                           "::1.2.3",
                           "::1.2.3.4.5",
                           "::1.2.3.256",
                           "::01.2.3.4",
                           "1.2.3.4::",
                           "1.2.3.4:1::",
                           "::1.2.3.4:1",
                           "1:2:3:4:5:6:7:1.2.3.4",
                           "-1::",
                           "+1::",
                           "::-1",
                           " ::1",
                           "::1 ",
                           "::%1",
                           "0x1::"}) {
    CAPTURE(text);
    address_bytes expected{};
    const bool known = inet_pton(AF_INET6, text, expected.data()) == 1;
    const auto read = parse_ipv6(text);
    REQUIRE(read.has_value() == known);
    if (known)
      CHECK(*read == expected);
  }
}

TEST_CASE("every IPv6 address is read from the text it is printed as") {
  CHECK(rc::check([] {
    auto address = *rc::gen::container<address_bytes>(rc::gen::element<std::uint8_t>(0, 0, 0, 1, 0xff, 0x20));
    char text[INET6_ADDRSTRLEN]{};
    inet_ntop(AF_INET6, address.data(), text, sizeof text);
    RC_ASSERT(parse_ipv6(text) == address);
  }));
}

TEST_CASE("dotted IPv4 is read strictly, and every other spelling by itself") {
  CHECK(parse_ipv4("1.2.3.4") == parse_ipv6("::ffff:1.2.3.4"));
  for (const char* text : {"", "1", "1.2.3", "1.2.3.4.5", "1.2.3.256", "01.2.3.4", "1.2.3.", ".1.2.3",
                           "1..2.3", "1.2.3.4 ", "-1.2.3.4", "0x1.2.3.4", "1.2.3.+4"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_ipv4(text));
  }
  for (const char* text : {"127.1", "0x7f.1", "0x7f000001", "2130706433", "017700000001", "0177.0.0.1",
                           "127.0.1", "0X7F.0.0x0.01"}) {
    CAPTURE(text);
    CHECK(parse_spelled_ipv4(text) == parse_ipv4("127.0.0.1"));
  }
}

TEST_CASE("an IPv6 address says which IPv4 address it leads to") {
  CHECK(embedded_ipv4(*parse_ipv6("64:ff9b::a00:1")) == parse_ipv4("10.0.0.1"));
  CHECK(embedded_ipv4(*parse_ipv6("2002:a00:1::")) == parse_ipv4("10.0.0.1"));
  CHECK(embedded_ipv4(*parse_ipv6("::ffff:10.0.0.1")) == parse_ipv4("10.0.0.1"));
  CHECK_FALSE(embedded_ipv4(*parse_ipv6("2606:4700::1")));
}
