#include "rest_fixture.hpp"

#include <algorithm>

using namespace sluice;
using namespace sluice::providers::testing;
using core::operation;

namespace {

std::string header_of(const core::http_request& request, std::string_view name) {
  const auto prefix = std::string{name} + ": ";
  std::string found;
  for (const auto* lines : {request.common_headers.get(), &request.headers}) {
    for (const auto& line : *lines) {
      if (line.starts_with(prefix)) {
        found += found.empty() ? line.substr(prefix.size()) : " AND " + line.substr(prefix.size());
      }
    }
  }
  return found;
}

std::string settings_with(std::string_view auth, std::string_view rest = "") {
  return R"({"base_url": "https://crm.example.com", "auth": )" + std::string{auth}
         + R"(, "operations": {"create": {"path": "/a"}, "update": {"path": "/a/{remote_id}?x=1"}})"
         + std::string{rest} + "}";
}

} // namespace

TEST_CASE("each operation has its method, address and repeatability") {
  const auto writer = writer_of();
  struct row {
    operation op;
    std::string method;
    std::string url;
    bool repeatable;
  };
  const std::vector<row> rows{
      {operation::create, "POST", "https://crm.example.com/v1/customers", false},
      {operation::update, "PATCH", "https://crm.example.com/v1/customers/77", true},
      {operation::remove, "DELETE", "https://crm.example.com/v1/customers/77", true},
      {operation::deactivate, "PATCH", "https://crm.example.com/v1/customers/77", true},
      {operation::reactivate, "PATCH", "https://crm.example.com/v1/customers/77", true},
      {operation::lookup, "GET", "https://crm.example.com/v1/customers?external_id=c-1", true},
  };
  for (const auto& row : rows) {
    CAPTURE(core::to_string(row.op));
    const auto request = writer->build(order_of(row.op), "", "");
    CHECK(request.method == row.method);
    CHECK(request.url == row.url);
    CHECK(writer->repeatable(row.op) == row.repeatable);
    CHECK(request.http2);
    CHECK(header_of(request, "Authorization") == "Bearer s3cret-token");
    CHECK(header_of(request, "User-Agent") == "sluice/0.1");
  }
}

TEST_CASE("traits follow the settings") {
  const auto traits = writer_of()->traits();
  CHECK(traits.requests_per_minute == 600);
  CHECK(traits.has_lookup);
  CHECK(traits.honours_key);
  CHECK(traits.key_lifetime == std::chrono::hours{12});
  CHECK_FALSE(traits.needs_token);
  CHECK_FALSE(traits.create_repeatable);

  const auto bare = writer_of(settings_with(R"({"type": "none"})"), "{}")->traits();
  CHECK(bare.requests_per_minute == 0);
  CHECK_FALSE(bare.has_lookup);
  CHECK_FALSE(bare.honours_key);
}

TEST_CASE("ids are percent-encoded in the address") {
  const auto writer = writer_of();
  struct row {
    std::string id;
    std::string encoded;
  };
  const std::vector<row> rows{
      {"a-b.c_d~1", "a-b.c_d~1"},
      {"a/b", "a%2Fb"},
      {"a b?c=d&e#f", "a%20b%3Fc%3Dd%26e%23f"},
      {"100%", "100%25"},
      {"é", "%C3%A9"},
      {std::string{"a\0b", 3}, "a%00b"},
      {"../admin", "..%2Fadmin"},
      {"a\r\nX: y", "a%0D%0AX%3A%20y"},
  };
  for (const auto& row : rows) {
    CHECK(writer->build(order_of(operation::update, "c", row.id), "", "").url
          == "https://crm.example.com/v1/customers/" + row.encoded);
    CHECK(writer->build(order_of(operation::lookup, row.id, ""), "", "").url
          == "https://crm.example.com/v1/customers?external_id=" + row.encoded);
  }
}

