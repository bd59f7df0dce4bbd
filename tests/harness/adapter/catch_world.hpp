#pragma once

#include "harness/world.hpp"

namespace sluice::tests {

/// A world for Catch: a script that is not followed fails the test case, and a check that fails prints the
/// world's last messages.
class catch_world : public harness::world {
public:
  explicit catch_world(harness::world_options options = {});
  ~catch_world();
};

} // namespace sluice::tests
