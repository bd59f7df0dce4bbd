#pragma once

#include "harness/world.hpp"
#include "sim/dice.hpp"
#include "sim/event_checker.hpp"
#include "sim/faults.hpp"
#include "sim/subscriber.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace sluice::sim {

enum class audience_event : std::uint8_t {
  application_publishes,
  people_act,
  owners_read,
  subscriber_goes_down,
  fan_out_dies,
  subscription_actor_dies,
};

/// Whether the world of a seed has subscriptions.
[[nodiscard]] bool has_audience(std::uint64_t seed);
[[nodiscard]] event_checker_settings checked_subscriptions(const config::settings& settings);

/// Everybody around subscriptions: subscribers, owners who pull, applications that publish, people. Their
/// dice are their own, of the same seed, so that a world without them is what it would be anyway.
class audience {
public:
  audience(std::uint64_t seed, harness::world& world, event_checker& checker);

  /// Is told of everything in words.
  void log_to(std::function<void(const std::string&)> log) { log_ = std::move(log); }
  /// The subscriptions are made; what happens from here on is told to them.
  void set_up();

  [[nodiscard]] std::vector<std::pair<core::duration, audience_event>> draw_hour(core::duration begin);
  void let_happen(audience_event what);

  [[nodiscard]] std::vector<core::subscription_id> pushed_to() const;

  /// They act on what they are told, as soon as they are told.
  void heed_answers();
  /// The node is gone: nothing of what they asked is answered any more.
  void node_died();
  /// Everybody behaves, everything is pushed again, and what can be pulled is.
  void rest();
  [[nodiscard]] bool at_rest();
  void look();
  void end();
  /// What the database says of deliveries, to be compared.
  [[nodiscard]] std::string state_text();

  [[nodiscard]] std::int64_t calls() const;
  [[nodiscard]] std::int64_t acts() const noexcept { return acts_; }
  [[nodiscard]] const sim::faults& its_faults() const noexcept { return faults_; }

private:
  struct subscription {
    subscription_facts facts;
    std::unique_ptr<subscriber> receiver; ///< of one that is pushed to
  };
  struct asked_silence {
    core::subscription_id subscription{};
    harness::asked<messages::subscription_status_recorded> answer;
  };

  void subscribe(subscription_facts facts);
  [[nodiscard]] std::string fresh_secret();
  void publish();
  void get_to_work();
  void kill_a_pusher();

  // audience_acts.cpp
  void act();
  void set_status(const subscription& of, core::subscription_status to);
  void switch_it(const subscription& of);
  void rotate(const subscription& of);
  void retry(const subscription& of);
  void replay(const subscription& of);
  void read_all();
  void read(const subscription& of);
  void advance(const subscription& of, core::event_position from, core::event_position to);
  [[nodiscard]] core::subscription stored(const subscription& of);
  [[nodiscard]] std::vector<core::event_delivery> deliveries(const subscription& of);
  [[nodiscard]] std::vector<seen_delivery> seen(const subscription& of);
  void learn_events();

  void note(const std::string& what) const;
  [[nodiscard]] moment now() const { return {world_.clock().steady(), world_.now()}; }

  dice dice_;
  faults faults_;
  harness::world& world_;
  event_checker& checker_;
  std::vector<subscription> subscriptions_;
  std::map<core::event_position, std::string> key_of_; ///< of sequenced events
  std::vector<asked_silence> asked_;
  std::function<void(const std::string&)> log_;
  std::int64_t published_ = 0;
  std::int64_t acts_ = 0;
};

} // namespace sluice::sim
