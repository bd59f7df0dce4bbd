#include "storage/pull.hpp"
#include "tests/storage/subscription_world.hpp"

using namespace sluice;
using namespace sluice::tests;
using core::cursor_verdict;
using core::delivery_state;

namespace {

struct pull_world : subscription_world {
  explicit pull_world(storage::engine kind)
      : subscription_world(kind), feed(subscribe("feed", core::subscription_mode::pull)) {}

  storage::result<core::pull_page> read(std::int64_t after, std::int64_t limit = 100,
                                        std::size_t bytes = 1 << 20) {
    core::pull_wish wish;
    wish.subscription = feed.id;
    wish.after = {after};
    wish.limit = limit;
    wish.bytes_max = bytes;
    return storage::transact(db(), [&](storage::session& in) { return storage::read_pull(in, wish); });
  }

  core::pull_advanced advance(std::int64_t from, std::int64_t to, std::int64_t limit = 1000) {
    core::pull_advance wanted;
    wanted.subscription = feed.id;
    wanted.from = {from};
    wanted.to = {to};
    wanted.limit = limit;
    return committed(db(), [&](storage::session& in) { return storage::advance_pull(in, wanted, at(5)); });
  }

  core::subscription feed;
};

std::vector<std::int64_t> positions_in(const core::pull_page& page) {
  std::vector<std::int64_t> found;
  for (const auto& one : page.events)
    found.push_back(one.position.value);
  return found;
}

using list = std::vector<std::int64_t>;

} // namespace

TEST_CASE("a pull reads in the order of positions, by the page, up to where fan-out has come") {
  pull_world w(GENERATE(from_range(engines())));
  w.publish_many(5);
  w.fan_out_to(w.feed);
  w.publish_many(2);
  const auto first = must(w.read(0, 2));
  CHECK(positions_in(first) == list{1, 2});
  CHECK(first.next.value == 2);
  CHECK_FALSE(first.through);
  CHECK(first.events[1].body == R"({"n":1})");
  const auto rest = must(w.read(2));
  CHECK(positions_in(rest) == list{3, 4, 5});
  CHECK(rest.through);
  CHECK(rest.next.value == 5);
  CHECK(must(w.read(5)).events.empty());
  CHECK(positions_in(must(w.read(0, 100, 1))) == list{1});
}

TEST_CASE("what the filter left out is not read, and the cursor passes it all the same") {
  pull_world w(GENERATE(from_range(engines())));
  w.publish_many(3);
  core::fan_out_batch batch{.from = {}, .to = {{3}, {}}, .deliveries = {}};
  batch.deliveries.push_back({w.feed.id, {1}, core::subscription_mode::pull, true, {}});
  batch.deliveries.push_back({w.feed.id, {3}, core::subscription_mode::pull, false, {}});
  w.write(batch);
  const auto page = must(w.read(0));
  CHECK(positions_in(page) == list{1});
  CHECK(page.next.value == 3);
  CHECK(w.advance(0, 3).covered == 1);
  CHECK(w.state(w.feed, 3) == delivery_state::skipped_filter);
}

TEST_CASE("a cursor goes forward only, never past what was offered, and covers what it passes") {
  pull_world w(GENERATE(from_range(engines())));
  w.publish_many(5);
  w.fan_out_to(w.feed);
  CHECK(w.advance(0, 1).verdict == cursor_verdict::beyond);
  must(w.read(0, 3));
  const auto done = w.advance(0, 2);
  CHECK(done.verdict == cursor_verdict::advanced);
  CHECK(done.covered == 2);
  CHECK(done.cursor.value == 2);
  CHECK(w.state(w.feed, 2) == delivery_state::delivered);
  CHECK(w.state(w.feed, 3) == delivery_state::pending);
  const auto stale = w.advance(0, 3);
  CHECK(stale.verdict == cursor_verdict::stale);
  CHECK(stale.cursor.value == 2);
  CHECK(w.advance(2, 1).verdict == cursor_verdict::backward);
  const auto beyond = w.advance(2, 4);
  CHECK(beyond.verdict == cursor_verdict::beyond);
  CHECK(beyond.offered.value == 3);
  CHECK(w.advance(2, 2).verdict == cursor_verdict::advanced);
  CHECK(positions_in(must(w.read(0))) == list{1, 2, 3, 4, 5});
}

TEST_CASE("who reads ahead of what was offered is not offered what lies between") {
  pull_world w(GENERATE(from_range(engines())));
  w.publish_many(5);
  w.fan_out_to(w.feed);
  CHECK(positions_in(must(w.read(3))) == list{4, 5});
  CHECK(w.advance(0, 5).verdict == cursor_verdict::beyond);
  CHECK(must(w.read(1'000'000'000)).events.empty());
  CHECK(w.advance(0, 1).verdict == cursor_verdict::beyond);
}

TEST_CASE("an advance over many deliveries goes on from where it stands") {
  pull_world w(GENERATE(from_range(engines())));
  w.publish_many(5);
  w.fan_out_to(w.feed);
  must(w.read(0));
  auto step = w.advance(0, 5, 2);
  CHECK_FALSE(step.through);
  CHECK(step.cursor.value == 2);
  step = w.advance(2, 5, 2);
  CHECK(step.cursor.value == 4);
  step = w.advance(4, 5, 2);
  CHECK(step.through);
  CHECK(step.cursor.value == 5);
  CHECK(w.value("SELECT count(*) FROM event_deliveries WHERE state = 'delivered'") == "5");
}

TEST_CASE("a cursor older than what is retained is told the earliest, and may go there") {
  pull_world w(GENERATE(from_range(engines())));
  w.publish_many(3, at(1));
  w.fan_out_to(w.feed);
  w.publish_many(2, at(50));
  w.fan_out_to(w.feed);
  for (int calls = 0; calls < 10; ++calls)
    committed(w.db(), [&](storage::session& in) { return storage::prune_events(in, at(10), 100, at(60)); });
  const auto gone = must(w.read(0));
  CHECK(gone.gone);
  CHECK(gone.earliest.value == 3);
  CHECK(w.advance(0, 3).verdict == cursor_verdict::advanced);
  const auto page = must(w.read(3));
  CHECK_FALSE(page.gone);
  CHECK(positions_in(page) == list{4, 5});
}

TEST_CASE("a subscription reads nothing from before it was made") {
  pull_world w(GENERATE(from_range(engines())));
  w.publish_many(3);
  w.fan_out_to(w.feed);
  const auto first = w.feed;
  w.feed = w.subscribe("later", core::subscription_mode::pull);
  w.publish_many(1);
  core::fan_out_batch batch{.from = {{3}, {}}, .to = {{4}, {}}, .deliveries = {}};
  batch.deliveries.push_back({w.feed.id, {4}, core::subscription_mode::pull, true, {}});
  w.write(batch);
  CHECK(w.feed.cursor.value == 3);
  CHECK(positions_in(must(w.read(0))) == list{4});
  CHECK(w.advance(3, 4).covered == 1);
}

TEST_CASE("a paused pull subscription is not read, a push subscription or none is not found") {
  pull_world w(GENERATE(from_range(engines())));
  w.set_status(w.feed, core::subscription_status::active, core::subscription_status::paused);
  CHECK(w.read(0).error().code == storage::error::refused);
  w.feed = w.subscribe("push");
  CHECK(w.read(0).error().code == storage::error::not_found);
  w.feed.id = {999};
  CHECK(w.read(0).error().code == storage::error::not_found);
}
