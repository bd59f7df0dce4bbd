#pragma once

#include "harness/scripted_target.hpp"
#include "harness/world.hpp"
#include "sim/dice.hpp"
#include "sim/event_checker.hpp"
#include "sim/faults.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>

namespace sluice::sim {

/// Who receives the pushes of one subscription: takes them, stalls, refuses, loses its answers and goes away
/// as the seed says, and tells the checker every call it sees.
class subscriber {
public:
  subscriber(dice& from, faults& faults, harness::world& world, event_checker& checker,
             harness::scripted_target& scripted);
  ~subscriber() { scripted_.behave(); }
  subscriber(const subscriber&) = delete;
  subscriber& operator=(const subscriber&) = delete;

  /// Whose pushes come here.
  void receive_for(core::subscription_id subscription) { subscription_ = subscription; }
  /// Is told of every call in words.
  void log_to(std::function<void(const std::string&)> log) { log_ = std::move(log); }
  /// For so long every call is refused or cut.
  void go_down(core::duration how_long);

  [[nodiscard]] std::int64_t calls() const noexcept { return calls_; }

private:
  [[nodiscard]] harness::reaction react();
  [[nodiscard]] std::optional<harness::reaction> fail();
  void saw(const harness::exchange& exchange);

  dice& dice_;
  faults& faults_;
  harness::world& world_;
  event_checker& checker_;
  harness::scripted_target& scripted_;
  core::subscription_id subscription_{};
  std::function<void(const std::string&)> log_;
  core::duration down_until_{};
  std::int64_t calls_ = 0;
};

} // namespace sluice::sim
