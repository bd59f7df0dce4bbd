#include "crypto/digest.hpp"
#include "crypto/encoding.hpp"
#include "providers/twilio_signature.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <string>
#include <vector>

using namespace sluice;
using namespace sluice::providers;

namespace {

// The published example of Twilio's "Secure webhooks", and those of its libraries' own tests.
const std::vector<std::string> tokens{"12345"};
const std::string public_url = "https://mycompany.com/myapp.php";
const std::string query = "foo=1&bar=2";
const form_fields fields{{"CallSid", "CA1234567890ABCDE"},
                         {"Caller", "+12349013030"},
                         {"Digits", "1234"},
                         {"From", "+12349013030"},
                         {"To", "+18005551212"}};
const std::string signature = "0/KCTR6DLpKmkAf8muzZqo1nDgQ=";

bool verifies(const std::string& given, const std::string& url = public_url, const std::string& raw = query,
              const form_fields& form = fields) {
  return verify_twilio_signature(tokens, twilio_signed_urls(url, raw), form, given);
}

std::string over(const std::string& content) {
  const auto digest = crypto::hmac_sha1("12345", content);
  return crypto::to_base64(crypto::as_bytes(digest));
}

} // namespace

TEST_CASE("Twilio's published example is signed and verified") {
  CHECK(twilio_signature("12345", public_url + "?" + query, fields) == signature);
  CHECK(verifies(signature));
}

TEST_CASE("a signature is good for its token, URL, query and parameters alone") {
  CHECK_FALSE(verifies(""));
  CHECK_FALSE(verifies(signature + " "));
  CHECK_FALSE(verifies(signature.substr(0, signature.size() - 1)));
  CHECK_FALSE(verifies("1" + signature.substr(1)));
  CHECK_FALSE(verifies(signature, "http://mycompany.com/myapp.php"));
  CHECK_FALSE(verifies(signature, "https://mycompany.com.example.test/myapp.php"));
  CHECK_FALSE(verifies(signature, "https://mycompany.com/myapp.php/"));
  CHECK_FALSE(verifies(signature, public_url, ""));
  CHECK_FALSE(verifies(signature, public_url, "foo=1&bar=3"));
  CHECK_FALSE(verifies(signature, public_url, "bar=2&foo=1"));
  CHECK_FALSE(verify_twilio_signature({}, twilio_signed_urls(public_url, query), fields, signature));
  CHECK_FALSE(verify_twilio_signature(std::vector<std::string>{""}, twilio_signed_urls(public_url, query),
                                      fields, signature));
  for (std::size_t at = 0; at < fields.size(); ++at) {
    auto changed = fields;
    changed[at].second += "0";
    CHECK_FALSE(verifies(signature, public_url, query, changed));
    changed.erase(changed.begin() + static_cast<std::ptrdiff_t>(at));
    CHECK_FALSE(verifies(signature, public_url, query, changed));
  }
}

TEST_CASE("parameters count in the order of their bytes, however they came") {
  auto shuffled = fields;
  do
    CHECK(verifies(signature, public_url, query, shuffled));
  while (std::ranges::next_permutation(shuffled).found);
}

TEST_CASE("the address is tried with and without its port") {
  const auto content = std::string{"?foo=1&bar=2CallSidCA1234567890ABCDECaller+12349013030Digits1234From"}
                       + "+12349013030To+18005551212";
  // As the libraries' tests have it: whatever port either side names.
  CHECK(verifies(over("https://mycompany.com:443/myapp.php" + content)));
  CHECK(verifies("qERtAmzS12GPa6TT11iKcG/MY9A=", "https://mycompany.com:1234/myapp.php"));
  CHECK(verifies(signature, "https://mycompany.com:1234/myapp.php"));
  CHECK(verifies("M4TDN5VTDvy8Co8vk56Rfs8IhBE=", "http://mycompany.com:1234/myapp.php"));
  CHECK(verifies(over("http://mycompany.com:80/myapp.php" + content), "http://mycompany.com/myapp.php"));
  CHECK_FALSE(verifies(over("https://mycompany.com:80/myapp.php" + content)));
  CHECK_FALSE(verifies(over("https://mycompany.com:1234/myapp.php" + content)));
}

TEST_CASE("an apostrophe in the query counts as it came, and in the other spelling") {
  const auto signed_by = [](const std::string& raw) { return over(public_url + "?" + raw); };
  CHECK(verifies(signed_by("n=O'Neil"), public_url, "n=O'Neil", {}));
  CHECK(verifies(signed_by("n=O%27Neil"), public_url, "n=O'Neil", {}));
  CHECK(verifies(signed_by("n=O'Neil"), public_url, "n=O%27Neil", {}));
  CHECK_FALSE(verifies(signed_by("n=ONeil"), public_url, "n=O'Neil", {}));
  // Everything else in a query is bytes: a plus sign is not a space.
  CHECK(verifies(signed_by("n=a+b%20c"), public_url, "n=a+b%20c", {}));
  CHECK_FALSE(verifies(signed_by("n=a b c"), public_url, "n=a+b%20c", {}));
}

TEST_CASE("repeated and empty parameters count as in Twilio's libraries") {
  const auto form = parse_form("b=&a=2&a=1&a=2&Name=O%27Neil&To=%2B1+2&A=");
  CHECK(twilio_signature("12345", public_url, form) == over(public_url + "ANameO'NeilTo+1 2a1a2b"));
  CHECK(verifies(over(public_url + "ANameO'NeilTo+1 2a1a2b"), public_url, "", form));
}

TEST_CASE("a JSON body is signed by its digest in the query") {
  const std::string body = R"({"property": "value", "boolean": true})";
  const std::string raw =
      query + "&bodySHA256=0a1ff7634d9ab3b95db5c9a2dfe9416e41502b283a80c7cf19632632f96e6620";
  CHECK(verifies("a9nBmqA0ju/hNViExpshrM61xv4=", public_url, raw, {}));
  CHECK(is_twilio_body(raw, body));
  CHECK_FALSE(is_twilio_body(raw, body + " "));
  CHECK_FALSE(is_twilio_body(query, body));
  CHECK_FALSE(is_twilio_body("bodySHA256=", ""));
  CHECK_FALSE(is_twilio_body("", ""));
}

TEST_CASE("an address that is no URL is nobody's") {
  CHECK(twilio_signed_urls("mycompany.com/myapp.php", query).empty());
  CHECK(twilio_signed_urls("", "").empty());
}
