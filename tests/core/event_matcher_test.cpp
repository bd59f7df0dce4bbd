#include "core/event_matcher.hpp"

#include <catch2/catch.hpp>

#include <string>

using namespace sluice;
using core::event_matcher;
using core::fan_out_subscription;

namespace {

fan_out_subscription subscription(std::int64_t id, std::string filter = {},
                                  std::vector<std::string> types = {"*"}) {
  fan_out_subscription made;
  made.id = {id};
  made.tenant = "acme";
  made.event_types = std::move(types);
  made.filter = std::move(filter);
  return made;
}

core::change_event event(std::int64_t position, std::string body = "{}", std::string tenant = "acme") {
  core::change_event made;
  made.position = {position};
  made.tenant = std::move(tenant);
  made.type = "customers.updated";
  made.body = std::move(body);
  return made;
}

/// "1@5 2@5- …": the subscription, the position, and a minus where the filter says no.
std::string text_of(const core::fan_out_batch& batch) {
  std::string text;
  for (const auto& each : batch.deliveries)
    text += (text.empty() ? "" : " ") + std::to_string(each.subscription.value) + "@"
            + std::to_string(each.position.value) + (each.passes ? "" : "-");
  return text;
}

constexpr core::fan_out_limits plenty{1000, 1000};

} // namespace

TEST_CASE("an event goes to every subscription of its tenant, and to no other's") {
  auto other = subscription(2);
  other.tenant = "globex";
  event_matcher matcher{{subscription(3), other, subscription(1)}};
  const auto batch = matcher.next_batch({}, {event(5)}, plenty);
  CHECK(text_of(batch) == "1@5 3@5");
  CHECK(batch.to == core::fan_out_cursor{{5}, {}});
}

TEST_CASE("what the type or the predicate leaves out is recorded as filtered") {
  event_matcher matcher{{subscription(1, {}, {"orders.*"}), subscription(2, {}, {"customers.*"}),
                         subscription(3, R"({"field":"/plan","equals":"gold"})")}};
  CHECK(text_of(matcher.next_batch({}, {event(5, R"({"plan":"gold"})")}, plenty)) == "1@5- 2@5 3@5");
  CHECK(text_of(matcher.next_batch({}, {event(6, R"({"plan":"lead"})")}, plenty)) == "1@6- 2@6 3@6-");
}

TEST_CASE("a predicate or a payload that cannot be read lets nothing pass") {
  event_matcher matcher{
      {subscription(1, "no predicate"), subscription(2, R"({"field":"/a","exists":true})")}};
  CHECK(text_of(matcher.next_batch({}, {event(5, R"({"a":)")}, plenty)) == "1@5- 2@5-");
}

TEST_CASE("events from before it was made, and without its access accepted, are none of a subscription's") {
  auto late = subscription(1);
  late.starts_after = {5};
  auto shut = subscription(2);
  shut.access_accepted = false;
  event_matcher matcher{{late, shut}};
  const auto batch = matcher.next_batch({}, {event(5), event(6)}, plenty);
  CHECK(text_of(batch) == "1@6");
  CHECK(batch.to.position == core::event_position{6});
}

TEST_CASE("a test event goes to the one it is for, whatever that filters") {
  event_matcher matcher{{subscription(1), subscription(2, R"({"field":"/a","exists":true})", {"orders.*"})}};
  auto test = event(5);
  test.kind = core::event_kind::test;
  test.only = {2};
  CHECK(text_of(matcher.next_batch({}, {test}, plenty)) == "2@5");
}

TEST_CASE("the ordering key is the payload's value") {
  auto ordered = subscription(1);
  ordered.ordered_by = "/account";
  event_matcher matcher{{ordered}};
  const auto batch = matcher.next_batch({}, {event(5, R"({"account":"a-7"})"), event(6)}, plenty);
  REQUIRE(batch.deliveries.size() == 2);
  CHECK(batch.deliveries[0].ordering_key == "a-7");
  CHECK_FALSE(batch.deliveries[1].ordering_key);
}

TEST_CASE("batches of any size name every delivery once, in order") {
  std::vector<fan_out_subscription> all;
  for (std::int64_t id = 1; id <= 7; ++id)
    all.push_back(subscription(id));
  event_matcher matcher{all};
  std::vector<core::change_event> events{event(2), event(4, "{}", "globex"), event(5)};
  const auto whole = text_of(matcher.next_batch({}, events, plenty));
  const auto size = GENERATE(1U, 2U, 3U, 7U, 8U, 14U);
  const auto alone = GENERATE(1U, 3U, 14U);
  std::string parts;
  core::fan_out_cursor cursor;
  for (int round = 0; round < 20 && cursor.position < core::event_position{5}; ++round) {
    std::vector<core::change_event> left;
    for (const auto& each : events) {
      if (each.position > cursor.position)
        left.push_back(each);
    }
    const auto batch = matcher.next_batch(cursor, left, {size, alone});
    CHECK(batch.from == cursor);
    CHECK(batch.deliveries.size() <= size);
    CHECK(batch.to > cursor);
    parts += (parts.empty() || batch.deliveries.empty() ? "" : " ") + text_of(batch);
    cursor = batch.to;
  }
  CHECK(cursor == core::fan_out_cursor{{5}, {}});
  CHECK(parts == whole);
}

TEST_CASE("an event alone is written in small parts, many of them in large ones") {
  event_matcher matcher{{subscription(1), subscription(2), subscription(3)}};
  CHECK(text_of(matcher.next_batch({}, {event(5)}, {100, 2})) == "1@5 2@5");
  CHECK(text_of(matcher.next_batch({{4}, {2}}, {event(5)}, {100, 2})) == "3@5");
  CHECK(text_of(matcher.next_batch({}, {event(5), event(6)}, {100, 2})) == "1@5 2@5 3@5 1@6 2@6 3@6");
  CHECK(text_of(matcher.next_batch({}, {event(5), event(6)}, {4, 2})) == "1@5 2@5 3@5 1@6");
}

TEST_CASE("without a subscription the cursor moves on") {
  event_matcher matcher;
  CHECK(matcher.empty());
  CHECK(matcher.next_batch({}, {event(3), event(9)}, plenty).to.position == core::event_position{9});
}