TEST_CASE("an id that would change the path leaves the address empty") {
  const auto writer = writer_of();
  for (const std::string_view id : {"", ".", ".."}) {
    CAPTURE(id);
    CHECK(writer->build(order_of(operation::remove, "c", id), "", "").url.empty());
  }
  CHECK(writer->build(order_of(operation::lookup, "..", ""), "", "").url
        == "https://crm.example.com/v1/customers?external_id=..");
}

TEST_CASE("a parent's id stands in path and body, and without it there is no address") {
  const auto writer = writer_of(R"({"base_url": "https://crm.example.com", "operations": {
    "create": {"path": "/customers/{anchor_id}/consents"},
    "update": {"path": "/consents/{remote_id}", "body": {"customer": "{anchor_id}", "set": "{mapping}"}},
    "delete": {"path": "/consents/{remote_id}"}}})",
                                "{}");
  CHECK(writer->traits().uses_anchor);
  CHECK_FALSE(writer_of()->traits().uses_anchor);
  const auto address = [&](operation op, std::string_view anchor) {
    return writer->build(order_of(op, "c-1", "77", anchor), "", "").url;
  };
  CHECK(address(operation::create, "9/9") == "https://crm.example.com/customers/9%2F9/consents");
  CHECK(address(operation::create, "").empty());
  CHECK(address(operation::update, "9") == "https://crm.example.com/consents/77");
  CHECK(address(operation::update, "").empty());
  CHECK(address(operation::remove, "") == "https://crm.example.com/consents/77");
  CHECK(writer->render_body(order_of(operation::update, "c-1", "77", "9"), "{}")
        == R"({"customer":"9","set":{}})");
}

TEST_CASE("what a rule asks of a writer that has it not is named by its key") {
  const auto bare = writer_of(settings_with(R"({"type": "none"})"), "{}");
  core::sync_rule rule;
  CHECK(providers::faults_for_rule(*bare, rule).empty());
  rule.deletes = core::delete_policy::delete_record;
  CHECK(providers::faults_for_rule(*bare, rule)
        == std::vector<std::string>{
            R"(settings.operations.delete: is missing; delete_policy "delete" needs it)"});
  rule.deletes = core::delete_policy::deactivate;
  CHECK(providers::faults_for_rule(*bare, rule).size() == 2);
  CHECK(providers::faults_for_rule(*writer_of(), rule).empty());
}

TEST_CASE("headers shared by requests are made once") {
  const auto writer = writer_of();
  const auto first = writer->build(order_of(operation::create), "{}", "");
  const auto second = writer->build(order_of(operation::create), "{}", "");
  CHECK(first.common_headers == second.common_headers);
  CHECK(first.headers.empty());
  CHECK(header_of(first, "Content-Type") == "application/json");
  CHECK(header_of(writer->build(order_of(operation::remove), "", ""), "Content-Type").empty());
}

TEST_CASE("the idempotency key is sent where the order has one") {
  const auto writer = writer_of();
  auto order = order_of(operation::create);
  order.idempotency_key = "k-9";
  CHECK(header_of(writer->build(order, "{}", ""), "Idempotency-Key") == "k-9");
  CHECK(header_of(writer_of(settings_with(R"({"type": "none"})"), "{}")->build(order, "{}", ""),
                  "Idempotency-Key")
            .empty());
}

