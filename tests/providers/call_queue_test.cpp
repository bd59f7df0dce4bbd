#include "providers/call_queue.hpp"

#include <catch2/catch.hpp>

#include <map>
#include <random>
#include <string>

using namespace sluice;
using providers::call_queue;
using providers::in_flight_limits;

namespace {

core::outbound_call make_call(std::uint64_t id, std::int64_t rule, std::int64_t connection = 1) {
  core::outbound_call call;
  call.id.value = id;
  call.owner = core::rule_id{rule};
  call.connection.value = connection;
  return call;
}

/// The ids of all calls that may start now, in their order: "1 4 2".
std::string take_all(call_queue& queue) {
  std::string ids;
  while (const auto call = queue.take())
    ids += (ids.empty() ? "" : " ") + std::to_string(call->id.value);
  CHECK_FALSE(queue.can_start());
  return ids;
}

void push_all(call_queue& queue, std::initializer_list<core::outbound_call> calls) {
  for (const auto& call : calls)
    queue.push(call);
}

constexpr in_flight_limits wide{.rule = 100, .subscription = 100, .connection = 100, .total = 100};

} // namespace

TEST_CASE("calls of one rule start in the order they came") {
  call_queue queue(wide);
  push_all(queue, {make_call(1, 1), make_call(2, 1), make_call(3, 1)});
  CHECK(take_all(queue) == "1 2 3");
  CHECK(queue.waiting() == 0);
  CHECK(queue.in_flight() == 3);
}

TEST_CASE("rules take turns, however long one's line is") {
  call_queue queue(wide);
  push_all(queue, {make_call(1, 1), make_call(2, 1), make_call(3, 1), make_call(4, 2), make_call(5, 2),
                   make_call(6, 3)});
  CHECK(take_all(queue) == "1 4 6 2 5 3");
}

TEST_CASE("connections take turns, however many rules one has") {
  call_queue queue(wide);
  push_all(queue, {make_call(1, 1, 1), make_call(2, 2, 1), make_call(3, 3, 1), make_call(4, 4, 2),
                   make_call(5, 4, 2)});
  CHECK(take_all(queue) == "1 4 2 5 3");
}

TEST_CASE("a rule at its limit waits for one of its own calls, and holds up no other") {
  call_queue queue({.rule = 2, .connection = 100, .total = 100});
  push_all(queue, {make_call(1, 1), make_call(2, 1), make_call(3, 1), make_call(4, 2)});
  CHECK(take_all(queue) == "1 4 2");
  queue.finish(core::rule_id{2}, core::connection_id{1});
  CHECK_FALSE(queue.can_start());
  queue.finish(core::rule_id{1}, core::connection_id{1});
  CHECK(take_all(queue) == "3");
}

TEST_CASE(
    "a connection at its limit holds up its own rules alone, and serves them in turn once it has room") {
  call_queue queue({.rule = 100, .connection = 1, .total = 100});
  push_all(queue, {make_call(1, 1, 1), make_call(2, 1, 1), make_call(3, 2, 1), make_call(4, 3, 2)});
  CHECK(take_all(queue) == "1 4");
  queue.finish(core::rule_id{1}, core::connection_id{1});
  CHECK(take_all(queue) == "3");
  queue.finish(core::rule_id{2}, core::connection_id{1});
  CHECK(take_all(queue) == "2");
}

TEST_CASE("the total is a limit across rules and connections") {
  call_queue queue({.rule = 2, .connection = 2, .total = 3});
  push_all(queue, {make_call(1, 1, 1), make_call(2, 1, 1), make_call(3, 2, 2), make_call(4, 2, 2)});
  CHECK(take_all(queue) == "1 3 2");
  queue.finish(core::rule_id{1}, core::connection_id{1});
  CHECK(take_all(queue) == "4");
}

TEST_CASE("limits below one count as one") {
  call_queue queue({.rule = 0, .connection = -1, .total = 0});
  push_all(queue, {make_call(1, 1), make_call(2, 2)});
  CHECK(take_all(queue) == "1");
}

