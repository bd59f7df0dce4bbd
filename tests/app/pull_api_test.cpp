#include "storage/events.hpp"
#include "tests/app/subscription_world.hpp"

#include <algorithm>
#include <string>
#include <thread>

namespace sluice::app {
namespace {

using tests::json;
using tests::subscription_world;

/// A pull subscription with some events.
struct pull_world : subscription_world {
  explicit pull_world(std::size_t events = 5) : reader(made_pull()) {
    for (std::size_t i = 0; i < events; ++i)
      publish("orders.paid", std::to_string(i));
    (void)deliveries(reader, events);
  }

  [[nodiscard]] json page(const std::string& query = "") const {
    const auto answer = ask("GET", path_of(reader, "/events" + query));
    INFO(answer.document.dump());
    REQUIRE(answer.status == 200);
    return answer.document;
  }

  [[nodiscard]] api::client::answer move(const json& from, const json& to) const {
    return ask("POST", path_of(reader, "/cursor"), {{"from", from}, {"to", to}});
  }

  [[nodiscard]] json cursor() const { return ask("GET", path_of(reader)).document.at("cursor"); }

  json reader;
};

TEST_CASE("a reader takes its events page by page, and what its cursor passes is delivered") {
  pull_world w;
  const auto start = w.cursor();
  const auto first = w.page("?limit=2");
  REQUIRE(first.at("events").size() == 2);
  CHECK(first.at("events")[0].at("body") == 0);
  CHECK(first.at("through") == false);
  const auto second = w.page("?limit=10&after=" + first.at("next").dump());
  REQUIRE(second.at("events").size() == 3);
  CHECK(second.at("events")[0].at("body") == 2);
  CHECK(second.at("through") == true);
  CHECK(w.page("?after=" + second.at("next").dump()).at("events").empty());
  CHECK(w.page().at("events").size() == 5); // the cursor has not moved
  const auto moved = w.move(start, first.at("next"));
  CHECK(moved.status == 200);
  CHECK(moved.document.at("covered") == 2);
  CHECK(w.cursor() == first.at("next"));
  CHECK(w.page().at("events").size() == 3); // from the cursor on
  CHECK(w.ask("GET", w.path_of(w.reader, "/deliveries?state=delivered")).document.at("deliveries").size()
        == 2);
  CHECK(w.ask("GET", w.path_of(w.reader, "/deliveries?state=pending")).document.at("deliveries").size() == 3);
}

TEST_CASE("a cursor moves from where it is, forward, and no further than was read") {
  pull_world w;
  const auto start = w.cursor();
  const auto beyond = w.move(start, start.get<std::int64_t>() + 5);
  CHECK(beyond.status == 409); // nothing was read yet
  CHECK(beyond.document.at("cursor") == start);
  const auto read = w.page("?limit=3").at("next");
  CHECK(w.move(start, read.get<std::int64_t>() + 1).status == 409);
  CHECK(w.move(start, read).status == 200);
  const auto stale = w.move(start, read);
  CHECK(stale.status == 409);
  CHECK(stale.document.at("cursor") == read);
  CHECK(w.move(read, start).status == 409);
  CHECK(w.cursor() == read);
  CHECK(w.move(read, read).status == 200);
  for (const auto& wrong : {json{{"from", read}}, json{{"from", "1"}, {"to", 2}},
                            json{{"from", -1}, {"to", 2}}, json{{"from", 1}, {"to", 2}, {"by", 3}}})
    CHECK(w.ask("POST", w.path_of(w.reader, "/cursor"), wrong).status == 422);
}

TEST_CASE("of two readers that move one cursor at once, one is told where it is now") {
  pull_world w;
  const auto start = w.cursor();
  const auto read = w.page().at("next");
  const auto body = json{{"from", start}, {"to", read}}.dump();
  std::vector<int> statuses(8);
  std::vector<std::thread> readers;
  for (auto& status : statuses)
    readers.emplace_back([&] {
      const auto path = w.path_of(w.reader, "/cursor");
      status = tests::http_client{w.port()}.send("POST", path, body, w.authorized()).status;
    });
  for (auto& each : readers)
    each.join();
  CHECK(std::ranges::count(statuses, 200) == 1);
  CHECK(std::ranges::count(statuses, 409) == 7);
}

TEST_CASE("what is retained no more is gone, and the earliest cursor is named") {
  pull_world w;
  {
    auto db = open_session(w.context, storage::access::write).value();
    const auto pruned = storage::transact(db, [](storage::session& open) {
      return storage::prune_events(open, wall_now() + std::chrono::hours{1}, 1000, wall_now());
    });
    REQUIRE(pruned.value().rows > 0);
  }
  const auto gone = w.ask("GET", w.path_of(w.reader, "/events"));
  CHECK(gone.status == 410);
  const auto earliest = gone.document.at("earliest");
  CHECK(w.page("?after=" + earliest.dump()).at("events").empty());
}

TEST_CASE("events are read of a pull subscription that is active, and of no other") {
  pull_world w{1};
  const auto hook = w.made_push();
  CHECK(w.ask("GET", w.path_of(hook, "/events")).status == 409);
  CHECK(w.ask("POST", w.path_of(hook, "/cursor"), {{"from", 0}, {"to", 0}}).status == 409);
  CHECK(w.ask("GET", w.path_of(w.reader, "/events?after=-1")).status == 422);
  CHECK(w.ask("GET", w.path_of(w.reader, "/events?limit=0")).status == 422);
  REQUIRE(w.ask("POST", w.path_of(w.reader, "/pause"), json::object()).status == 200);
  CHECK(w.ask("GET", w.path_of(w.reader, "/events")).status == 409);
}

} // namespace
} // namespace sluice::app
