#pragma once

#include "core/ids.hpp"
#include "harness/scripted_target.hpp"
#include "harness/world.hpp"
#include "sim/callback_forms.hpp"
#include "sim/dice.hpp"
#include "sim/faults.hpp"
#include "sim/notification_checker.hpp"
#include "sim/provider_kinds.hpp"

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace sluice::sim {

/// A simulated provider with one account at it: takes messages, refuses them, stalls, loses its answers and
/// goes away as the seed says, knows what it took, and tells the checker every call it sees.
class provider {
public:
  /// A message it took, and what becomes of it.
  struct message {
    std::int64_t notification = 0;
    std::string attempt;
    std::string id;
    std::string to;
    std::string text;
    core::timestamp taken_at{};
    std::vector<telling> story; ///< in the order it happens
  };

  provider(core::provider_kind kind, dice& from, faults& faults, harness::world& world,
           notification_checker& checker);
  ~provider() { scripted_.behave(); }
  provider(const provider&) = delete;
  provider& operator=(const provider&) = delete;

  /// Is told of every message it takes, once.
  void tell(std::function<void(const message&)> told) { told_ = std::move(told); }
  /// Is told of every call in words.
  void log_to(std::function<void(const std::string&)> log) { log_ = std::move(log); }
  /// For so long every call is refused or cut.
  void go_down(core::duration how_long) { down_until_ = world_.clock().steady() + how_long; }

  [[nodiscard]] core::provider_kind kind() const noexcept { return kind_; }
  [[nodiscard]] std::size_t number() const noexcept { return static_cast<std::size_t>(kind_); }
  [[nodiscard]] std::string name() const { return std::string{to_string(kind_)}; }
  [[nodiscard]] core::provider_profile_id profile() const noexcept { return profile_; }
  [[nodiscard]] const core::provider_profile& account() const noexcept { return account_; }
  /// Whether it took a message about this notification.
  [[nodiscard]] bool took(std::int64_t notification) const { return taken_.contains(notification); }
  [[nodiscard]] std::int64_t calls() const noexcept { return calls_; }

private:
  /// What it does with the call in hand.
  struct deed {
    provider_word told = provider_word::took;
    bool took = true;
    harness::reaction reaction;
    bool of_message = false;
  };

  void open_account();
  [[nodiscard]] harness::reaction react(const harness::seen_call& call);
  [[nodiscard]] deed decide(const harness::seen_call& call);
  [[nodiscard]] std::optional<deed> fail();
  [[nodiscard]] deed say(provider_word word, bool took);
  [[nodiscard]] deed hang_up(provider_word word, bool took, harness::reaction how) const;
  void take(const harness::seen_call& call, deed& doing);
  [[nodiscard]] harness::reaction give_token();
  void saw(const harness::exchange& exchange);

  // provider_status.cpp
  [[nodiscard]] harness::reaction status(const harness::seen_call& call);
  [[nodiscard]] std::string resource_of(const message& of);
  [[nodiscard]] const telling* state_of(const message& of) const;
  void tell_asked(const message& of, const std::string& body);

  core::provider_kind kind_;
  dice& dice_;
  faults& faults_;
  harness::world& world_;
  notification_checker& checker_;
  bool takes_once_;
  harness::scripted_target& scripted_;
  core::provider_profile account_;
  core::provider_profile_id profile_{};
  std::function<void(const message&)> told_;
  std::function<void(const std::string&)> log_;
  core::duration down_until_{};
  std::deque<message> messages_;
  std::map<std::int64_t, std::size_t> taken_; ///< the last message, by notification
  std::optional<deed> doing_;
  std::int64_t calls_ = 0;
};

/// What becomes of a message of this kind, drawn; empty where nothing is ever told.
[[nodiscard]] std::vector<telling> draw_story(core::provider_kind kind, dice& from,
                                              const provider::message& of, std::size_t number);

} // namespace sluice::sim
