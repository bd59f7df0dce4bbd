#include "tests/app/node_world.hpp"

#include <chrono>
#include <deque>
#include <functional>
#include <optional>
#include <string>

namespace sluice::app {
namespace {

using tests::http_client;
using tests::json;
using tests::node_world;

constexpr const char* to_shop = "/v1/connections/shop/records/customers";

std::string line(const std::string& id, const std::string& name = "x") {
  return R"({"id":")" + id + R"(","record":{"id":")" + id + R"(","name":")" + name + "\"}}\n";
}

std::string chunk(const std::string& text) {
  constexpr std::size_t digits = 4;
  std::string size(digits, '0');
  auto left = text.size();
  for (auto at = digits; at > 0; left /= 16)
    size[--at] = "0123456789abcdef"[left % 16];
  return size + "\r\n" + text + "\r\n";
}

struct intake_world : node_world {
  explicit intake_world(const std::function<void(config::settings&)>& change = [](auto&) {})
      : node_world({}, [&](config::settings& settings) {
          settings.intake.batch_records_max = 2;
          change(settings);
        }) {}

  [[nodiscard]] std::string headers() const {
    return "Authorization: Bearer " + context.settings.api.token
           + "\r\nContent-Type: application/x-ndjson\r\n";
  }

  [[nodiscard]] std::string head(const std::string& query = "") const {
    return "POST " + std::string{to_shop} + query + " HTTP/1.1\r\nHost: x\r\n" + headers()
           + "Transfer-Encoding: chunked\r\n\r\n";
  }

  json post(const std::string& lines, int status = 200, const std::string& query = "",
            const std::string& to = to_shop) const {
    http_client client{port()};
    const auto answer = client.send("POST", to + query, lines, headers());
    INFO(answer.body);
    CHECK(answer.status == status);
    return json::parse(answer.body);
  }

  [[nodiscard]] std::optional<core::mirror_record> record(const std::string& id) const {
    auto db = open_session(context, storage::access::read).value();
    const auto shop = storage::find_connection(db, "shop").value().value();
    return storage::find_record(db, shop.id, "customers", id).value();
  }

