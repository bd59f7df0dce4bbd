#include "core/provider_event_rank.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <numeric>
#include <rapidcheck.h>
#include <set>
#include <vector>

using namespace sluice::core;
using enum provider_event_type;
using namespace std::chrono_literals;

namespace {

const timestamp told_at = from_us(1'767'225'600'000'000); // 2026-01-01

constexpr int event_types = static_cast<int>(other) + 1;

projected_event event_of(provider_event_type type, std::string key, std::optional<timestamp> at = told_at) {
  return {.type = type, .occurred_at = at, .key = std::move(key)};
}

projection projected(const std::vector<projected_event>& events) {
  return std::accumulate(events.begin(), events.end(), projection{}, project);
}

/// One event of each type, each at its own time, and every one of them twice.
std::vector<projected_event> twice(const std::vector<provider_event_type>& types) {
  std::vector<projected_event> made;
  for (const auto type : types)
    for (int time = 0; time < 2; ++time)
      made.push_back(event_of(type, std::string{to_string(type)}, told_at + 1s * static_cast<int>(type)));
  return made;
}

/// Calls `look` with every order of the events, duplicates at whatever place.
template <class Look>
void each_order(const std::vector<projected_event>& events, Look look) {
  std::vector<std::size_t> order;
  for (std::size_t index = 0; index < events.size(); ++index)
    order.push_back(index / 2); // both of a pair are the same: their swap is no new order
  do {
    std::vector<projected_event> ordered;
    for (const auto index : order)
      ordered.push_back(events[2 * index]);
    look(ordered);
  } while (std::ranges::next_permutation(order).found);
}

void check_every_order(const std::vector<provider_event_type>& types, provider_event_type last) {
  std::int64_t orders = 0;
  std::int64_t wrong = 0;
  each_order(twice(types), [&](const std::vector<projected_event>& events) {
    const auto end = projected(events);
    ++orders;
    if (end.state != last || end.event != to_string(last) || end.at != told_at + 1s * static_cast<int>(last))
      ++wrong;
  });
  CAPTURE(orders, to_string(last));
  CHECK(orders > 1);
  CHECK(wrong == 0);
}

rc::Gen<projected_event> any_event() {
  return rc::gen::exec([] {
    const auto type = static_cast<provider_event_type>(*rc::gen::inRange(0, event_types));
    const auto second = *rc::gen::inRange(-1, 4);
    return event_of(type, std::to_string(*rc::gen::inRange(0, 4)),
                    second < 0 ? std::nullopt : std::optional{told_at + 1s * second});
  });
}

} // namespace

TEST_CASE("each channel's events rank by what they say, not by when they come") {
  const auto rises = [](std::vector<provider_event_type> types) {
    return std::ranges::is_sorted(types, std::ranges::less_equal{}, rank_of) && rank_of(types.front()) > 0;
  };
  CHECK(rises({sent, delayed, delivered, soft_bounced, bounced, complained}));
  CHECK(rises({queued, sent, delivered, undelivered}));
  CHECK(rises({queued, sent, delayed, delivered, rejected, undelivered}));
  CHECK(rank_of(other) == 0);
  std::set<std::int32_t> ranks;
  for (int type = 0; type < event_types; ++type)
    CHECK(ranks.insert(rank_of(static_cast<provider_event_type>(type))).second);
}

TEST_CASE("every order of an e-mail's statuses, each told twice, ends in the same state") {
  check_every_order({sent, delayed, delivered, soft_bounced}, soft_bounced);
  check_every_order({sent, delivered, bounced, complained}, complained);
  check_every_order({sent, delayed, soft_bounced, bounced}, bounced);
  check_every_order({sent, delayed, delivered, other}, delivered);
}

TEST_CASE("every order of an SMS's statuses, each told twice, ends in the same state") {
  check_every_order({queued, sent, delivered, undelivered}, undelivered);
  check_every_order({queued, sent, delivered}, delivered);
  check_every_order({queued, sent, rejected}, rejected);
}

TEST_CASE("every order of a push message's statuses, each told twice, ends in the same state") {
  check_every_order({queued, sent, delayed, delivered}, delivered);
  check_every_order({sent, delivered, rejected, undelivered}, undelivered);
}

TEST_CASE("all of an e-mail's six statuses end as complained, whatever the order") {
  std::vector<projected_event> events;
  for (const auto type : {sent, delayed, delivered, soft_bounced, bounced, complained, other})
    events.push_back(event_of(type, std::string{to_string(type)}));
  std::vector<std::size_t> order(events.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::int64_t wrong = 0;
  do {
    projection end;
    for (const auto index : order)
      end = project(end, events[index]);
    wrong += end.state == complained ? 0 : 1;
  } while (std::ranges::next_permutation(order).found);
  CHECK(wrong == 0);
}

TEST_CASE("of two events of one rank the one that happened first counts, and of those at once one of them") {
  const auto early = event_of(delivered, "b", told_at);
  const auto late = event_of(delivered, "a", told_at + 1us);
  const auto untimed = event_of(delivered, "0", std::nullopt);
  CHECK(projected({late, untimed, early}).event == "b");
  CHECK(projected({early, untimed, late}).event == "b");
  CHECK(projected({untimed, late}).event == "a");
  CHECK(projected({event_of(delivered, "d"), event_of(delivered, "c")}).event == "c");
  CHECK(projected({event_of(delivered, "c"), event_of(delivered, "d")}).event == "c");
}

TEST_CASE("what is only kept is projected to nothing") {
  CHECK(projected({event_of(other, "a"), event_of(other, "b")}) == projection{});
  const auto before = projected({event_of(sent, "a")});
  CHECK(project(before, event_of(other, "b")) == before);
}

TEST_CASE("an event never takes a projection down, and tells it nothing the second time") {
  CHECK(rc::check([] {
    const auto events = *rc::gen::container<std::vector<projected_event>>(any_event());
    projection now;
    for (const auto& event : events) {
      const auto next = project(now, event);
      RC_ASSERT(next.rank >= now.rank);
      RC_ASSERT(next.rank >= rank_of(event.type));
      RC_ASSERT(project(next, event) == next);
      RC_ASSERT(next.state.has_value() == (next.rank > 0));
      RC_ASSERT((next == now) == !outranks(event, now));
      now = next;
    }
  }));
}

TEST_CASE("events in any order, repeated or not, project to the same") {
  CHECK(rc::check([] {
    const auto events = *rc::gen::container<std::vector<projected_event>>(any_event());
    auto shuffled = events;
    const auto repeats = *rc::gen::container<std::vector<std::size_t>>(rc::gen::arbitrary<std::size_t>());
    for (const auto at : repeats)
      if (!events.empty())
        shuffled.push_back(events[at % events.size()]);
    for (std::size_t at = shuffled.size(); at > 1; --at)
      std::swap(shuffled[at - 1], shuffled[*rc::gen::inRange<std::size_t>(0, at)]);
    RC_ASSERT(projected(events) == projected(shuffled));
  }));
}

TEST_CASE("a message is settled once it is delivered or known not to be") {
  for (const auto type : {queued, sent, delayed, other})
    CHECK_FALSE(is_settled(type));
  for (const auto type : {delivered, soft_bounced, bounced, complained, undelivered, rejected})
    CHECK(is_settled(type));
}
