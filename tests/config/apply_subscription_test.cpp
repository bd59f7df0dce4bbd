#include "config/apply_file.hpp"
#include "tests/config/temporary_folder.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

namespace sluice::config {
namespace {

/// A subscription of acme's, with what a test adds to it from line 4 on.
std::string hook(const std::string& more) {
  return "[[subscriptions]]\n"
         "tenant = \"acme\"\n"
         "name = \"hook\"\n"
         + more;
}

std::string faults_of(const std::string& text) {
  const auto plan = parse_apply_file(text, apply_format::toml, "FILE", {});
  std::string out;
  for (const auto& fault : plan ? std::vector<std::string>{} : plan.error()) {
    out += fault + "\n";
  }
  return out;
}

core::subscription_wish wish_of(const std::string& text, const environment& variables = {}) {
  const auto plan = parse_apply_file(text, apply_format::toml, "FILE", variables);
  REQUIRE(plan);
  REQUIRE(plan->subscriptions.size() == 1);
  return plan->subscriptions.front();
}

TEST_CASE("a subscription of an apply file says what one over the API says") {
  const auto wish = wish_of(hook("url = \"https://hooks.example.com/sluice\"\n"
                                 "event_types = [\"orders.*\", \"customers.updated\"]\n"
                                 "ordered_by = \"/order\"\n"
                                 "access_accepted = false\n"
                                 "paused = true\n"
                                 "signing = \"ed25519\"\n"
                                 "filter = { field = \"/total\", equals = 1.50 }\n"
                                 "[[subscriptions.headers]]\n"
                                 "name = \"X-Team\"\n"
                                 "value = \"plain:env:blue\"\n"
                                 "[[subscriptions.headers]]\n"
                                 "name = \"X-Key\"\n"
                                 "value = \"env:HOOK_KEY\"\n"),
                            {{"HOOK_KEY", "s3cret"}});
  CHECK(wish.written.tenant == "acme");
  CHECK(wish.written.name == "hook");
  CHECK(wish.written.mode == core::subscription_mode::push);
  CHECK(wish.written.url == "https://hooks.example.com/sluice");
  CHECK(wish.written.event_types == std::vector<std::string>{"orders.*", "customers.updated"});
  CHECK(wish.written.filter == R"({"field":"/total","equals":1.50})");
  CHECK(wish.written.ordered_by == "/order");
  CHECK(wish.access_accepted == std::optional{false});
  CHECK(wish.paused == std::optional{true});
  CHECK(wish.signed_by == std::optional{core::signing::ed25519});
  REQUIRE(wish.headers);
  CHECK(*wish.headers
        == std::vector<core::custom_header>{{"X-Team", "env:blue", false}, {"X-Key", "s3cret", true}});
}

TEST_CASE("what an apply file does not say of a subscription is left open or has the API's default") {
  const auto wish = wish_of(hook("mode = \"pull\"\n"));
  CHECK(wish.written.mode == core::subscription_mode::pull);
  CHECK(wish.written.event_types == std::vector<std::string>{"*"});
  CHECK_FALSE(wish.headers);
  CHECK_FALSE(wish.access_accepted);
  CHECK_FALSE(wish.paused);
  CHECK_FALSE(wish.signed_by);
  CHECK(wish_of(hook("url = \"https://hooks.example.com/\"\nheaders = []\n")).headers->empty());
}

TEST_CASE("every fault of a subscription is named at once, with its line") {
  const auto faults = faults_of(hook("url = \"http://127.0.0.1/hook\"\n"
                                     "event_types = [\"orders.*.paid\", 5]\n"
                                     "ordered_by = \"order\"\n"
                                     "paused = \"yes\"\n"
                                     "signing = \"rsa\"\n"
                                     "colour = \"blue\"\n"
                                     "headers = [ 7, { name = \"Host\", value = \"x\" },\n"
                                     "  { name = \"X-Key\", value = \"env:UNSET\" },\n"
                                     "  { name = \"X-Old\", value = \"********\" },\n"
                                     "  { name = \"X-Kind\", value = \"x\", sealed = true } ]\n"
                                     "filter = { field = \"/a\", resembles = 4 }\n"));
  INFO(faults);
  CHECK(faults.contains("FILE:4: subscriptions[1].url : "));
  CHECK(faults.contains("FILE:5: subscriptions[1].event_types is a whole number; allowed is a text"));
  CHECK(faults.contains("FILE:6: subscriptions[1].ordered_by : "));
  CHECK(faults.contains("FILE:7: subscriptions[1].paused is a text; allowed are true and false"));
  CHECK(faults.contains("FILE:8: subscriptions[1].signing = \"rsa\" is not one of the allowed values: "
                        "hmac_sha256 and ed25519"));
  CHECK(faults.contains("FILE:9: subscriptions[1].colour is not known here; allowed are "));
  CHECK(faults.contains("subscriptions[1].headers[1] is a whole number; allowed is a table"));
  CHECK(faults.contains("subscriptions[1].headers : \"Host\" is a header the push sets itself"));
  CHECK(faults.contains("subscriptions[1].headers[3].value names the variable UNSET, which is not set"));
  CHECK(faults.contains("subscriptions[1].headers[4].value is what is shown in place of a secret"));
  CHECK(faults.contains("subscriptions[1].headers[5].sealed is not known here; allowed are name, value"));
  CHECK(faults.contains("FILE:14: subscriptions[1].filter : "));
}

TEST_CASE("what is missing of a subscription is named once") {
  const auto faults = faults_of("[[subscriptions]]\nmode = \"push\"\n");
  INFO(faults);
  CHECK(faults
        == "FILE:1: subscriptions[1].tenant is missing; allowed is a text\n"
           "FILE:1: subscriptions[1].name is missing; allowed is a text\n"
           "FILE:1: subscriptions[1].url : a push subscription needs one, such as "
           "https://hooks.example.com/sluice\n");
}

TEST_CASE("a pull subscription of an apply file has nothing that a push needs") {
  const auto faults = faults_of(hook("mode = \"pull\"\n"
                                     "url = \"https://hooks.example.com/\"\n"
                                     "signing = \"ed25519\"\n"));
  INFO(faults);
  CHECK(faults.contains("FILE:5: subscriptions[1].url : a pull subscription has none"));
  CHECK(faults.contains("FILE:6: subscriptions[1].signing stands at a pull subscription"));
}

TEST_CASE("a subscription's name stands in a file once for each tenant") {
  const auto other = "[[subscriptions]]\ntenant = \"globex\"\nname = \"hook\"\nmode = \"pull\"\n";
  const auto mine = hook("mode = \"pull\"\n");
  CHECK(faults_of(mine + other).empty());
  CHECK(faults_of(mine + other + mine)
            .contains("FILE:11: subscriptions[3].name = \"hook\" stands in this file twice"));
}

TEST_CASE("a URL may name an address that the settings allow") {
  const auto outside = core::outside_addresses::make({"127.0.0.0/8"}).value();
  const auto text = hook("url = \"http://127.0.0.1:9000/hook\"\n");
  CHECK(parse_apply_file(text, apply_format::toml, "FILE", {}, outside));
  CHECK_FALSE(parse_apply_file(text, apply_format::toml, "FILE", {}));
}

TEST_CASE("whoever sends a subscription names no variable and no file of the node") {
  const auto body = [](const std::string& value) {
    return R"({"subscriptions":[{"tenant":"acme","name":"hook","url":"https://hooks.example.com/",
               "headers":[{"name":"X-Key","value":")"
           + value + R"("}]}]})";
  };
  const auto plan = parse_apply_body(body("s3cret"));
  REQUIRE(plan);
  CHECK(plan->subscriptions.front().headers->front() == core::custom_header{"X-Key", "s3cret", false});
  for (const auto* value : {"env:HOME", "file:/etc/hostname"}) {
    const auto spied = parse_apply_body(body(value));
    REQUIRE_FALSE(spied);
    CHECK(spied.error().front()
          == "body:2: subscriptions[1].headers[1].value names a variable or file of the node; allowed is the "
             "secret itself");
  }
}

TEST_CASE("a header's value may stand in a file") {
  const tests::temporary_folder folder;
  const auto path = folder.file("key", "s3cret\n");
  const auto wish =
      wish_of(hook("url = \"https://hooks.example.com/\"\nheaders = [ { name = \"X-Key\", value = "
                   "\"file:"
                   + path + "\", secret = false } ]\n"));
  CHECK(wish.headers->front() == core::custom_header{"X-Key", "s3cret", false});
}

} // namespace
} // namespace sluice::config
