#pragma once

#include "harness/scripted_target.hpp"
#include "harness/world.hpp"
#include "sim/checker.hpp"
#include "sim/dice.hpp"
#include "sim/faults.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace sluice::sim {

/// A simulated target: a scripted one that lies, stalls, loses replies and forgets as the seed says, and
/// tells the checker every call it sees.
class target {
public:
  target(dice& from, faults& faults, harness::world& world, checker& checker, std::size_t number,
         harness::scripted_target& scripted);
  ~target() { scripted_.behave(); }
  target(const target&) = delete;
  target& operator=(const target&) = delete;

  /// Is told of every call in words.
  void log_to(std::function<void(const std::string&)> log) { log_ = std::move(log); }

  /// For so long every call is refused or cut.
  void go_down(core::duration how_long);
  void forget_something();
  void revoke_tokens() { scripted_.revoke_tokens(); }

  void finish_work(core::timestamp now) { scripted_.finish_work(now); }
  [[nodiscard]] bool works() const noexcept { return scripted_.works(); }
  [[nodiscard]] std::vector<seen_object> held() const;
  [[nodiscard]] std::int64_t calls() const noexcept { return calls_; }

private:
  [[nodiscard]] harness::reaction react(const harness::seen_call& call);
  [[nodiscard]] std::optional<harness::reaction> fail(const harness::seen_call& call);
  [[nodiscard]] std::optional<harness::reaction> fail_write(const harness::seen_call& call);
  void saw(const harness::exchange& exchange);
  void saw_of_record(const harness::exchange& exchange);
  [[nodiscard]] bool refuses(const std::string& source_id);
  [[nodiscard]] bool just_made(const std::string& source_id) const;
  void log(const record_call& call, const harness::exchange& exchange) const;
  [[nodiscard]] moment now() const;

  dice& dice_;
  faults& faults_;
  harness::world& world_;
  checker& checker_;
  std::size_t number_;
  harness::scripted_target& scripted_;
  std::function<void(const std::string&)> log_;
  core::duration down_until_{};
  std::unordered_map<std::string, std::string> record_of_;  ///< of every object there ever was
  std::unordered_map<std::string, core::duration> made_at_; ///< by record
  std::unordered_set<std::string> refused_;                 ///< records it makes nothing of
  std::int64_t calls_ = 0;
};

} // namespace sluice::sim
