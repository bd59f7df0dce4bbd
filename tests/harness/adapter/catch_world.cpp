#define CATCH_CONFIG_EXTERNAL_INTERFACES
#include "tests/harness/adapter/catch_world.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <iostream>
#include <utility>
#include <vector>

namespace sluice::tests {

namespace {

std::vector<const harness::world*>& living_worlds() {
  static std::vector<const harness::world*> worlds;
  return worlds;
}

harness::world_options failing_in_catch(harness::world_options options) {
  if (!options.fail)
    options.fail = [](const std::string& why) { FAIL(why); };
  return options;
}

/// A script's own failure carries the messages already.
bool is_script_failure(const Catch::AssertionResult& result) {
  return result.getResultType() == Catch::ResultWas::ExplicitFailure;
}

class message_printer : public Catch::TestEventListenerBase {
public:
  using Catch::TestEventListenerBase::TestEventListenerBase;

  bool assertionEnded(const Catch::AssertionStats& stats) override {
    if (stats.assertionResult.isOk() || is_script_failure(stats.assertionResult)
        || std::exchange(printed_, true))
      return false;
    for (const auto* world : living_worlds())
      std::cout << "last messages:\n" << world->last_messages().text();
    return false;
  }

  void testCaseStarting(const Catch::TestCaseInfo&) override { printed_ = false; }

private:
  bool printed_ = false; ///< the first failed check of a test case prints them
};

CATCH_REGISTER_LISTENER(message_printer)

} // namespace

catch_world::catch_world(harness::world_options options)
    : harness::world(failing_in_catch(std::move(options))) {
  living_worlds().push_back(this);
}

catch_world::~catch_world() {
  std::erase(living_worlds(), this);
}

} // namespace sluice::tests
