#pragma once

#include "core/ids.hpp"
#include "core/stop.hpp"

#include <unordered_set>

namespace sluice::core {

/// The places where nothing may start. A question costs the same however many there are.
class stop_set {
public:
  void add(const stop_target& where);
  void remove(const stop_target& where);

  /// Whether a call of `rule` into `into` lies within one of them.
  [[nodiscard]] bool reaches(rule_id rule, connection_id into) const {
    return global_ || rules_.contains(rule) || connections_.contains(into);
  }

private:
  bool global_ = false;
  std::unordered_set<connection_id> connections_;
  std::unordered_set<rule_id> rules_;
};

} // namespace sluice::core
