#include "api/intake.hpp"
#include "harness/mocks.hpp"
#include "messages/fault.hpp"
#include "tests/harness/adapter/catch_world.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <chrono>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sluice::api {
namespace {

namespace m = messages;
using kind = body_piece::kind;
using json = nlohmann::ordered_json;

const std::string two_lines = "{\"id\":\"a\",\"record\":{}}\n{\"id\":\"b\",\"record\":{}}\n";

/// A post whose body the test hands out. Outlives the world, where it is answered at the latest.
struct client {
  std::vector<body_source::taker> wishes;
  std::optional<response> told;

  [[nodiscard]] bool is_read() const { return !wishes.empty(); }

  void send(body_piece piece) {
    REQUIRE(is_read());
    auto take = std::move(wishes.back());
    wishes.pop_back();
    take(std::move(piece));
  }

  [[nodiscard]] json report() const { return json::parse(told.value().body); }
};

struct intake_world : tests::catch_world {
  intake_world() : catch_world({.node = false}), recorder(mock<m::recorder>("recorder")) {
    recorder.on<m::record_changes>([](const m::record_changes& ask) {
      return m::changes_recorded{{.inserted = std::ssize(ask.changes)}};
    });
    config::intake_settings settings;
    settings.batch_records_max = 2;
    settings.streams_max = 3;
    intake = spawn("intake", api::intake,
                   intake_resources{recorder.actor(), settings, 1000, std::chrono::seconds{1}});
  }

  void post(client& by, const std::string& domain = "customers") {
    request asked;
    asked.stream = std::make_shared<body_source>(
        [&by](body_source::taker take) { by.wishes.push_back(std::move(take)); });
    const responder answer{[&by](response given) { by.told = std::move(given); }};
    inject(take_post{{core::connection_id{1}, domain, false, false}, asked, answer}).to(intake);
    expect<take_post>().to(intake);
  }

  void send(client& by, body_piece piece) {
    by.send(std::move(piece));
    expect<body_came>().to(intake);
  }

  void store(const std::string& domain = "customers") {
    expect<m::record_changes>()
        .from(intake)
        .where([domain](const m::record_changes& ask) { return ask.domain == domain; })
        .to(recorder);
    expect<m::changes_recorded>().from(recorder).to(intake);
  }

  harness::mock_recorder recorder;
  intake_actor intake;
};

TEST_CASE("a post is read on while its batch is stored, and no further than the next one") {
  client by;
  intake_world w;
  w.post(by);
  w.send(by, {kind::bytes, two_lines});
  CHECK(w.pending_messages().size() == 1);
  w.send(by, {kind::bytes, two_lines + two_lines});
  CHECK_FALSE(by.is_read());
  CHECK(w.pending_messages().size() == 1);
  w.store();
  CHECK_FALSE(by.is_read()); // the third batch lay in the same piece
  w.store();
  CHECK(by.is_read());
  w.store();
  w.send(by, {kind::end, {}});
  CHECK(by.report().at("stored") == 6);
}

TEST_CASE("of all posts two batches are stored at once, in turn") {
  client first;
  client second;
  client third;
  intake_world w;
  w.post(first, "first");
  w.post(second, "second");
  w.post(third, "third");
  w.send(first, {kind::bytes, two_lines + two_lines});
  w.send(second, {kind::bytes, two_lines});
  w.send(third, {kind::bytes, two_lines});
  CHECK(w.pending_messages().size() == 2);
  w.store("first");
  CHECK(w.pending_messages().size() == 2);
  w.store("second");
  w.store("third");
  w.store("first");
}

TEST_CASE("one post more than allowed is told so") {
  client those[3];
  client more;
  client again;
  intake_world w;
  for (auto& each : those)
    w.post(each);
  w.post(more);
  REQUIRE(more.told);
  CHECK(more.told->status == 503);
  w.send(those[0], {kind::end, {}});
  w.post(again);
  CHECK_FALSE(again.told);
}

TEST_CASE("a batch that cannot be stored ends its post with the reason, and what was stored is told") {
  client by;
  intake_world w;
  w.post(by);
  w.send(by, {kind::bytes, two_lines});
  w.store();
  w.recorder.on<m::record_changes>([](const m::record_changes&) -> caf::result<m::changes_recorded> {
    return caf::make_error(m::fault::database_unavailable, std::string{"the database is away"});
  });
  w.send(by, {kind::bytes, two_lines});
  w.settle();
  REQUIRE(by.told);
  CHECK(by.told->status == 503);
  CHECK(by.report().at("detail") == "the database is away");
  CHECK(by.report().at("through_line") == 2);
}

TEST_CASE("a piece that comes after a post has ended is dropped") {
  client by;
  intake_world w;
  w.post(by);
  w.send(by, {kind::cut, "the body ended before its end"});
  CHECK(by.told.value().status == 400);
  w.inject(body_came{1, {kind::bytes, two_lines}}).to(w.intake);
  w.settle();
}

} // namespace
} // namespace sluice::api
