#include "tests/providers/test_server.hpp"
#include "tests/providers/transport_world.hpp"

#include <catch2/catch.hpp>

#include <cstdint>
#include <numeric>

using namespace sluice;
using namespace sluice::tests;
using core::call_error;

namespace {

std::int64_t observed(const telemetry::metrics& counted) {
  const auto counts = counted.call_duration.value().counts;
  return std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
}

} // namespace

TEST_CASE("each call that left is counted once, by how it ended, with its duration") {
  test_server server({answer(201, R"({"id":"r-1"})")});
  const auto settings = loopback_settings();
  const auto& counted = *settings.metrics;
  transport_world world{settings};
  for (auto i = 0; i < 5; ++i)
    CHECK(world.call(make_request("POST", server.url(), "{}")).status == 201);
  CHECK(world.call(make_request("POST", "http://127.0.0.1:1/", "{}")).error == call_error::not_connected);
  world.destroy_transport();
  CHECK(settings.metrics->calls(call_error::none).value() == 5);
  CHECK(settings.metrics->calls(call_error::not_connected).value() == 1);
  CHECK(observed(counted) == 6);
  CHECK(counted.calls_in_flight.value() == 0.0);
  CHECK(counted.calls_waiting.value() == 0.0);
}

TEST_CASE("a call that is held back counts as none that left") {
  const auto settings = loopback_settings();
  transport_world world{settings};
  world.transport().stop_starting();
  CHECK(world.call(make_request("POST", "http://127.0.0.1:1/", "{}")).error == call_error::unattempted);
  CHECK(observed(*settings.metrics) == 0);
  CHECK(settings.metrics->calls(call_error::unattempted).value() == 0);
}
