#pragma once

#include "core/call.hpp"
#include "core/ids.hpp"
#include "core/stop.hpp"

#include <unordered_set>

namespace sluice::core {

/// The places where nothing may start. A question costs the same however many there are.
class stop_set {
public:
  void add(const stop_target& where);
  void remove(const stop_target& where);

  /// Whether a call of `owner` into `into` lies within one of them.
  [[nodiscard]] bool reaches(call_owner owner, connection_id into) const {
    return global_ || owners_.contains(owner) || connections_.contains(into);
  }

private:
  bool global_ = false;
  std::unordered_set<connection_id> connections_;
  std::unordered_set<call_owner> owners_;
};

} // namespace sluice::core
