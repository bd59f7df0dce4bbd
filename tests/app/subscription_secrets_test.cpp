#include "tests/app/subscription_world.hpp"

#include <string>

namespace sluice::app {
namespace {

using tests::json;
using world = tests::subscription_world;

TEST_CASE("a secret header is never shown again, and stays what it is where it comes back masked") {
  world w;
  const auto made = w.made({{"name", "hook"},
                            {"url", w.sink_url()},
                            {"headers",
                             {{{"name", "Authorization"}, {"value", "Bearer s3cret"}},
                              {{"name", "X-Pass"}, {"value", "hidden-too"}, {"secret", true}},
                              {{"name", "X-Team"}, {"value", "blue"}}}}});
  for (const auto& seen :
       {made, w.ask("GET", w.path_of(made)).document, w.ask("GET", "/v1/subscriptions").document}) {
    CHECK(seen.dump().find("s3cret") == std::string::npos);
    CHECK(seen.dump().find("hidden-too") == std::string::npos);
  }
  auto headers = made.at("headers");
  headers[1]["secret"] = false; // does not uncover it
  headers[1]["name"] = "x-pass";
  headers[2]["value"] = "red";
  const auto changed = w.patch(made, {{"headers", headers}});
  CHECK(changed.status == 200);
  CHECK(changed.document.dump().find("hidden-too") == std::string::npos);
  const auto kept = w.served(made).settings.headers;
  REQUIRE(kept.size() == 3);
  CHECK(kept[0].value == "Bearer s3cret");
  CHECK(kept[1].value == "hidden-too");
  CHECK(kept[1].secret);
  CHECK(kept[2].value == "red");
}

TEST_CASE("a secret is shown when it is made and when it is rotated, and never otherwise") {
  world w;
  const auto one = w.made_push();
  const auto first = one.at("secret").get<std::string>();
  CHECK(first.starts_with("whsec_"));
  CHECK(w.ask("GET", w.path_of(one)).document.at("secret") == "********");
  CHECK(w.patch(one, {{"name", "again"}}).document.at("secret") == "********");
  const auto rotated = w.ask("POST", w.path_of(one, "/rotate"), json::object()).document;
  const auto second = rotated.at("secret").get<std::string>();
  CHECK(second.starts_with("whsec_"));
  CHECK(second != first);
  CHECK(rotated.at("signing") == 2);
  CHECK(rotated.at("overlap_until").is_string());
  const auto third = w.ask("POST", w.path_of(one, "/rotate"), {{"signing", "ed25519"}}).document;
  CHECK(third.at("secret").get<std::string>().starts_with("whpk_")); // what verifies, not what signs
  CHECK(third.at("signing") == 3);
  const auto fourth = w.ask("POST", w.path_of(one, "/rotate"), json::object()).document;
  CHECK(fourth.at("secret").get<std::string>().starts_with("whpk_")); // as before
  const auto served = w.served(one).secrets;
  REQUIRE(served.size() == 4);
  CHECK(served[3].text == first);
  CHECK(served[2].text == second);
  CHECK_FALSE(served[0].expires_at);
  for (const auto* target : {"/v1/subscriptions", "/v1/audit"}) {
    const auto text = w.get_text(target);
    for (const auto& secret : served)
      CHECK(text.find(secret.text) == std::string::npos);
  }
  CHECK(w.made_pull().at("secret").is_null());
  CHECK(w.ask("POST", w.path_of(w.made_pull("second"), "/rotate"), json::object()).status == 409);
}

TEST_CASE("without a key to seal with no secret is kept, and what is missing is said") {
  tests::node_world w;
  const auto refused = w.ask("POST", "/v1/subscriptions",
                             {{"tenant", "acme"}, {"name", "a"}, {"url", "https://hooks.example.com/"}});
  CHECK(refused.status == 409);
  CHECK(refused.document.at("detail").get<std::string>().find("key") != std::string::npos);
  CHECK(w.ask("GET", "/v1/subscriptions").document.at("subscriptions").empty());
  CHECK(w.ask("POST", "/v1/subscriptions", {{"tenant", "acme"}, {"name", "a"}, {"mode", "pull"}}).status
        == 201);
}

} // namespace
} // namespace sluice::app
