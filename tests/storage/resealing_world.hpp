#pragma once

#include "storage/resealing.hpp"
#include "tests/storage/contact_world.hpp"

#include <algorithm>
#include <string>

namespace sluice::tests {

/// A contact_world, or one made of it, whose keys go on.
template <class World>
struct resealing_in : World {
  using World::World;

  core::resealing_step step(const core::resealing_order& order) {
    return committed(this->db(),
                     [&](storage::session& in) { return storage::reseal(in, order, this->rings()); });
  }

  /// Step by step to the end; what all of them came to.
  core::resealing_step pass(core::keyed_thing thing, const std::string& key, std::int64_t limit = 3) {
    core::resealing_order order{.thing = thing, .key = key, .after_id = 0, .limit = limit};
    core::resealing_step sum;
    while (!sum.through) {
      const auto one = step(order);
      CHECK(one.renewed + one.changed_meanwhile + one.unopened <= limit);
      sum.renewed += one.renewed;
      sum.changed_meanwhile += one.changed_meanwhile;
      sum.unopened += one.unopened;
      sum.taken += one.taken;
      sum.through = one.through;
      order.after_id = sum.last_id = one.last_id;
    }
    return sum;
  }

  std::int64_t live_under(core::keyed_thing thing, const std::string& key) {
    const auto uses = must(storage::count_key_uses(this->db()));
    const auto found = std::ranges::find_if(
        uses, [&](const core::key_use& use) { return use.thing == thing && use.key == key; });
    return found == uses.end() ? 0 : found->live;
  }

  void rotate() {
    this->sealing = ring_of({"seal-c", "seal-a"});
    this->fingerprints = ring_of({"find-d", "find-b"});
  }

  /// The old keys go.
  void retire() {
    this->sealing = ring_of({"seal-c"});
    this->fingerprints = ring_of({"find-d"});
  }
};

} // namespace sluice::tests
