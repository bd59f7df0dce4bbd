#include "api/subscription_views.hpp"

#include <catch2/catch.hpp>

namespace sluice::api {
namespace {

core::change_event event(std::int64_t position, const std::string& body) {
  core::change_event made;
  made.public_id = "e" + std::to_string(position);
  made.position = {position};
  made.type = "orders.paid";
  made.tenant = "acme";
  made.body = body;
  return made;
}

TEST_CASE("a page of events is one document, with each body as it came") {
  core::pull_page page;
  page.next = {4};
  CHECK(pull_page_text(page) == "{\"events\":[],\"next\":4,\"through\":true}\n");
  const std::string digits = R"({ "a":1234567890123456789012345678901234567890,"a":2 })";
  page.events = {event(5, digits), event(7, "null")};
  page.next = {7};
  page.through = false;
  const auto text = pull_page_text(page);
  CHECK(text.find("\"body\":" + digits + "}") != std::string::npos);
  const auto document = json::parse(text);
  REQUIRE(document.at("events").size() == 2);
  CHECK(document.at("events")[1].at("body").is_null());
  CHECK(document.at("events")[1].at("id") == "e7");
  CHECK(document.at("next") == 7);
  CHECK(document.at("through") == false);
}

TEST_CASE("what must not be seen of a subscription is masked, whoever asked for it") {
  core::subscription one;
  one.headers = {
      {"AUTHORIZATION", "Bearer s3cret", false}, {"X-Pass", "hidden", true}, {"X-Team", "blue", false}};
  const auto view = subscription_view(one);
  CHECK(view.dump().find("s3cret") == std::string::npos);
  CHECK(view.dump().find("hidden") == std::string::npos);
  CHECK(view.at("headers")[0].at("secret") == true);
  CHECK(view.at("headers")[2].at("value") == "blue");
  CHECK(view.at("secret") == "********");
  one.mode = core::subscription_mode::pull;
  CHECK(subscription_view(one).at("secret").is_null());
}

} // namespace
} // namespace sluice::api
