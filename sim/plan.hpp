#pragma once

#include "config/settings.hpp"
#include "harness/world.hpp"
#include "sim/checker.hpp"
#include "sim/dice.hpp"
#include "sim/history.hpp"

#include <string>
#include <vector>

namespace sluice::sim {

/// What a seed's world looks like: what a person would have written into its configuration.
struct plan {
  struct target {
    std::string name;
    harness::target_options options;
  };
  struct rule {
    std::string name;
    std::size_t target = 0; ///< which of the targets
    harness::rule_options options;
    bool may_filter = false;
    bool maps_parent = false; ///< of a dependent rule: its bodies name the parent's object
  };
  struct domain {
    std::string name;
    std::string parent; ///< the domain its records depend on; empty: a root domain
  };

  config::settings settings;
  std::vector<target> targets;
  std::vector<rule> rules;
  std::vector<domain> domains; ///< of the source; a parent comes before what depends on it
};

/// The filter of rules that have one.
inline constexpr const char* tier_filter = R"({"field":"/tier","equals":"a"})";

/// Short waits, small batches: what takes a day in a company takes an hour here, and every batch has an end.
[[nodiscard]] config::settings simulated_settings();

[[nodiscard]] plan draw_plan(dice& from);

[[nodiscard]] checker_settings checked_settings(const config::settings& settings);

/// `revision` makes the text another one, as an operator's change of a mapping does.
[[nodiscard]] std::string mapping_text(const plan::rule& of, std::int64_t revision);

} // namespace sluice::sim
