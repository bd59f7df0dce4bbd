#include "app/node_client.hpp"
#include "tests/app/subscription_world.hpp"

#include <string>

namespace sluice::app {
namespace {

using tests::json;
using tests::subscription_world;

struct world : subscription_world {
  /// An apply file's only subscription, as JSON.
  [[nodiscard]] json file(const json& more = json::object()) const {
    json one{{"tenant", "acme"}, {"name", "hook"}, {"url", sink_url()}};
    one.update(more);
    return json{{"subscriptions", json::array({one})}};
  }

  [[nodiscard]] api::client::answer sent(const json& what, const std::string& query = "") const {
    return ask("POST", "/v1/apply" + query, what);
  }

  /// The same by the command, as TOML.
  [[nodiscard]] int by_command(const std::string& more = "") const {
    const auto text =
        "[[subscriptions]]\ntenant = \"acme\"\nname = \"hook\"\nurl = \"" + sink_url() + "\"\n" + more;
    return app::apply(context, {.file = folder.file("subscriptions.toml", text), .yes = true});
  }

  [[nodiscard]] json all() const { return ask("GET", "/v1/subscriptions").document.at("subscriptions"); }

  [[nodiscard]] json only() const {
    const auto listed = all();
    REQUIRE(listed.size() == 1);
    return listed[0];
  }

  /// What the audit has of it, the oldest first.
  [[nodiscard]] std::string acts(const json& one) const {
    std::string text;
    const auto audit = ask("GET", "/v1/audit?subject=" + one.at("id").get<std::string>()).document;
    for (const auto& entry : audit.at("entries"))
      text.insert(0, entry.at("act").get<std::string>() + " ");
    return text;
  }
};

TEST_CASE("a subscription of an apply file is shown, made once with its secret told once, and pushes") {
  const world w;
  const auto shown = w.sent(w.file(), "?dry_run=true").document;
  CHECK(shown.at("changes")[0]
        == json{{"kind", "subscription"},
                {"name", "hook"},
                {"change", "create"},
                {"fields", json::array()},
                {"tenant", "acme"}});
  CHECK_FALSE(shown.contains("secrets"));
  CHECK(w.all().empty());
  const auto made = w.sent(w.file()).document;
  CHECK(made.at("applied") == true);
  const auto one = w.only();
  REQUIRE(made.at("secrets").size() == 1);
  CHECK(made.at("secrets")[0]
        == json{{"subscription", "hook"},
                {"tenant", "acme"},
                {"id", one.at("id")},
                {"secret", w.served(one).secrets.front().text}});
  CHECK(made.at("changes") == shown.at("changes"));
  const auto again = w.sent(w.file()).document;
  CHECK(again.at("applied") == false);
  CHECK_FALSE(again.contains("secrets"));
  CHECK(w.only() == one);
  CHECK(w.acts(one) == "make_subscription ");
}

TEST_CASE("a node follows an apply over the API: what is pushed is by the new settings at once") {
  world w;
  REQUIRE(w.sent(w.file({{"paused", true}})).status == 200);
  const auto one = w.only();
  CHECK(one.at("status") == "paused");
  w.publish("orders.paid");
  CHECK(w.deliveries(one, 1)[0].at("state") == "pending");
  const auto changed = w.sent(w.file({{"paused", false}, {"ordered_by", "/order"}})).document;
  CHECK(changed.at("changes")[0].at("fields") == json{"ordered_by", "paused"});
  w.ask_until(w.path_of(one, "/deliveries"),
              [](const json& page) { return page.at("deliveries")[0].at("state") == "dead"; });
  CHECK(w.only().at("ordered_by") == "/order");
  CHECK(w.acts(one) == "make_subscription pause_subscription change_subscription resume_subscription ");
}

TEST_CASE("the command applies subscriptions beside a running node, which finds them") {
  world w;
  CHECK(w.by_command("signing = \"ed25519\"\n") == exit_ok);
  const auto one = w.only();
  const auto before = w.served(one);
  CHECK(before.secrets.front().text.starts_with("whsk_"));
  w.publish("orders.paid");
  CHECK(w.deliveries(one, 1).size() == 1);
  CHECK(w.by_command() == exit_ok);
  CHECK(w.served(one).secrets == before.secrets);
  CHECK(w.by_command("event_types = [\"orders.*\"]\n") == exit_ok);
  CHECK(w.only().at("event_types") == json{"orders.*"});
  CHECK(w.only().at("revision") == 2);
  const auto audit = w.ask("GET", "/v1/audit?act=change_subscription").document.at("entries");
  REQUIRE(audit.size() == 1);
  CHECK(audit[0].at("by") == current_user());
}

TEST_CASE("an apply does not exchange what signs, and says what does") {
  world w;
  REQUIRE(w.by_command() == exit_ok);
  CHECK(w.by_command("signing = \"hmac_sha256\"\n") == exit_ok);
  CHECK(w.by_command("signing = \"ed25519\"\nevent_types = [\"orders.*\"]\n") == exit_refused);
  const auto refused = w.sent(w.file({{"signing", "ed25519"}}));
  CHECK(refused.status == 409);
  CHECK(refused.document.dump().find("subscriptions rotate --signing ed25519") != std::string::npos);
  CHECK(w.only().at("revision") == 1);
}

TEST_CASE("secret headers of an apply file are compared, and shown neither in the difference nor after") {
  world w;
  const auto with = [&](const std::string& value) {
    return w.file({{"headers", json::array({{{"name", "X-Key"}, {"value", value}, {"secret", true}}})}});
  };
  REQUIRE(w.sent(with("canary-1")).status == 200);
  CHECK(w.sent(with("canary-1")).document.at("applied") == false);
  const auto changed = w.sent(with("canary-2")).document;
  CHECK(changed.at("changes")[0].at("fields") == json{"headers"});
  CHECK(changed.dump().find("canary") == std::string::npos);
  CHECK(w.only().dump().find("canary") == std::string::npos);
  CHECK(w.served(w.only()).settings.headers.front().value == "canary-2");
  CHECK(w.sent(with("file:/etc/hostname")).status == 422);
}

TEST_CASE("a subscription of an apply file that is not allowed leaves nothing of the file behind") {
  world w;
  auto file = w.file({{"url", "http://10.0.0.1/hook"}, {"colour", "blue"}});
  file["tenants"] = json::array({{{"name", "globex"}}});
  const auto faulty = w.sent(file);
  CHECK(faulty.status == 422);
  CHECK(faulty.document.at("faults").size() == 2);
  REQUIRE(w.sent(w.file()).status == 200);
  file = w.file({{"mode", "pull"}});
  file["tenants"] = json::array({{{"name", "globex"}}});
  file["subscriptions"][0].erase("url");
  const auto refused = w.sent(file);
  CHECK(refused.status == 409);
  CHECK(refused.document.dump().find("stays push") != std::string::npos);
  CHECK(w.ask("GET", "/v1/tenants").document.at("tenants").size() == 1);
  CHECK(w.only().at("revision") == 1);
}

TEST_CASE("whoever is limited to a tenant applies no subscription of another's") {
  world w;
  REQUIRE(w.ask("PUT", "/v1/tenants/globex", json::object()).status == 201);
  const auto token = w.token({{"name", "theirs"}, {"role", "admin"}, {"tenants", {"globex"}}});
  CHECK(w.ask_as(token, "POST", "/v1/apply", w.file()).status == 403);
  CHECK(w.ask_as(token, "POST", "/v1/apply", w.file({{"tenant", "globex"}})).status == 200);
  CHECK(w.only().at("tenant") == "globex");
}

} // namespace
} // namespace sluice::app
