#include "actors/membership.hpp"
#include "harness/mocks.hpp"
#include "messages/fault.hpp"
#include "tests/harness/adapter/catch_world.hpp"

#include <catch2/catch.hpp>

using namespace sluice;
using namespace std::chrono_literals;
namespace m = messages;

namespace {

struct member_world : tests::catch_world {
  member_world()
      : catch_world({.node = false}), recorder(mock<m::recorder>("recorder")),
        courier(mock<m::courier>("courier")) {
    recorder.accept<m::renew_lease>();
    courier.accept<m::stop_calls>();
    member = spawn("membership", actors::membership,
                   actors::membership_resources{recorder, courier, &clock(), &settings(),
                                                [this](const std::string& why) { told.push_back(why); },
                                                permit, clock().steady()});
  }

  void refuse_renewals(m::fault code) {
    recorder.on<m::renew_lease>([code](const m::renew_lease&) { return caf::make_error(code, "no"); });
  }

  [[nodiscard]] bool may_call() { return permit->holds(clock().steady()); }

  std::shared_ptr<providers::start_permit> permit = std::make_shared<providers::start_permit>();
  std::vector<std::string> told;
  harness::mock_recorder recorder;
  harness::mock_courier courier;
  m::membership member;
};

} // namespace

TEST_CASE("a lease is renewed in time, again and again") {
  member_world w;

  w.advance(1min);

  CHECK(w.recorder.got<m::renew_lease>().size() >= 11);
  CHECK(w.told.empty());
  CHECK(w.may_call());
}

TEST_CASE("one failed renewal is not yet a loss") {
  member_world w;
  w.refuse_renewals(m::fault::database_unavailable);
  w.advance(6s);
  w.recorder.accept<m::renew_lease>();

  w.advance(1min);

  CHECK(w.told.empty());
  CHECK(w.may_call());
}

TEST_CASE("a database that stays away makes the node unfit before its lease runs out") {
  member_world w;
  w.refuse_renewals(m::fault::database_unavailable);

  w.advance(w.settings().node.lease_length);

  CHECK(w.told.size() == 1);
  CHECK(w.courier.got<m::stop_calls>().size() == 1);
  CHECK_FALSE(w.may_call());
}

TEST_CASE("a lease that is another's makes the node unfit at once") {
  member_world w;
  w.refuse_renewals(m::fault::lease_lost);

  w.advance(w.settings().node.lease_renewal + 1s);

  CHECK(w.told.size() == 1);
  CHECK(w.courier.got<m::stop_calls>().size() == 1);
}
