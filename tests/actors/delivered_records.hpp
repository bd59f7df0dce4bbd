#pragma once

#include "tests/harness/adapter/catch_world.hpp"

#include <catch2/catch.hpp>

namespace sluice::tests {

/// A rule that has delivered `count` records, long enough ago that no overlap reads them.
inline void deliver(catch_world& w, int count, const harness::rule_options& options = {}) {
  w.add_rule("customers", options);
  w.put_records(count);
  w.settle();
  w.advance(std::chrono::hours{1});
  REQUIRE(w.count_rows(core::delivery_status::delivered) == count);
}

} // namespace sluice::tests
