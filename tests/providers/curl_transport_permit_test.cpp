#include "tests/providers/test_server.hpp"
#include "tests/providers/transport_world.hpp"

#include <catch2/catch.hpp>

#include <atomic>

using namespace sluice;
using namespace sluice::tests;
using namespace std::chrono_literals;
using core::call_error;

namespace {

/// An hour passes whenever somebody looks at the wall clock, as the transport does once when it hands a call
/// over: as if the process had been paused there.
class leaping_time final : public core::time_source {
public:
  [[nodiscard]] core::timestamp wall() const override {
    return core::timestamp{core::duration{passed_ += core::duration{1h}.count()}};
  }
  [[nodiscard]] core::duration steady() const override { return core::duration{passed_.load()}; }

private:
  mutable std::atomic<core::duration::rep> passed_ = 0;
};

providers::transport_settings with_permit(core::duration until) {
  auto permit = std::make_shared<providers::start_permit>();
  permit->prolong(until);
  auto settings = loopback_settings();
  settings.permit = permit;
  return settings;
}

} // namespace

TEST_CASE("a call whose permit ended before it was handed over is held back") {
  test_server server({answer(201)});
  transport_world world(with_permit(0s), std::make_shared<leaping_time>());
  CHECK(world.call(make_request("POST", server.url(), "{}")).error == call_error::unattempted);
  CHECK(server.connections() == 0);
}

TEST_CASE("a call whose permit ended between its hand-over and its sending is held back") {
  test_server server({answer(201)});
  transport_world world(with_permit(30min), std::make_shared<leaping_time>());
  CHECK(world.call(make_request("POST", server.url(), "{}")).error == call_error::unattempted);
  CHECK(server.requests().empty());
}

TEST_CASE("a call whose permit holds when it is sent is sent") {
  test_server server({answer(201)});
  transport_world world(with_permit(90min), std::make_shared<leaping_time>());
  CHECK(world.call(make_request("POST", server.url(), "{}")).status == 201);
}
