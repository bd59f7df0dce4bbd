#include "tests/app/subscription_world.hpp"

#include <string>

namespace sluice::app {
namespace {

using tests::json;
using tests::subscription_world;

struct world : subscription_world {
  [[nodiscard]] tests::http_client::answer send(const std::string& method, const json& one, const json& body,
                                                const std::string& headers) const {
    return tests::http_client{port()}.send(method, path_of(one), body.is_null() ? "" : body.dump(),
                                           authorized() + headers);
  }
};

TEST_CASE("a subscription is made, found, changed and removed") {
  world w;
  const auto made = w.made({{"name", "hook"},
                            {"url", w.sink_url()},
                            {"event_types", {"orders.*", "customers.updated"}},
                            {"filter", {{"field", "/total"}, {"equals", 1}}},
                            {"ordered_by", "/order"},
                            {"headers", {{{"name", "X-Team"}, {"value", "blue"}}}}});
  CHECK(made.at("tenant") == "acme");
  CHECK(made.at("mode") == "push");
  CHECK(made.at("status") == "active");
  CHECK(made.at("revision") == 1);
  const auto found = w.ask("GET", w.path_of(made)).document;
  CHECK(found.at("event_types") == json{"orders.*", "customers.updated"});
  CHECK(found.at("ordered_by") == "/order");
  CHECK(w.ask("GET", "/v1/subscriptions").document.at("subscriptions").size() == 1);
  CHECK(w.ask("GET", "/v1/subscriptions?tenant=nobody").document.at("subscriptions").empty());
  const auto changed = w.patch(made, {{"name", "other"}, {"filter", nullptr}, {"ordered_by", ""}}).document;
  CHECK(changed.at("name") == "other");
  CHECK(changed.at("filter").is_null());
  CHECK(changed.at("ordered_by").is_null());
  CHECK(changed.at("url") == made.at("url"));
  CHECK(changed.at("revision") == 2);
  CHECK(w.ask("DELETE", w.path_of(made)).status == 200);
  CHECK(w.ask("DELETE", w.path_of(made)).status == 404);
  CHECK(w.ask("GET", w.path_of(made)).status == 404);
  CHECK(w.ask("GET", "/v1/subscriptions").document.at("subscriptions").empty());
}

TEST_CASE("a subscription that is stopped pushes nothing and says so, and its stop ends when it is removed") {
  world w;
  const auto made = w.made_push();
  const json scope{{"scope", "subscription"}, {"subscription", made.at("id")}};
  auto wanted = scope;
  wanted["reason"] = "its receiver moves";
  REQUIRE(w.ask("POST", "/v1/stops", wanted).status == 201);
  CHECK(w.ask("POST", "/v1/stops", wanted).status == 200);
  CHECK(w.ask("GET", w.path_of(made)).document.at("stopped") == true);
  w.publish("orders.paid");
  CHECK(w.deliveries(made, 1)[0].at("state") == "pending");
  REQUIRE(w.ask("POST", "/v1/stops/end", scope).status == 200);
  CHECK(w.ask("POST", "/v1/stops/end", scope).status == 404);
  CHECK(w.ask("GET", w.path_of(made)).document.at("stopped") == false);
  w.ask_until(w.path_of(made, "/deliveries"),
              [](const json& page) { return page.at("deliveries")[0].at("state") == "dead"; });
  REQUIRE(w.ask("POST", "/v1/stops", wanted).status == 201);
  REQUIRE(w.ask("DELETE", w.path_of(made)).status == 200);
  CHECK(w.ask("GET", "/v1/stops").document.at("stops").empty());
  CHECK(w.ask("GET", "/v1/stops/history").document.at("stops")[0].at("subscription") == made.at("id"));
  CHECK(w.ask("POST", "/v1/stops", wanted).status == 404);
}

TEST_CASE("a filter's numbers keep their digits") {
  world w;
  const std::string filter = R"({"field":"/total","equals":1234567890123456789012345678901234567890})";
  const auto answer = tests::http_client{w.port()}.send(
      "POST", "/v1/subscriptions", R"({"tenant":"acme","name":"r","mode":"pull","filter":)" + filter + "}",
      w.authorized());
  REQUIRE(answer.status == 201);
  CHECK(w.served(json::parse(answer.body)).settings.filter == filter);
}

TEST_CASE("whoever edits a subscription with what they read of it is told when somebody else was first") {
  world w;
  const auto made = w.made_pull();
  const auto read = w.send("GET", made, nullptr, "");
  CHECK(read.head.find("ETag: \"1\"") != std::string::npos);
  CHECK(w.send("PATCH", made, {{"name", "a"}}, "If-Match: \"1\"\r\n").status == 200);
  CHECK(w.send("PATCH", made, {{"name", "b"}}, "If-Match: \"1\"\r\n").status == 409);
  CHECK(w.send("PATCH", made, {{"name", "b"}}, "If-Match: *\r\n").status == 400);
  CHECK(w.send("DELETE", made, nullptr, "If-Match: \"1\"\r\n").status == 409);
  CHECK(w.send("DELETE", made, nullptr, "If-Match: \"2\"\r\n").status == 200);
}

TEST_CASE("an address that leads inside is refused in every spelling when a subscription is made") {
  world w;
  const auto status = [&](const std::string& url) {
    return w.ask("POST", "/v1/subscriptions", {{"tenant", "acme"}, {"name", "x"}, {"url", url}}).status;
  };
  for (const std::string url : {"http://10.0.0.1/",
                                "http://192.168.1.1/",
                                "http://172.16.0.1/",
                                "http://169.254.169.254/latest",
                                "http://0.0.0.0/",
                                "http://100.64.0.1/",
                                "http://167772161/",
                                "http://0xa000001/",
                                "http://012.0.0.1/",
                                "http://10.1/",
                                "http://[::1]/",
                                "http://[::ffff:10.0.0.1]/",
                                "http://[64:ff9b::a00:1]/",
                                "http://[2002:a00:1::]/",
                                "http://[fe80::1]/",
                                "http://[fc00::1]/",
                                "http://224.0.0.1/",
                                "http://255.255.255.255/",
                                "http://192.0.2.1/",
                                "http://198.18.0.1/",
                                "http://[::]/",
                                "http://[::10.0.0.1]/",
                                "http://[64:ff9b:1::8.8.8.8]/",
                                "http://[2001::1]/",
                                "http://[fe80::1%25eth0]/",
                                "http://%31%30.0.0.1/",
                                "http://\xef\xbc\x91\xef\xbc\x90.0.0.1/",
                                "http://10.0.0.1./",
                                "https://user:pass@hooks.example.com/",
                                "ftp://hooks.example.com/",
                                "file:///etc/passwd",
                                "//x/",
                                "x",
                                "http://",
                                "http://hooks.example.com/#part",
                                "http://hooks.example.com:99999/",
                                "http://a b/"}) {
    INFO(url);
    CHECK(status(url) == 422);
  }
  const auto told =
      w.ask("POST", "/v1/subscriptions", {{"tenant", "acme"}, {"name", "x"}, {"url", "http://0xa000001/"}})
          .document.dump();
  CHECK(told.find("0xa000001") != std::string::npos);
  CHECK(told.find("is not a public address; allowed_networks can allow it") != std::string::npos);
  CHECK(status("https://hooks.example.com/sluice") == 201);
  const auto made = w.made_push();
  CHECK(w.patch(made, {{"url", "http://10.0.0.1/"}}).status == 422);
  CHECK(w.patch(made, {{"url", ""}}).status == 422);
}

TEST_CASE("what is wrong with a subscription is said, all at once, and nothing is made") {
  world w;
  const auto refused = [&](json wanted) {
    wanted.emplace("tenant", "acme");
    return w.ask("POST", "/v1/subscriptions", wanted);
  };
  const json good{{"name", "a"}, {"url", "https://hooks.example.com/"}};
  const auto with = [&](const char* member, const json& value) {
    auto body = good;
    body[member] = value;
    return body;
  };
  const std::vector<json> wrong{
      json::object(),
      {{"name", "a"}},
      {{"url", "https://hooks.example.com/"}},
      with("name", ""),
      with("name", std::string(129, 'n')),
      with("name", "two\nlines"),
      with("mode", "both"),
      with("event_types", json::array()),
      with("event_types", {"a b"}),
      with("event_types", {"*.updated"}),
      with("filter", "text"),
      with("filter", {{"nonsense", 1}}),
      with("ordered_by", "no-pointer"),
      with("headers", {{{"name", "X"}}}),
      with("headers", {{{"name", "Webhook-Id"}, {"value", "1"}}}),
      with("headers", {{{"name", "X"}, {"value", "a"}}, {{"name", "x"}, {"value", "b"}}}),
      with("headers", {{{"name", "X"}, {"value", "a\r\nb: c"}}}),
      with("headers", {{{"name", "X"}, {"value", "********"}}}),
      with("headers", {{{"name", "X"}, {"value", "a"}, {"hidden", true}}}),
      with("signing", "md5"),
      with("access_accepted", "yes"),
      with("surely_unknown", 1),
      {{"name", "a"}, {"mode", "pull"}, {"url", "https://hooks.example.com/"}},
      {{"name", "a"}, {"mode", "pull"}, {"ordered_by", "/id"}},
      {{"name", "a"}, {"mode", "pull"}, {"signing", "ed25519"}}};
  for (const auto& body : wrong) {
    INFO(body.dump());
    CHECK(refused(body).status == 422);
  }
  const auto both = refused({{"name", ""}, {"url", "http://10.0.0.1/"}}).document;
  CHECK(both.at("faults").size() == 2);
  CHECK(refused(with("tenant", "nobody")).status == 404);
  CHECK(w.ask("POST", "/v1/subscriptions", good).status == 422); // whose it is, is missing
  CHECK(w.ask("GET", "/v1/subscriptions").document.at("subscriptions").empty());
  CHECK(refused(good).status == 201);
  CHECK(refused(good).status == 409); // its name is taken
}

TEST_CASE("a subscription is paused, resumed, disabled and enabled, and each act is in the audit") {
  world w;
  const auto one = w.made_push();
  const auto act = [&](const std::string& name) {
    return w.ask("POST", w.path_of(one, "/" + name), {{"reason", "a look"}, {"by", "ann"}});
  };
  CHECK(act("resume").status == 200); // it is active already
  CHECK(act("pause").document.at("status") == "paused");
  CHECK(act("enable").status == 409);
  CHECK(act("resume").document.at("status") == "active");
  const auto disabled = act("disable").document;
  CHECK(disabled.at("status") == "disabled");
  CHECK(disabled.at("cause") == "person");
  CHECK(disabled.at("status_reason") == "a look");
  CHECK(act("pause").status == 409);
  CHECK(act("resume").status == 409);
  CHECK(act("enable").document.at("cause").is_null());
  std::string acts;
  const auto audit = w.ask("GET", "/v1/audit?subject=" + one.at("id").get<std::string>()).document;
  for (const auto& entry : audit.at("entries")) {
    acts += entry.at("act").get<std::string>() + " ";
    CHECK(entry.at("tenant") == "acme");
  }
  CHECK(acts
        == "enable_subscription disable_subscription resume_subscription pause_subscription "
           "make_subscription ");
  CHECK(w.ask("GET", "/v1/audit?act=pause_subscription").document.at("entries")[0].at("by") == "ann");
  CHECK(w.ask("GET", "/v1/audit?until=2001-01-01T00:00:00Z").document.at("entries").empty());
  CHECK(w.ask("GET", "/v1/audit?from=yesterday").status == 422);
}

TEST_CASE("viewers look at subscriptions, operators act on them, admins make and change them") {
  world w;
  const auto one = w.made_pull();
  const auto as = [&](const std::string& role) { return w.token({{"name", role}, {"role", role}}); };
  const auto viewer = as("viewer");
  const auto operating = as("operator");
  const auto intake = as("intake");
  const auto status = [&](const std::string& token, const std::string& method, const std::string& rest = "",
                          const json& body = nullptr) {
    return w.ask_as(token, method, w.path_of(one, rest), body).status;
  };
  CHECK(status(viewer, "GET") == 200);
  CHECK(status(viewer, "GET", "/deliveries") == 200);
  CHECK(status(viewer, "GET", "/events") == 403); // reading them is remembered
  CHECK(status(viewer, "POST", "/pause", json::object()) == 403);
  CHECK(status(operating, "POST", "/pause", json::object()) == 200);
  CHECK(status(operating, "POST", "/resume", json::object()) == 200);
  CHECK(status(operating, "PATCH", "", {{"name", "x"}}) == 403);
  CHECK(status(operating, "POST", "/rotate", json::object()) == 403);
  CHECK(status(operating, "DELETE") == 403);
  CHECK(status(intake, "GET") == 403);
  CHECK(w.ask("POST", "/v1/tokens/operator/revoke", json::object()).status == 200);
  CHECK(status(operating, "GET") == 401);
  CHECK(status(operating, "POST", "/pause", json::object()) == 401);
}

} // namespace
} // namespace sluice::app
