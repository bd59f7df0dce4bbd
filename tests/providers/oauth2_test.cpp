#include "rest_fixture.hpp"

#include <algorithm>

using namespace sluice;
using namespace sluice::providers::testing;
using core::outcome_kind;

namespace {

std::shared_ptr<const providers::writer> token_writer(std::string_view members = "") {
  return writer_of(R"({"base_url": "https://crm.example.com", "operations": {"create": {"path": "/a"}},
    "auth": {"type": "oauth2_client_credentials", "token_url": "https://id.example.com/token")"
                       + std::string{members} + "}}",
                   R"({"client_id": "me:1", "client_secret": "p w+é"})");
}

} // namespace

TEST_CASE("the token request authenticates the client as RFC 6749 section 2.3.1 says") {
  const auto request = token_writer(R"(, "scope": "a b", "audience": "https://crm")")->token_request();
  REQUIRE(request);
  CHECK(request->method == "POST");
  CHECK(request->url == "https://id.example.com/token");
  CHECK(request->body == "grant_type=client_credentials&scope=a+b&audience=https%3A%2F%2Fcrm");
  // "me%3A1:p+w%2B%C3%A9"
  CHECK(std::ranges::count(request->headers, "Authorization: Basic bWUlM0ExOnArdyUyQiVDMyVBOQ==") == 1);
}

TEST_CASE("client credentials may travel in the body") {
  const auto request = token_writer(R"(, "client_auth": "body")")->token_request();
  REQUIRE(request);
  CHECK(request->body == "grant_type=client_credentials&client_id=me%3A1&client_secret=p+w%2B%C3%A9");
  CHECK(std::ranges::none_of(request->headers, [](const auto& h) { return h.starts_with("Authorization"); }));
}

TEST_CASE("a writer without OAuth2 asks for no token") {
  CHECK_FALSE(writer_of()->token_request());
}

TEST_CASE("a token answer gives the token and how long it lives") {
  const auto writer = token_writer();
  struct row {
    std::string body;
    std::string token;
    std::chrono::seconds lifetime;
  };
  const std::vector<row> rows{
      {R"({"access_token": "t", "token_type": "Bearer", "expires_in": 3600})", "t",
       std::chrono::seconds{3600}},
      {R"({"access_token": "t", "token_type": "BEARER", "expires_in": "60"})", "t", std::chrono::seconds{60}},
      {R"({"access_token": "t"})", "t", std::chrono::minutes{5}},
      {R"({"access_token": "t", "expires_in": "soon"})", "t", std::chrono::minutes{5}},
      {R"({"access_token": "t", "expires_in": -5})", "t", std::chrono::seconds{0}},
      {R"({"access_token": "t", "expires_in": 99999999999999999999999})", "t", std::chrono::days{30}},
  };
  for (const auto& row : rows) {
    CAPTURE(row.body);
    const auto token = writer->read_token(answer_of(200, row.body));
    REQUIRE(token);
    CHECK(token->value == row.token);
    CHECK(token->lifetime == row.lifetime);
  }
}

TEST_CASE("a token answer without a token says whose fault it is") {
  const auto writer = token_writer();
  struct row {
    int status;
    std::string body;
    outcome_kind kind;
  };
  using enum outcome_kind;
  const std::vector<row> rows{
      {401, R"({"error": "invalid_client"})", unauthorized},
      {400, R"({"error": "invalid_scope"})", unauthorized},
      {403, "", unauthorized},
      {302, "", unauthorized},
      {429, "", rate_limited},
      {408, "", transient},
      {500, "", transient},
      {503, "<html>", transient},
      {200, "<html>", transient},
      {200, R"({"access_token": ""})", transient},
      {200, R"({"access_token": 5})", transient},
      {200, R"({"access_token": "a\r\nX: y"})", transient},
      {200, R"({"access_token": "t", "token_type": "mac"})", transient},
      {200, std::string(1'000'000, '['), transient},
  };
  for (const auto& row : rows) {
    CAPTURE(row.status, row.body.substr(0, 60));
    const auto token = writer->read_token(answer_of(row.status, row.body));
    REQUIRE_FALSE(token);
    CHECK(token.error().kind == row.kind);
  }
  CHECK(writer->read_token(answer_of(401, R"({"error": "invalid_client"})")).error().error
        == "the token endpoint answered 401 (invalid_client)");
  CHECK(writer->read_token(failed_call(core::call_error::timed_out)).error().kind == transient);
  CHECK(writer->read_token(failed_call(core::call_error::unattempted)).error().kind == unattempted);
}
