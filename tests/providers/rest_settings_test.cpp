#include "rest_fixture.hpp"

#include <algorithm>

using namespace sluice;
using namespace sluice::providers::testing;

namespace {

std::vector<std::string> faults_of(std::string settings, std::string credentials = plain_credentials,
                                   std::string_view domain = "customers") {
  auto made = providers::make_writer(connection_of(std::move(settings), std::move(credentials)), domain);
  return made ? std::vector<std::string>{} : made.error();
}

bool names(const std::vector<std::string>& faults, std::string_view place, std::string_view what) {
  return std::ranges::any_of(faults, [&](const std::string& fault) {
    return fault.starts_with(std::string{place} + ": ") && fault.find(what) != std::string::npos;
  });
}

/// The plain settings with operations.create replaced.
std::string with_create(std::string_view create) {
  return R"({"base_url": "https://crm.example.com", "auth": {"type": "bearer"}, "operations": {"create": )"
         + std::string{create} + "}}";
}

} // namespace

TEST_CASE("each fault of the settings is named with its place and what is allowed") {
  struct row {
    std::string settings;
    std::string place;
    std::string what;
  };
  const std::vector<row> rows{
      {R"({"operations": {"create": {"path": "/a"}}})", "settings.base_url", "is missing"},
      {R"({"base_url": "crm.example.com"})", "settings.base_url", "https://"},
      {R"({"base_url": "ftp://crm.example.com"})", "settings.base_url", "https://"},
      {R"({"base_url": "https://user:pass@crm.example.com"})", "settings.base_url", "user or password"},
      {R"({"base_url": "https://crm.example.com/?a=b"})", "settings.base_url", "query"},
      {R"({"base_url": "https://crm.example.com:port"})", "settings.base_url", "port"},
      {R"({"base_url": "https://"})", "settings.base_url", "host"},
      {R"({"base_url": 7})", "settings.base_url", "text"},
      {R"({"requests_per_minute": -1})", "settings.requests_per_minute", "from 0 to"},
      {R"({"requests_per_minute": 1.5})", "settings.requests_per_minute", "whole number"},
      {R"({"requests_per_minute": 18446744073709551615})", "settings.requests_per_minute", "whole number"},
      {R"({"http2": "yes"})", "settings.http2", "true or false"},
      {R"({"colour": 1})", "settings.colour", "not known here; known: base_url"},
      {R"({"auth": {"type": "digest"}})", "settings.auth.type",
       "allowed: none, bearer, basic, api_key, oauth2_client_credentials"},
      {R"({"auth": {"type": "none", "header": "X"}})", "settings.auth.header", "not known"},
      {R"({"auth": {"type": "api_key"}})", "settings.auth", "either header"},
      {R"({"auth": {"type": "api_key", "header": "A", "query": "b"}})", "settings.auth", "either header"},
      {R"({"auth": {"type": "api_key", "header": "Host"}})", "settings.auth.header", "transport"},
      {R"({"auth": {"type": "oauth2_client_credentials"}})", "settings.auth.token_url", "is missing"},
      {R"({"auth": {"type": "oauth2_client_credentials", "client_auth": "jwt"}})",
       "settings.auth.client_auth", "allowed: basic, body"},
      {R"({"headers": {"X-A": "a\r\nb"}})", "settings.headers.X-A", "printable"},
      {R"({"headers": {"Content-Length": "3"}})", "settings.headers.Content-Length", "transport"},
      {R"({"headers": {"a b": "3"}})", "settings.headers.a b", "header name"},
      {R"({"idempotency": {"key_lifetime": "soon"}})", "settings.idempotency.key_lifetime", ""},
      {R"({"operations": {}})", "settings.operations", "known: create"},
      {R"({"operations": {"upsert": {"path": "/a"}}})", "settings.operations.upsert",
       "known: create, update"},
      {R"({"operations": []})", "settings.operations", "must be an object"},
      {R"({"answers": {"gone": 404}})", "settings.answers.gone", "list"},
      {R"({"answers": {"gone": [404, 99]}})", "settings.answers.gone[1]", "from 200 to 599"},
      {R"({"answers": {"missing": [404]}})", "settings.answers.missing", "known: accepted, gone"},
      {R"({"answers": {"exists": [{"status": [400], "body": {"code": "x"}}]}})",
       "settings.answers.exists[0].body.code", "JSON pointer"},
      {R"({"answers": {"exists": [{"body": {"/code": "x"}}]}})", "settings.answers.exists[0].status", "list"},
      {R"({"domains": {"orders": {"operations": {"create": {"path": "orders"}}}}})",
       "settings.domains.orders.operations.create.path", "begin with \"/\""},
      {R"({"domains": {"orders": {"paths": {}}}})", "settings.domains.orders.paths", "known: operations"},
      {"[1]", "settings", "must be an object"},
      {"{", "settings", "not readable JSON"},
      {std::string(1'000'000, '['), "settings", "not readable JSON"},
      {with_create(R"({})"), "settings.operations.create.path", "is missing"},
      {with_create(R"({"path": "/a", "method": "FETCH"})"), "settings.operations.create.method",
       "allowed: GET, POST, PUT, PATCH, DELETE"},
      {with_create(R"({"path": "/a/{remote_id}"})"), "settings.operations.create.path",
       "must not use {remote_id}"},
      {with_create(R"({"path": "/a/{id}"})"), "settings.operations.create.path",
       "{id}; allowed: {source_id}, {remote_id}, {anchor_id}, {domain}"},
      {with_create(R"({"path": "/a b"})"), "settings.operations.create.path", "percent-encoded"},
      {with_create(R"({"path": "/a#b"})"), "settings.operations.create.path", "fragment"},
      {with_create(R"({"path": "/{source_id"})"), "settings.operations.create.path", "without its"},
      {with_create(R"({"path": "/a", "body": "form"})"), "settings.operations.create.body", "\"mapping\""},
      {with_create(R"({"path": "/a", "body": {"x": ["{nope}"]}})"), "settings.operations.create.body",
       "at /x/0 has the placeholder {nope}"},
      {with_create(R"({"path": "/a", "id": "id"})"), "settings.operations.create.id", "JSON pointer"},
      {with_create(R"({"path": "/a", "id": {"header": "X-Id"}})"), "settings.operations.create.id.header",
       "allowed: Location"},
      {with_create(R"({"path": "/a", "repeatable": 1})"), "settings.operations.create.repeatable",
       "true or false"},
      {with_create(R"({"path": "/a", "matches": "/b"})"), "settings.operations.create.matches", "not known"},
      {R"({"operations": {"update": {"path": "/a"}}})", "settings.operations.update.path",
       "{remote_id} or {source_id}"},
      {R"({"operations": {"lookup": {"path": "/a"}}})", "settings.operations.lookup.path", "{source_id}"},
      {R"({"operations": {"delete": {"path": "/a/{remote_id}", "body": "mapping"}}})",
       "settings.operations.delete.body", "only create, update and reactivate"},
      {R"({"operations": {"lookup": {"path": "/a/{source_id}", "match": {"/x": "{anchor_id}"}}}})",
       "settings.operations.lookup.match./x", "must not use {remote_id} or {anchor_id}"},
      {R"({"operations": {"lookup": {"path": "/a/{source_id}", "match": {"x": "y"}}}})",
       "settings.operations.lookup.match.x", "JSON pointer"},
  };
  for (const auto& row : rows) {
    CAPTURE(row.settings.substr(0, 200));
    const auto faults = faults_of(row.settings);
    CAPTURE(faults);
    CHECK(names(faults, row.place, row.what));
  }
}

TEST_CASE("all faults are reported at once") {
  const auto faults =
      faults_of(R"({"base_url": "x", "http2": 1, "operations": {"create": {"path": "a"}}})", "{}");
  CHECK(names(faults, "settings.base_url", ""));
  CHECK(names(faults, "settings.http2", ""));
  CHECK(names(faults, "settings.operations.create.path", ""));
}

TEST_CASE("each kind of authentication names the credential it misses and no value of any") {
  struct row {
    std::string auth;
    std::string credentials;
    std::string place;
  };
  const std::vector<row> rows{
      {R"({"type": "bearer"})", R"({})", "credentials.token"},
      {R"({"type": "bearer"})", R"({"token": "hunter2\n"})", "credentials.token"},
      {R"({"type": "bearer"})", R"({"token": ["hunter2"]})", "credentials.token"},
      {R"({"type": "basic"})", R"({"password": "hunter2"})", "credentials.username"},
      {R"({"type": "api_key", "header": "X-Api-Key"})", R"({"token": "hunter2"})", "credentials.key"},
      {R"({"type": "oauth2_client_credentials", "token_url": "https://id.example.com/token"})",
       R"({"client_id": "me", "secret": "hunter2"})", "credentials.client_secret"},
      {R"({"type": "none"})", R"({"token": "hunter2"})", "credentials.token"},
      {R"({"type": "basic"})", R"({"username": "a:hunter2"})", "credentials.username"},
      {R"({"type": "bearer"})", R"({"token": "hunter2")", "credentials"},
  };
  for (const auto& row : rows) {
    CAPTURE(row.auth, row.credentials);
    const auto faults = faults_of(R"({"base_url": "https://crm.example.com", "auth": )" + row.auth
                                      + R"(, "operations": {"create": {"path": "/a"}}})",
                                  row.credentials);
    CAPTURE(faults);
    CHECK(names(faults, row.place, ""));
    CHECK(std::ranges::none_of(faults, [](const auto& f) { return f.find("hunter2") != std::string::npos; }));
  }
}

TEST_CASE("a driver nobody knows is refused with those allowed") {
  auto target = connection_of(plain_settings);
  target.driver = "soap";
  const auto made = providers::make_writer(target, "customers");
  REQUIRE_FALSE(made);
  CHECK(made.error() == std::vector<std::string>{"driver: is \"soap\"; allowed for a target: rest"});
}

TEST_CASE("a domain's overrides win member by member and null takes an operation away") {
  const std::string settings = R"({
    "base_url": "https://crm.example.com", "auth": {"type": "bearer"},
    "operations": {"create": {"path": "/{domain}", "id": "/id"}, "delete": {"path": "/{domain}/{remote_id}"}},
    "domains": {"orders": {"operations": {"create": {"id": "/order/number"}, "delete": null}}}})";
  const auto customers = writer_of(settings);
  const auto orders = writer_of(settings, plain_credentials, "orders");
  CHECK(customers->supports(core::operation::remove));
  CHECK_FALSE(orders->supports(core::operation::remove));
  CHECK(orders->build(order_of(core::operation::create), "", "").url == "https://crm.example.com/orders");
  const auto answer = answer_of(201, R"({"id": 1, "order": {"number": 2}})");
  CHECK(customers->read(order_of(core::operation::create), answer).remote_id == "1");
  CHECK(orders->read(order_of(core::operation::create), answer).remote_id == "2");
}

TEST_CASE("a fault in another domain's overrides is reported whichever domain is asked for") {
  const auto faults = faults_of(
      R"({"base_url": "https://crm.example.com", "auth": {"type": "bearer"}, "operations": {"create": {"path": "/a"}},
        "domains": {"orders": {"operations": {"create": {"method": "SEND"}}}}})");
  CHECK(names(faults, "settings.domains.orders.operations.create.method", "allowed: GET"));
  CHECK(faults.size() == 1);
}
