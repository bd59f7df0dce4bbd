#pragma once

#include "sim/checker.hpp"

#include <chrono>
#include <cstdint>
#include <string>

namespace sluice::tests {

/// A checker of one rule into one target, told of one record.
struct checker_world {
  using seconds = std::chrono::seconds;

  sim::checker checker{{{seconds{20}, seconds{60}}, seconds{60}, seconds{30}, seconds{60}, 100, 100, {}},
                       {{{}, 3, false, true}}};
  core::duration steady{};

  checker_world() {
    checker.rule_is({{1},
                     "customers",
                     "customers",
                     0,
                     core::update_mode::overwrite,
                     core::delete_policy::delete_record,
                     false,
                     {}});
    checker.source_wrote("c-1", {1, true, true, true, {}});
  }

  [[nodiscard]] sim::moment now() const { return {steady, core::timestamp{steady}}; }

  sim::record_call call(core::operation op, std::int64_t version, int status) const {
    sim::record_call made;
    made.rule = {1};
    made.op = op;
    made.source_id = "c-1";
    made.version = version;
    made.object = op == core::operation::create ? "" : "r-1";
    made.told.status = status;
    return made;
  }
  void creates(const std::string& object, std::int64_t version = 1) {
    auto made = call(core::operation::create, version, 201);
    made.object = object;
    made.done = made.names_object = true;
    checker.called(made, now());
  }
  void pass(core::duration by) { steady += by; }
  [[nodiscard]] int broken() const { return checker.found() ? checker.found()->property : 0; }
};

} // namespace sluice::tests
