#pragma once

#include "harness/world.hpp"
#include "sim/checker.hpp"
#include "sim/dice.hpp"
#include "sim/plan.hpp"

#include <cstdint>
#include <string>

namespace sluice::sim {

/// The people who look after the rules: at random moments they change, switch off, switch on, mend.
class operators {
public:
  operators(dice& from, harness::world& world, checker& checker, plan& plan)
      : dice_(from), world_(world), checker_(checker), plan_(plan) {}

  /// One act; what it was, for the log.
  std::string act();
  /// Everything that is switched off or in error works again, and what is held may go.
  void mend_all();
  [[nodiscard]] std::int64_t acts() const noexcept { return acts_; }

private:
  std::string change_mapping(plan::rule& rule);
  std::string switch_filter(plan::rule& rule);
  std::string switch_rule(plan::rule& rule);
  std::string switch_connection(const std::string& name);
  std::string end_hold(const core::delivery_stop& hold);
  void release(const core::delivery_stop& hold);
  bool mend(const std::string& name);
  void apply(const plan::rule& rule);

  dice& dice_;
  harness::world& world_;
  checker& checker_;
  plan& plan_;
  std::int64_t revision_ = 1;
  std::int64_t acts_ = 0;
};

/// How a rule stands, for the checker.
[[nodiscard]] rule_facts facts_of(harness::world& world, const plan::rule& rule);

} // namespace sluice::sim
