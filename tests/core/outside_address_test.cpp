#include "core/outside_address.hpp"

#include <catch2/catch.hpp>

using namespace sluice::core;

TEST_CASE("a host that is an address inside is refused in every spelling, before anything is dialled") {
  const outside_addresses addresses;
  for (const char* host : {
           "127.0.0.1",
           "127.1",
           "127.0.1",
           "0x7f.1",
           "0x7f.0.0.1",
           "0x7f000001",
           "0X7F000001",
           "2130706433",
           "017700000001",
           "0177.0.0.1",
           "0177.1",
           "127.0.0.1.",
           "0",
           "0.0.0.0",
           "0x0",
           "0x",
           "10.1",
           "192.168.257",
           "3232235777",
           "0xa9fea9fe",
           "169.254.43518",
           "[::1]",
           "::1",
           "[::ffff:127.0.0.1]",
           "[::ffff:7f00:1]",
           "[fe80::1%25eth0]",
           "[fe80::1%eth0]",
           "[64:ff9b::7f00:1]",
           "[2002:7f00:1::]",
           "[fd00::1]",
           "172.31.255.255",
           "192.0.0.8",
           "192.0.2.1",
           "192.88.99.1",
           "198.19.255.255",
           "198.51.100.1",
           "203.0.113.1",
           "239.255.255.255",
           "240.0.0.1",
           "255.255.255.255",
           "0xffffffff",
           "[::]",
           "[0:0:0:0:0:0:0:1]",
           "[::127.0.0.1]",
           "[::8.8.8.8]",
           "[64:ff9b::10.0.0.1]",
           "[64:ff9b:1::8.8.8.8]",
           "[2001::1]",
           "[2001:db8::1]",
           "[3fff::1]",
           "[fec0::1]",
           "[ff02::1]",
           "[100::1]",
           "[2a00:1450::5efe:10.0.0.1]",
           "256.1.1.1",
           "1.2.3.4.5",
           "4294967296",
           "08.1.1.1",
           "1..1",
           "a.b.1",
           "0x7g.0x1",
           "[::1",
           "[zz::1]",
           "",
           ".",
       }) {
    INFO(host);
    CHECK(addresses.refuse_host(host).has_value());
  }
}

TEST_CASE("a host that is a name or a public address is not refused before it is dialled") {
  const auto addresses = *outside_addresses::make({"10.0.0.0/8"});
  for (const char* host :
       {"example.com", "example.com.", "localhost", "a1.b2", "1password.com", "0x7f.example", "x0", "8.8.8.8",
        "134744072", "0x08080808", "[2606:4700::1111]", "10.1.2.3", "0xa010203", "1.1"}) {
    INFO(host);
    CHECK_FALSE(addresses.refuse_host(host).has_value());
  }
}

TEST_CASE("a URL whose host is an address inside is refused when it is written down, in every form") {
  const outside_addresses addresses;
  for (const char* url : {
           "http://127.0.0.1/hook",
           "https://127.0.0.1:8443/",
           "http://2130706433/",
           "http://0x7f.1:80/",
           "http://017700000001",
           "http://127.1",
           "http://127.0.0.1./",
           "http://[::1]/",
           "http://[::ffff:127.0.0.1]:80/",
           "http://[64:ff9b::10.0.0.1]/",
           "http://[2002:a00:1::]/",
           "http://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/",
           "http://[fe80::1%25eth0]/",
           "http://169.254.169.254/latest/meta-data",
           "http://100.64.0.1",
           "http://192.0.2.1",
           "http://224.0.0.1",
           "http://0.0.0.0",
           "http://public.example@127.0.0.1/",
           "http://127.0.0.1@public.example/",
           "http://127.0.0.1\\@public.example/",
           "http://%31%32%37.0.0.1/",
           "http://\xef\xbc\x91\xef\xbc\x92\xef\xbc\x97.0.0.1/", // full-width 127
           "http://127\xe3\x80\x82"
           "0.0.1/",                                             // with an ideographic full stop
           "http://\xe2\x91\xa0\xe2\x91\xa1\xe2\x91\xa6.0.0.1/", // circled digits
           "http://\xd9\xa1\xd9\xa0.0.0.1/",                     // Arabic-Indic 10
           "http://lo\xd1\x81"
           "alhost/",                        // a Cyrillic letter
           "http://public\xc2\xad.example/", // a soft hyphen
           "http://127.0.0.1%2f.public.example/",
           "http://127.0.0.1%00.public.example/",
           "http://[::1%25lo]/",
           "http://[::1]public.example/",
           "http://127.0.0.1;public.example/",
           "http://public.example:80@127.0.0.1/",
           "http://127.0.0.1#.public.example/",
           "http://127.0.0.1\t/",
           " http://public.example/",
           "http:/public.example/",
           "http:///hook",
           "http://",
           "http://./",
           "HTTP://public.example/",
           "ftp://public.example/",
           "file:///etc/passwd",
           "gopher://public.example/",
           "//public.example/",
           "http://public.example:0/",
           "http://public.example:65536/",
           "http://public.example:/",
           "http://public.example:80:80/",
           "http://[::1/",
           "http://public.example/a b",
           "http://public.example/a\r\nX: y",
           "http://public.example/#part",
           "",
       }) {
    CAPTURE(url);
    CHECK(addresses.refuse_url(url).has_value());
  }
  CHECK(addresses.refuse_url("http://public.example/" + std::string(outside_url_bytes_max, 'a')).has_value());
}

TEST_CASE("a URL with a name or a public address is refused by nothing before it is dialled") {
  const outside_addresses addresses;
  for (const char* url :
       {"https://public.example", "https://public.example./hook?key=a%20b&c=[1]",
        "http://localhost:8080/hook", "https://8.8.8.8/", "https://[2606:4700::1111]:8443/hook",
        "https://xn--mller-kva.example/", "https://a_b.example/@user", "https://public.example:65535/"}) {
    CAPTURE(url);
    CHECK_FALSE(addresses.refuse_url(url).has_value());
  }
  CHECK_FALSE(outside_addresses::make({"127.0.0.0/8"})->refuse_url("http://127.1:9/hook").has_value());
}

TEST_CASE("a URL is split into what is judged") {
  const auto parsed = parse_outside_url("https://[2606:4700::1]:8443/hook?a=b");
  REQUIRE(parsed);
  CHECK(parsed->https);
  CHECK(parsed->origin == "https://[2606:4700::1]:8443");
  CHECK(parsed->host == "[2606:4700::1]");
  CHECK(parsed->port == "8443");
  CHECK(parsed->path == "/hook?a=b");
  CHECK(parse_outside_url("http://a.example").value().path.empty());
}

TEST_CASE("a range that is none is named") {
  const auto made = outside_addresses::make({"10.0.0.0/8", "10.0.0.1/8"});
  REQUIRE_FALSE(made);
  CHECK(made.error().starts_with("allowed_networks: \"10.0.0.1/8\""));
}