TEST_CASE("each kind of authentication reaches the request") {
  const auto order = order_of(operation::update);
  SECTION("basic") {
    const auto writer = writer_of(settings_with(R"({"type": "basic"})"),
                                  R"({"username": "Aladdin", "password": "open sesame"})");
    CHECK(header_of(writer->build(order, "", ""), "Authorization") == "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==");
  }
  SECTION("an API key in a header, with its prefix") {
    const auto writer =
        writer_of(settings_with(R"({"type": "api_key", "header": "Authorization", "prefix": "Key "})"),
                  R"({"key": "k1"})");
    CHECK(header_of(writer->build(order, "", ""), "Authorization") == "Key k1");
  }
  SECTION("an API key in the query") {
    const auto writer =
        writer_of(settings_with(R"({"type": "api_key", "query": "api_key"})"), R"({"key": "a&b"})");
    CHECK(writer->build(order, "", "").url == "https://crm.example.com/a/77?x=1&api_key=a%26b");
    CHECK(writer->build(order_of(operation::create), "", "").url
          == "https://crm.example.com/a?api_key=a%26b");
  }
  SECTION("OAuth2: the access token of the call") {
    const auto writer = writer_of(
        settings_with(R"({"type": "oauth2_client_credentials", "token_url": "https://id.example.com/token"})",
                      R"(, "headers": {"authorization": "stale"})"),
        R"({"client_id": "me", "client_secret": "s"})");
    CHECK(writer->traits().needs_token);
    const auto request = writer->build(order, "", "at-1");
    CHECK(header_of(request, "Authorization") == "Bearer at-1");
    CHECK(header_of(request, "authorization").empty());
  }
}

TEST_CASE(
    "headers of the settings win over the defaults, those of an operation over those of the connection") {
  const auto writer = writer_of(R"({"base_url": "https://crm.example.com",
    "headers": {"accept": "text/json", "X-Version": "1", "X-Shop": "a"},
    "operations": {"create": {"path": "/a", "headers": {"x-version": "2", "Content-Type": "application/vnd.api+json"}}}})",
                                "{}");
  const auto request = writer->build(order_of(operation::create), "{}", "");
  CHECK(header_of(request, "accept") == "text/json");
  CHECK(header_of(request, "Accept").empty());
  CHECK(header_of(request, "x-version") == "2");
  CHECK(header_of(request, "X-Version").empty());
  CHECK(header_of(request, "X-Shop") == "a");
  CHECK(header_of(request, "Content-Type") == "application/vnd.api+json");
}

TEST_CASE("bodies are the mapping's bytes, a template around them, or none") {
  const auto body_of = [](std::string_view body, const std::string& projection) {
    const auto writer = writer_of(R"({"base_url": "https://crm.example.com", "operations": {"update": {
      "path": "/a/{remote_id}")" + (body.empty() ? "" : ", \"body\": " + std::string{body})
                                      + "}}}",
                                  "{}");
    return writer->render_body(order_of(operation::update, "c\"1", "7"), projection);
  };
  const std::string projection = R"({"n":12345678901234567890123456789012345678.10,"s":"é"})";
  CHECK(body_of("", projection) == projection);
  CHECK(body_of("\"mapping\"", "") == "{}");
  CHECK(body_of("\"none\"", projection).empty());
  CHECK(body_of(R"({"z": "{mapping}", "a": [1, null, true, 1.50, "x"]})", projection)
        == R"({"z":)" + projection + R"(,"a":[1,null,true,1.5,"x"]})");
  CHECK(body_of(R"({"id": "{remote_id}", "ref": "s/{source_id}", "d": "{domain}", "brace": "{{x}}"})",
                projection)
        == R"({"id":"7","ref":"s/c\"1","d":"customers","brace":"{x}"})");
  CHECK(body_of(R"(["{mapping}", "{mapping}"])", "{}") == "[{},{}]");
  CHECK(body_of(R"({"empty": "", "o": {}, "a": []})", "{}") == R"({"empty":"","o":{},"a":[]})");
}

TEST_CASE("an operation the settings do not name is not supported and builds no address") {
  const auto writer = writer_of(settings_with(R"({"type": "none"})"), "{}");
  CHECK_FALSE(writer->supports(operation::lookup));
  CHECK_FALSE(writer->repeatable(operation::lookup));
  CHECK(writer->build(order_of(operation::lookup), "", "").url.empty());
  CHECK(writer->render_body(order_of(operation::lookup), "{}").empty());
}
