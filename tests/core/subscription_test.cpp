#include "core/change_event.hpp"
#include "core/dead_count.hpp"
#include "core/event_delivery.hpp"
#include "core/subscription.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <limits>

using namespace sluice::core;

namespace {

subscription push_subscription() {
  subscription made;
  made.name = "crm";
  made.url = "https://hooks.example.com/sluice";
  return made;
}

std::vector<std::string> faults_of(const subscription& written) {
  return subscription_faults(written, outside_addresses{});
}

bool names(const std::vector<std::string>& faults, const std::string& beginning) {
  return std::ranges::any_of(faults, [&](const std::string& fault) { return fault.starts_with(beginning); });
}

const transition_effects success{.closes_attempt = 1, .resets_dead_count = true};
const transition_effects dead_one{.closes_attempt = 1, .counts_dead = true};
const transition_effects gone_one{.closes_attempt = 1, .counts_dead = true, .disables_subscription = true};

} // namespace

TEST_CASE("a subscription that says all it needs has no fault") {
  auto written = push_subscription();
  CHECK(faults_of(written).empty());
  written.event_types = {"customers.*", "orders.created"};
  written.filter = R"({"field": "/country", "in": ["DE", "FR"]})";
  written.ordered_by = "/id";
  written.headers = {{"Authorization", "Bearer x", true}};
  CHECK(faults_of(written).empty());

  subscription pulled;
  pulled.name = "warehouse";
  pulled.mode = subscription_mode::pull;
  CHECK(faults_of(pulled).empty());
}

TEST_CASE("every fault of a subscription is told at once, with its member") {
  subscription written;
  written.url = "http://169.254.169.254/latest";
  written.event_types = {};
  written.filter = R"({"field": "country"})";
  written.ordered_by = "id";
  written.headers = {{"Host", "inside"}};
  const auto faults = faults_of(written);
  for (const char* member : {"name: ", "url: ", "event_types: ", "filter: ", "ordered_by: ", "headers: "}) {
    CAPTURE(member);
    CHECK(names(faults, member));
  }
  CHECK(names(faults, "url: \"169.254.169.254\" is not a public address"));
}

TEST_CASE("a push subscription needs a URL, and a pull subscription has nothing of a push") {
  auto written = push_subscription();
  written.url.clear();
  CHECK(names(faults_of(written), "url: a push subscription needs one"));

  written = push_subscription();
  written.mode = subscription_mode::pull;
  written.headers = {{"X-Team", "blue"}};
  written.ordered_by = "/id";
  CHECK(faults_of(written).size() == 3);
}

TEST_CASE("a name is a line of text") {
  auto written = push_subscription();
  for (const std::string& name : {std::string{}, std::string(129, 'n'), std::string{"a\nb"},
                                  std::string{"a\0b", 3}, std::string{"\xff"}}) {
    written.name = name;
    CHECK(names(faults_of(written), "name: "));
  }
  written.name = "K\xc3\xa4ufer";
  CHECK(faults_of(written).empty());
}

TEST_CASE("twenty dead deliveries in a row disable a subscription, and one success begins anew") {
  std::int32_t consecutive = 0;
  for (std::int32_t dead = 1; dead < dead_threshold_default; ++dead) {
    const auto counted = count_dead(consecutive, dead_one, dead_threshold_default);
    CHECK(counted == dead_count{dead, std::nullopt});
    consecutive = counted.consecutive;
  }
  CHECK(count_dead(consecutive, success, dead_threshold_default) == dead_count{0, std::nullopt});
  CHECK(count_dead(consecutive, transition_effects{}, dead_threshold_default)
        == dead_count{consecutive, std::nullopt});
  CHECK(count_dead(consecutive, dead_one, dead_threshold_default)
        == dead_count{dead_threshold_default, disable_cause::dead_deliveries});
}

TEST_CASE("a subscriber that is gone disables at once, and a count never overflows") {
  CHECK(count_dead(0, gone_one, dead_threshold_default) == dead_count{1, disable_cause::gone});
  CHECK(count_dead(0, dead_one, 1) == dead_count{1, disable_cause::dead_deliveries});
  const auto most = std::numeric_limits<std::int32_t>::max();
  CHECK(count_dead(most, dead_one, 20) == dead_count{most, disable_cause::dead_deliveries});
}

TEST_CASE("words of subscriptions read back, and a foreign text is none") {
  for (const auto mode : {subscription_mode::push, subscription_mode::pull})
    CHECK(parse_subscription_mode(to_string(mode)) == mode);
  for (const auto status :
       {subscription_status::active, subscription_status::paused, subscription_status::disabled})
    CHECK(parse_subscription_status(to_string(status)) == status);
  for (const auto cause : {disable_cause::person, disable_cause::gone, disable_cause::dead_deliveries})
    CHECK(parse_disable_cause(to_string(cause)) == cause);
  CHECK_FALSE(parse_subscription_mode("both"));
  CHECK_FALSE(parse_subscription_status(""));
  CHECK_FALSE(parse_disable_cause("unknown"));
}

TEST_CASE("a change of a record is an event named after its domain") {
  CHECK(event_type_of("customers", record_change::created) == "customers.created");
  CHECK(event_type_of("customers", record_change::updated) == "customers.updated");
  CHECK(event_type_of("orders", record_change::deleted) == "orders.deleted");
}

TEST_CASE("what is sent of a change has the record's digits, what was published goes as it came") {
  change_event event;
  event.type = "customers.updated";
  event.kind = event_kind::change;
  event.body = R"({"n": 1.0e400})";
  event.source = event_source{{1}, "customers", "a\"b"};
  CHECK(
      event_body(event)
      == R"({"type":"customers.updated","timestamp":"1970-01-01T00:00:00.000000Z","data":{"source_id":"a\"b",)"
         R"("record":{"n": 1.0e400}}})");
  event.kind = event_kind::published;
  CHECK(event_body(event) == event.body);
  for (const auto kind : {event_kind::change, event_kind::published, event_kind::test})
    CHECK(parse_event_kind(to_string(kind)) == kind);
  CHECK_FALSE(parse_event_kind("changed"));
}

TEST_CASE("a delivery begins due where it is pushed, and is never due where it is pulled or filtered out") {
  const timestamp now{std::chrono::seconds{9}};
  const auto pushed = begin_delivery(subscription_mode::push, true, now);
  CHECK(pushed.state == delivery_state::pending);
  CHECK(pushed.due_at == now);
  CHECK_FALSE(begin_delivery(subscription_mode::pull, true, now).due_at);
  const auto filtered = begin_delivery(subscription_mode::push, false, now);
  CHECK(filtered.state == delivery_state::skipped_filter);
  CHECK_FALSE(filtered.due_at);
}