  [[nodiscard]] std::int64_t live_records() const {
    auto db = open_session(context, storage::access::read).value();
    const auto shop = storage::find_connection(db, "shop").value().value();
    return storage::count_records(db, shop.id, "customers").value();
  }
};

TEST_CASE("posted records are stored, delivered, and withdrawn once their source deleted them") {
  intake_world w;
  const auto report = w.post(line("c1") + line("c2") + line("c3"));
  CHECK(report.at("stored") == 3);
  CHECK(report.at("inserted") == 3);
  CHECK(report.at("through_line") == 3);
  w.wait_for("delivered", 3);
  const auto deleted = w.post(R"({"id":"c2","deleted":true})");
  CHECK(deleted.at("deleted") == 1);
  w.wait_for("withdrawn", 1);
  CHECK(w.post(line("c1") + line("c3")).at("unchanged") == 2);
}

TEST_CASE("a record is kept byte for byte") {
  intake_world w;
  w.post(R"({"id":7.0,"record":{"id" : "a","n":12345678901234567890.10, "t":"é\u00e9"}})");
  CHECK(w.record("7.0").value().payload == R"({"id" : "a","n":12345678901234567890.10, "t":"é\u00e9"})");
}

TEST_CASE("of a record that a batch names twice the last line counts") {
  intake_world w;
  const auto report = w.post(line("c1", "first") + line("c1", "second"));
  CHECK(report.at("stored") == 2);
  CHECK(report.at("repeated") == 1);
  CHECK(w.record("c1").value().payload == R"({"id":"c1","name":"second"})");
}

TEST_CASE("a batch with one bad line is not stored, the batches before it are, those behind it never") {
  intake_world w;
  const auto refused = w.post(line("c1") + line("c2") + "nonsense\n" + line("c3") + line("c4"), 422);
  CHECK(refused.at("stored") == 2);
  CHECK(refused.at("through_line") == 2);
  CHECK(refused.at("refused_lines")[0].at("line") == 3);
  CHECK(w.live_records() == 2);
  const auto skipped =
      w.post(line("c1") + line("c2") + "nonsense\n" + line("c3") + line("c4"), 200, "?skip_invalid=true");
  CHECK(skipped.at("stored") == 4);
  CHECK(skipped.at("refused") == 1);
  CHECK(w.live_records() == 4);
}

TEST_CASE("progress is told as batches are stored, while the body still comes") {
  intake_world w;
  http_client client{w.port()};
  REQUIRE(client.write(w.head("?progress=true") + chunk(line("c1") + line("c2") + line("c3"))));
  CHECK_FALSE(client.receive_until("{\"stored\":2,\"through_line\":2}\n").empty());
  CHECK(w.live_records() == 2);
  REQUIRE(client.write(chunk(line("c4")) + "0\r\n\r\n"));
  CHECK_FALSE(client.receive_until("{\"stored\":4,\"through_line\":4}\n").empty());
  CHECK_FALSE(client.receive_until("\"inserted\":4").empty());
  CHECK_FALSE(client.receive_until("0\r\n\r\n").empty());
}

TEST_CASE("of a stream that is cut what was acknowledged is stored and the rest is not") {
  intake_world w;
  http_client client{w.port()};
  REQUIRE(client.write(w.head("?progress=true") + chunk(line("c1") + line("c2") + line("c3"))));
  CHECK_FALSE(client.receive_until("\"stored\":2").empty());
  client.end_writing();
  const auto last = client.receive_until("0\r\n\r\n");
  CHECK(last.find("\"status\":400") != std::string::npos);
  CHECK(last.find("\"through_line\":2") != std::string::npos);
  CHECK(w.live_records() == 2);
}

TEST_CASE("half a stream and then silence is ended in the idle time") {
  intake_world w{[](auto& settings) { settings.api.stream_idle_timeout = std::chrono::milliseconds{50}; }};
  http_client client{w.port()};
  REQUIRE(client.write(w.head() + chunk(line("c1"))));
  CHECK(client.ended());
  CHECK(w.live_records() == 0);
}

TEST_CASE("a document is a batch of its own") {
  intake_world w;
  http_client client{w.port()};
  const auto send = [&](const std::string& body) {
    return client.send("POST", to_shop, body, w.authorized());
  };
  const auto answer =
      send(R"({"records":[{"id":"c1","record":{"id":"c1"}},{"id":"c2","record":{"id":"c2"}}]})");
  CHECK(answer.status == 200);
  CHECK(json::parse(answer.body).at("inserted") == 2);
  CHECK(send(R"({"records":[{"id":"c3","record":{"id":"c3"}},7]})").status == 422);
  CHECK(send(R"({"records":[{},{},{}]})").status == 422);
  CHECK(send(R"({"more":[]})").status == 422);
  CHECK(send("[]").status == 400);
  CHECK(send("{\"records\":" + std::string(1000, '[')).status == 400);
  CHECK(w.live_records() == 2);
}

TEST_CASE("records go into a source's mirror and nowhere else") {
  intake_world w;
  CHECK(w.post(line("c1"), 404, "", "/v1/connections/nobody/records/customers").at("type")
        == "urn:sluice:problem:not_found");
  CHECK(w.post(line("c1"), 409, "", "/v1/connections/crm/records/customers").at("type")
        == "urn:sluice:problem:conflict");
  CHECK(w.post(line("c1"), 422, "?skip_invalid=perhaps").at("member") == "skip_invalid");
  CHECK(w.post(line("c1"), 422, "", "/v1/connections/shop/records/" + std::string(201, 'd')).at("member")
        == "domain");
}

TEST_CASE("a body that is too long, of another type or nested too deep is refused and nothing of it stored") {
  intake_world w{[](auto& settings) {
    settings.api.body_bytes_max = 1024;
    settings.intake.line_bytes_max = 1000;
  }};
  const auto send = [&](const std::string& type, const std::string& body) {
    http_client client{w.port()};
    return client
        .send("POST", to_shop, body,
              "Authorization: Bearer " + w.context.settings.api.token + "\r\nContent-Type: " + type + "\r\n")
        .status;
  };
  const auto name = std::string(1025, 'x');
  CHECK(send("application/json", R"({"records":[{"id":"c1","record":{"name":")" + name + "\"}}]}") == 413);
  CHECK(send("text/csv", "id\nc1\n") == 415);
  CHECK(send("application/json", line("c1")) == 422);
  CHECK(w.post(line("c1", name), 422).at("refused_lines")[0].at("reason")
        == "the line is longer than 1000 bytes");
  const auto deep = R"({"id":"c1","record":{"d":)" + std::string(100, '[') + std::string(100, ']') + "}}\n";
  CHECK(w.post(deep, 422).at("refused_lines")[0].at("line") == 1);
  CHECK(w.live_records() == 0);
}