TEST_CASE("a withdrawn rule gives back what waits, in its order, and frees the way for others") {
  call_queue queue({.rule = 1, .connection = 1, .total = 100});
  push_all(queue, {make_call(1, 1), make_call(2, 1), make_call(3, 1), make_call(4, 2)});
  CHECK(take_all(queue) == "1");
  const auto held = queue.withdraw(core::rule_id{1});
  REQUIRE(held.size() == 2);
  CHECK(held[0].id.value == 2);
  CHECK(held[1].id.value == 3);
  CHECK(queue.waiting() == 1);
  queue.finish(core::rule_id{1}, core::connection_id{1});
  CHECK(take_all(queue) == "4");
}

TEST_CASE("a rule withdrawn while its turn is due leaves nothing behind") {
  call_queue queue(wide);
  push_all(queue, {make_call(1, 1), make_call(2, 2)});
  CHECK(queue.withdraw(core::rule_id{1}).size() == 1);
  CHECK(queue.withdraw(core::rule_id{1}).empty());
  CHECK(take_all(queue) == "2");
  queue.push(make_call(3, 1));
  CHECK(take_all(queue) == "3");
}

TEST_CASE("withdrawing the only rule of a connection closes that connection's turn") {
  call_queue queue(wide);
  queue.push(make_call(1, 1));
  CHECK(queue.withdraw(core::rule_id{1}).size() == 1);
  CHECK_FALSE(queue.can_start());
  CHECK_FALSE(queue.take().has_value());
}

TEST_CASE("withdraw_all empties the queue and keeps counting what is in flight") {
  call_queue queue({.rule = 1, .connection = 2, .total = 2});
  push_all(queue, {make_call(1, 1), make_call(2, 1), make_call(3, 2), make_call(4, 3, 2)});
  CHECK(take_all(queue).size() == 3);
  CHECK(queue.withdraw_all().size() == 2);
  CHECK(queue.in_flight() == 2);
  queue.push(make_call(5, 5));
  CHECK_FALSE(queue.can_start());
  queue.finish(core::rule_id{1}, core::connection_id{1});
  CHECK(take_all(queue) == "5");
}

TEST_CASE("whatever the mix, limits and order hold, nothing is lost and nobody starves") {
  const auto seed = GENERATE(1U, 2U, 3U, 4U, 5U, 6U, 7U, 8U);
  std::mt19937 random(seed);
  const auto pick = [&](int below) {
    return static_cast<std::int64_t>(random() % static_cast<unsigned>(below));
  };
  const in_flight_limits limits{.rule = 3, .connection = 5, .total = 11};
  call_queue queue(limits);
  std::map<std::int64_t, std::int32_t> by_rule;
  std::map<std::int64_t, std::int32_t> by_connection;
  std::map<std::int64_t, std::uint64_t> last_of_rule;
  std::vector<std::pair<std::int64_t, std::int64_t>> out;
  std::uint64_t pushed = 0;
  std::uint64_t left = 0;
  for (int step = 0; step < 5000; ++step) {
    const auto rule = pick(12) + 1;
    switch (pick(step < 4000 ? 5 : 3)) {
    case 0:
      if (const auto call = queue.take()) {
        const auto r = call->owner.rule().value;
        const auto c = call->connection.value;
        CHECK(++by_rule[r] <= limits.rule);
        CHECK(++by_connection[c] <= limits.connection);
        CHECK(call->id.value > last_of_rule[r]);
        last_of_rule[r] = call->id.value;
        out.emplace_back(r, c);
      } else { // then there is a reason for each rule that waits
        const bool full = queue.in_flight() == limits.total;
        CHECK((full || queue.waiting() == 0 || !out.empty()));
      }
      break;
    case 1:
      if (!out.empty()) {
        const auto index = static_cast<std::size_t>(pick(static_cast<int>(out.size())));
        const auto [r, c] = out[index];
        out.erase(out.begin() + static_cast<std::ptrdiff_t>(index));
        --by_rule[r];
        --by_connection[c];
        queue.finish(core::rule_id{r}, core::connection_id{c});
        ++left;
      }
      break;
    case 2:
      if (pick(20) == 0)
        left += queue.withdraw(core::rule_id{rule}).size();
      break;
    default:
      queue.push(make_call(++pushed, rule, pick(2) == 0 ? rule % 3 + 1 : 4));
    }
    CHECK(queue.in_flight() == static_cast<std::int32_t>(out.size()));
    CHECK(queue.waiting() + out.size() + left == pushed);
  }
  while (queue.waiting() > 0 || !out.empty()) {
    while (const auto call = queue.take())
      out.emplace_back(call->owner.rule().value, call->connection.value);
    REQUIRE_FALSE(out.empty());
    for (const auto& [r, c] : std::exchange(out, {}))
      queue.finish(core::rule_id{r}, core::connection_id{c});
  }
  CHECK(queue.in_flight() == 0);
}

