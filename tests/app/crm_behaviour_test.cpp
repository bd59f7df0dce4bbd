#include "app/crm_behaviour.hpp"

#include <catch2/catch.hpp>

namespace sluice::app {
namespace {

using namespace std::chrono_literals;

TEST_CASE("the minute window counts what lies within 60 s, to the microsecond") {
  minute_window window;
  window.add(0us);
  window.add(30s);
  CHECK(window.count(60s - 1us) == 2);
  CHECK(window.count(60s) == 1);
  CHECK(window.until_next_leaves(60s) == 30s);
  CHECK(window.count(90s) == 0);
  CHECK(window.peak() == 2);
}

TEST_CASE("the limit holds in every window of 60 s, and what is refused does not count against it") {
  crm_behaviour behaviour{{.requests_per_minute = 2}};
  CHECK(behaviour.next(0s) == crm_mood::serve);
  CHECK(behaviour.next(59s) == crm_mood::serve);
  CHECK(behaviour.next(59500ms) == crm_mood::limit);
  CHECK(behaviour.retry_after_seconds(59500ms) == 1);
  CHECK(behaviour.next(60s) == crm_mood::serve);
  CHECK(behaviour.next(61s) == crm_mood::limit);
  CHECK(behaviour.retry_after_seconds(61s) == 58);
  CHECK(behaviour.counts().requests == 5);
  CHECK(behaviour.counts().rate_limited == 2);
}

} // namespace
} // namespace sluice::app