TEST_CASE("an intake token posts to its tenants' sources, to no other's, and does nothing else") {
  intake_world w;
  const json wanted{{"name", "feed"}, {"role", "intake"}, {"tenants", json::array({"acme"})}};
  const auto mine = w.ask("POST", "/v1/tokens", wanted).document.at("token").get<std::string>();
  const json others{{"name", "theirs"}, {"role", "intake"}, {"tenants", json::array({"globex"})}};
  REQUIRE(
      apply(w.context, {.file = w.folder.file("globex.toml", w.configuration("globex", "g-")), .yes = true})
      == exit_ok);
  const auto theirs = w.ask("POST", "/v1/tokens", others).document.at("token").get<std::string>();
  const auto send = [&](const std::string& token) {
    http_client client{w.port()};
    return client.send("POST", to_shop, line("c1"),
                       "Authorization: Bearer " + token + "\r\nContent-Type: application/x-ndjson\r\n");
  };
  const auto unseen = send(theirs);
  CHECK(unseen.status == 404);
  CHECK(json::parse(unseen.body).at("type") == "urn:sluice:problem:not_found");
  CHECK(w.live_records() == 0);
  CHECK(send(mine).status == 200);
  CHECK(w.ask_as(mine, "GET", "/v1/status").status == 403);
}

TEST_CASE("one post more than allowed is told to come again") {
  intake_world w{[](auto& settings) { settings.intake.streams_max = 1; }};
  http_client first{w.port()};
  REQUIRE(first.write(w.head("?progress=true") + chunk(line("c1") + line("c2"))));
  CHECK_FALSE(first.receive_until("\"stored\":2").empty());
  w.post(line("c3"), 503);
  REQUIRE(first.write("0\r\n\r\n"));
  CHECK_FALSE(first.receive_until("0\r\n\r\n").empty());
  w.post(line("c3"));
}

TEST_CASE("posts at once all come through") {
  intake_world w;
  std::deque<http_client> clients;
  for (auto i = 0; i < 8; ++i) {
    clients.emplace_back(w.port());
    REQUIRE(clients.back().write(w.head()));
  }
  for (auto part = 0; part < 5; ++part) {
    for (std::size_t i = 0; i < clients.size(); ++i)
      REQUIRE(clients[i].write(chunk(line(std::to_string(i) + "-" + std::to_string(part)))));
  }
  for (auto& client : clients) {
    REQUIRE(client.write("0\r\n\r\n"));
    CHECK(json::parse(client.receive().body).at("stored") == 5);
  }
  CHECK(w.live_records() == 40);
}

TEST_CASE("a node that ends ends its posts at once, at what is stored") {
  intake_world w;
  http_client client{w.port()};
  REQUIRE(client.write(w.head("?progress=true") + chunk(line("c1") + line("c2") + line("c3"))));
  CHECK_FALSE(client.receive_until("\"stored\":2").empty());
  const auto began = std::chrono::steady_clock::now();
  CHECK(w.node->stop());
  w.node.reset();
  CHECK(std::chrono::steady_clock::now() - began < std::chrono::seconds{5});
  const auto last = client.receive_until("0\r\n\r\n");
  CHECK(last.find("\"status\":503") != std::string::npos);
  CHECK(last.find("\"through_line\":2") != std::string::npos);
  CHECK(w.live_records() == 2);
}

} // namespace
} // namespace sluice::app
