#pragma once

#include "core/time.hpp"

namespace sluice::harness {

/// The time of a world: it stands still until the test moves it.
class virtual_clock final : public core::time_source {
public:
  explicit virtual_clock(core::timestamp wall) : wall_(wall) {}

  [[nodiscard]] core::timestamp wall() const override { return wall_; }
  [[nodiscard]] core::duration steady() const override { return steady_; }

  /// Both clocks go on.
  void move_to(core::duration steady) {
    wall_ += steady - steady_;
    steady_ = steady;
  }

  /// The wall clock alone is set, back or forth.
  void jump(core::duration by) { wall_ += by; }

private:
  core::timestamp wall_;
  core::duration steady_ = std::chrono::hours{1};
};

} // namespace sluice::harness