TEST_CASE("what waits within a stop is taken out, what waits elsewhere stays in its order") {
  call_queue queue(wide);
  push_all(queue, {make_call(1, 1, 1), make_call(2, 2, 2), make_call(3, 1, 1), make_call(4, 3, 1)});

  const auto held = queue.withdraw_within({core::stop_scope::connection, core::connection_id{1}, {}});

  CHECK(held.size() == 3);
  CHECK(queue.waiting() == 1);
  CHECK(take_all(queue) == "2");
}

TEST_CASE("a rule's calls into another connection stay when one of its connections is stopped") {
  call_queue queue(wide);
  push_all(queue, {make_call(1, 1, 1), make_call(2, 1, 2), make_call(3, 1, 1), make_call(4, 1, 2)});

  const auto held = queue.withdraw_within({core::stop_scope::connection, core::connection_id{1}, {}});

  CHECK(held.size() == 2);
  CHECK(take_all(queue) == "2 4");
}

TEST_CASE("a global stop takes out everything, a rule's stop that rule's calls") {
  call_queue queue(wide);
  push_all(queue, {make_call(1, 1), make_call(2, 2), make_call(3, 2)});

  CHECK(queue.withdraw_within({core::stop_scope::rule, {}, core::rule_id{2}}).size() == 2);
  CHECK(queue.withdraw_within({}).size() == 1);
  CHECK(queue.waiting() == 0);
}

namespace {

core::outbound_call make_push(std::uint64_t id, std::int64_t subscription) {
  core::outbound_call call;
  call.id.value = id;
  call.owner = core::subscription_id{subscription};
  return call;
}

} // namespace

TEST_CASE("a subscription takes its turn beside the connections") {
  call_queue queue({.rule = 100, .subscription = 100, .connection = 100, .total = 100});
  push_all(queue,
           {make_call(1, 1, 1), make_call(2, 2, 1), make_push(3, 1), make_push(4, 1), make_push(5, 2)});
  CHECK(take_all(queue) == "1 3 5 2 4");
}

TEST_CASE("a subscription has a limit of its own, and no connection's") {
  call_queue queue({.rule = 1, .subscription = 2, .connection = 1, .total = 100});
  push_all(queue, {make_push(1, 1), make_push(2, 1), make_push(3, 1), make_push(4, 2)});
  CHECK(take_all(queue) == "1 4 2");
  queue.finish(core::subscription_id{1}, {});
  CHECK(take_all(queue) == "3");
}

TEST_CASE("a rule and a subscription of one number are two owners") {
  call_queue queue(wide);
  push_all(queue, {make_call(1, 7), make_push(2, 7)});
  CHECK(queue.withdraw_within({core::stop_scope::profile, {}, {}, {}, {7}}).empty());
  CHECK(queue.withdraw_within({core::stop_scope::subscription, {}, {}, {7}}).size() == 1);
  CHECK(take_all(queue) == "1");
}
