#include "core/change_event.hpp"
#include "tests/app/subscription_world.hpp"

#include <set>
#include <string>
#include <thread>

namespace sluice::app {
namespace {

using tests::json;
using tests::subscription_world;

TEST_CASE("an event's body goes on byte for byte, whatever JSON it is") {
  subscription_world w;
  const auto reader = w.made_pull();
  const std::vector<std::string> bodies{
      R"({"total":1234567890123456789012345678901234567890, "rate":1.10, "e":1E400})",
      R"({"a":1,"a":2})",
      " {\n\t\"b\" : [ 1 ,2 ] }  ",
      R"("Gr\u00fc\u00dfe und gr\u00fc\u00dfe 😀")",
      "-0.0",
      "null"};
  for (const auto& body : bodies)
    w.publish("orders.paid", body);
  (void)w.deliveries(reader, bodies.size());
  const auto text = w.get_text(w.path_of(reader, "/events"));
  for (const auto& body : bodies) {
    INFO(body);
    CHECK(text.find("\"body\":" + body + "}") != std::string::npos);
  }
  std::size_t events = 0; // by hand: 1E400 is more than a parser's double holds
  for (auto at = text.find("\"body\":"); at != std::string::npos; at = text.find("\"body\":", at + 1))
    ++events;
  CHECK(events == bodies.size());
}

TEST_CASE("an event has up to 256 KiB, and one byte more is too many") {
  subscription_world w;
  const auto of_size = [](std::size_t bytes) { return '"' + std::string(bytes - 2, 'x') + '"'; };
  const std::string query = "?tenant=acme&type=files.grown";
  CHECK(w.post_event(query, of_size(core::published_body_bytes_max)).status == 201);
  const auto more = w.post_event(query, of_size(core::published_body_bytes_max + 1));
  CHECK(more.status == 413);
  CHECK(json::parse(more.body).at("detail").get<std::string>().find("262144") != std::string::npos);
  CHECK(w.ask("GET", "/v1/events").document.at("events").size() == 1);
}

TEST_CASE("an event that cannot be told is refused with the reason, and none is made") {
  subscription_world w;
  const std::string query = "?tenant=acme&type=orders.paid";
  for (const std::string body :
       {"", "{", "{}{}", "nonsense", "{\"a\":\"\\u0000\"}", "\"\xff\"", "NaN", "[1,]"}) {
    INFO(body);
    CHECK(w.post_event(query, body).status == 400);
  }
  CHECK(w.post_event(query, std::string(100, '[') + std::string(100, ']')).status == 400);
  for (const std::string type : {"", "a%20b", ".a", "a..b", "orders.*", "*", "a/b"}) {
    INFO(type);
    CHECK(w.post_event("?tenant=acme&type=" + type, "{}").status == 422);
  }
  CHECK(w.post_event("?tenant=acme", "{}").status == 422);
  CHECK(w.post_event("?tenant=acme&type=" + std::string(129, 't'), "{}").status == 422);
  CHECK(w.post_event("?tenant=nobody&type=orders.paid", "{}").status == 404);
  CHECK(w.post_event("?type=orders.paid", "{}").status == 422);
  CHECK(
      tests::http_client{w.port()}
          .send("POST", "/v1/events" + query, "{}",
                "Authorization: Bearer " + w.context.settings.api.token + "\r\nContent-Type: text/plain\r\n")
          .status
      == 415);
  CHECK(w.ask("GET", "/v1/events").document.at("events").empty());
}

TEST_CASE("fifty publishes at once with one key are one event, and all are told its id") {
  subscription_world w;
  const auto reader = w.made_pull();
  std::vector<tests::http_client::answer> answers(50);
  std::vector<std::thread> publishers;
  for (auto& answer : answers)
    publishers.emplace_back([&w, &answer] {
      answer = w.post_event("?tenant=acme&type=orders.paid", R"({"order":1})", "Idempotency-Key: one\r\n");
    });
  for (auto& publisher : publishers)
    publisher.join();
  std::set<std::string> ids;
  auto made = 0;
  for (const auto& answer : answers) {
    INFO(answer.body);
    REQUIRE((answer.status == 201 || answer.status == 200));
    const auto told = json::parse(answer.body);
    CHECK(told.at("repeated") == (answer.status == 200));
    ids.insert(told.at("id").get<std::string>());
    made += answer.status == 201 ? 1 : 0;
  }
  CHECK(made == 1);
  CHECK(ids.size() == 1);
  CHECK(w.ask("GET", "/v1/events").document.at("events").size() == 1);
  CHECK(w.deliveries(reader, 1)[0].at("event") == *ids.begin());
}

TEST_CASE("a key stands for one event of its tenant") {
  subscription_world w;
  REQUIRE(w.ask("PUT", "/v1/tenants/globex", json::object()).status == 201);
  const auto status = [&](const std::string& query, const std::string& body, const std::string& key = "one") {
    return w.post_event(query, body, "Idempotency-Key: " + key + "\r\n").status;
  };
  CHECK(status("?tenant=acme&type=a.b", "{}") == 201);
  CHECK(status("?tenant=acme&type=a.b", "{}") == 200);
  CHECK(status("?tenant=acme&type=a.b", "{ }") == 422);
  CHECK(status("?tenant=acme&type=a.c", "{}") == 422);
  CHECK(status("?tenant=globex&type=a.b", "{}") == 201);
  CHECK(status("?tenant=acme&type=a.b", "{}", "two") == 201);
  CHECK(status("?tenant=acme&type=a.b", "{}", "with space") == 400);
  CHECK(w.ask("GET", "/v1/events?tenant=acme").document.at("events").size() == 2);
}

TEST_CASE("an application's token publishes for its tenant, and nothing of another's is said to it") {
  subscription_world w;
  REQUIRE(w.ask("PUT", "/v1/tenants/globex", json::object()).status == 201);
  const auto of_acme = w.token({{"name", "shop"}, {"role", "intake"}, {"tenants", {"acme"}}});
  const auto viewer = w.token({{"name", "ann"}, {"role", "viewer"}, {"tenants", {"acme"}}});
  const auto post = [&](const std::string& token, const std::string& query) {
    return w.ask_as(token, "POST", "/v1/events" + query, {{"order", 1}});
  };
  CHECK(post(of_acme, "?type=orders.paid").status == 201);
  CHECK(post(of_acme, "?tenant=acme&type=orders.paid").status == 201);
  const auto theirs = post(of_acme, "?tenant=globex&type=orders.paid");
  const auto nobodys = post(of_acme, "?tenant=nobody&type=orders.paid");
  CHECK(theirs.status == 404);
  CHECK(nobodys.status == 404);
  CHECK(post(viewer, "?type=orders.paid").status == 403);
  CHECK(w.ask_as(of_acme, "GET", "/v1/events").status == 403);
  CHECK(w.post_event("?tenant=globex&type=orders.paid", "{}").status == 201);
  const auto seen = w.ask_as(viewer, "GET", "/v1/events").document.at("events");
  REQUIRE(seen.size() == 2);
  CHECK(seen[0].at("tenant") == "acme");
  CHECK(seen[0].at("kind") == "published");
  CHECK(seen[0].dump().find("order\"") == std::string::npos); // no bodies here
  CHECK(w.ask("POST", "/v1/tokens/shop/revoke", json::object()).status == 200);
  CHECK(post(of_acme, "?type=orders.paid").status == 401);
}

TEST_CASE("events are listed a page at a time, newest first, by type") {
  subscription_world w;
  std::vector<std::string> ids;
  for (auto i = 0; i < 5; ++i)
    ids.push_back(w.publish(i % 2 == 0 ? "orders.paid" : "orders.lost"));
  const auto first = w.ask("GET", "/v1/events?limit=2").document;
  CHECK(first.at("events")[0].at("id") == ids[4]);
  CHECK(first.at("events")[1].at("id") == ids[3]);
  const auto rest =
      w.ask("GET", "/v1/events?limit=3&before=" + first.at("next_before").dump()).document.at("events");
  REQUIRE(rest.size() == 3);
  CHECK(rest[2].at("id") == ids[0]);
  CHECK(w.ask("GET", "/v1/events?type=orders.lost").document.at("events").size() == 2);
  CHECK(w.ask("GET", "/v1/events?limit=1001").status == 422);
  CHECK(w.ask("GET", "/v1/events?before=x").status == 422);
}

TEST_CASE("a record of a source that changes is an event of its own") {
  subscription_world w;
  const auto reader = w.made({{"name", "r"}, {"mode", "pull"}, {"event_types", {"customers.*"}}});
  w.import_records(1);
  const auto delivery = w.deliveries(reader, 1)[0];
  CHECK(delivery.at("type") == "customers.created");
  const auto page = w.ask("GET", w.path_of(reader, "/events")).document;
  CHECK(page.at("events")[0].at("source") == json{{"domain", "customers"}, {"source_id", "c1"}});
  CHECK(page.at("events")[0].at("body").at("data").at("record") == json{{"id", "c1"}});
}

} // namespace
} // namespace sluice::app
