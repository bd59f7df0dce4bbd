#include "tests/storage/notification_world.hpp"

using namespace sluice;
using namespace sluice::tests;

namespace {

struct pruned_world : notification_world {
  using notification_world::notification_world;

  std::int64_t prune(double until, std::int64_t limit = 100) {
    return committed(
        db(), [&](storage::session& in) { return storage::prune_contact_points(in, at(until), limit); });
  }
};

} // namespace

TEST_CASE("rows of removed contact points go once they were removed long enough ago, so many at a time") {
  pruned_world w(GENERATE(from_range(engines())));
  const auto living = w.contact("living@x.example");
  for (int n = 0; n < 5; ++n)
    w.remove(w.contact("gone" + std::to_string(n) + "@x.example"), at(30 + n));
  CHECK(w.prune(30) == 0);
  CHECK(w.prune(32) == 2);
  CHECK(w.prune(100, 2) == 2);
  CHECK(w.prune(100, 2) == 1);
  CHECK(w.prune(100, 2) == 0);
  CHECK(w.address_of(living) == "living@x.example");
  CHECK(w.count("contact_points") == "2"); // and the world's own
}

TEST_CASE("a contact point that was removed while suppressed is kept, and still keeps its address from "
          "coming back") {
  pruned_world w(GENERATE(from_range(engines())));
  const auto made = w.contact("ann@x.example");
  w.suppress(made, w.told(core::suppression_reason::complaint));
  w.remove(made);
  CHECK(w.prune(1000) == 0);
  CHECK(w.contact("ann@x.example").suppression);
}

TEST_CASE("a removed contact point stays as long as a notification to it is kept") {
  pruned_world w(GENERATE(from_range(engines())));
  const auto made = w.notify();
  w.remove(w.person);
  CHECK(w.prune(1000) == 0);
  w.execute("DELETE FROM notifications WHERE id = " + std::to_string(made.id.value));
  CHECK(w.prune(1000) == 1);
}
