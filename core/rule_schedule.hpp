#pragma once

#include "core/candidate_batch.hpp"
#include "core/ids.hpp"
#include "core/run.hpp"
#include "core/stop_set.hpp"
#include "core/time.hpp"

#include <cstdint>
#include <deque>
#include <optional>
#include <queue>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace sluice::core {

/// When a node looks for the first time at a rule that has nothing to do as far as the database says.
enum class first_sweep : std::uint8_t {
  at_once, ///< before anything else may be called idle
  spread,  ///< at some moment of the sweep interval, so that 100,000 rules are not all looked at together
};

struct rule_schedule_settings {
  duration sweep_interval = std::chrono::minutes{10};
  duration fault_pause = std::chrono::seconds{5}; ///< how long a rule whose chain faulted is left alone
  std::size_t chains_max = 1000;                  ///< chains that run at once
  first_sweep first = first_sweep::at_once;
};

/// When each rule's next chain begins. Pure: `now` is an argument.
///
///   closed <--route--> idle --due, changed, swept--> ready --taken--> running --ended--> idle
///
/// A rule within a stop keeps its state and what it is due for, but is not taken until the stop is lifted;
/// then it is swept at once.
///
/// A rule that changed while its chain ran is ready again when the chain ends, unless it has to wait
/// (throttled, open circuit, a fault). 100,000 rules cost some 100 bytes each; a look at who is due costs the
/// due ones alone.
class rule_schedule {
public:
  explicit rule_schedule(rule_schedule_settings settings = {}) : settings_(settings) {}

  /// Brings the rules to what the configuration says. A route that opens again is swept at once. Returns the
  /// ids that are gone.
  std::vector<rule_id> set_routes(const std::vector<route>& routes, timestamp now);

  /// The rules whose chains run though their route has closed: they are to be told.
  [[nodiscard]] std::vector<rule_id> running_closed() const;

  /// Whether the last set_routes named it. One that it did not name may still be here, for its chain ran.
  [[nodiscard]] bool listed(rule_id rule) const;

  void set_due(rule_id rule, timestamp at);

  /// The rule has something to do that its running chain, if any, does not see to: its next chain begins as
  /// soon as it may.
  void hurry(rule_id rule, timestamp now);

  /// A marker raised the rule's counter. True: its chain runs and should be told.
  [[nodiscard]] bool changed(rule_id rule, std::int64_t counter);

  struct ended {
    rule_id rule{};
    run_ending how = run_ending::completed;
    std::int64_t seen_counter = 0;
    std::optional<timestamp> next_due;
    std::optional<timestamp> retry_at;
  };
  void chain_ended(const ended& chain, timestamp now);

  /// No chain starts within the stop. Returns the rules there whose chains run: they are to be told.
  [[nodiscard]] std::vector<rule_id> set_stop(const stop_target& where);
  void lift_stop(const stop_target& where, timestamp now);
  [[nodiscard]] bool stopped(rule_id rule) const;

  /// The wall clock was set back: sweeps and pauses go back with it. What is due at a time stays due then.
  void clock_set_back(duration by);

  /// The rules whose chains start now, within chains_max; they count as running.
  [[nodiscard]] std::vector<rule_id> take_ready(timestamp now);

  /// When take_ready has something new at the earliest by time alone.
  [[nodiscard]] std::optional<timestamp> next_time() const;

  [[nodiscard]] bool running(rule_id rule) const;
  [[nodiscard]] std::vector<rule_id> running_rules() const;
  [[nodiscard]] std::size_t running_count() const noexcept { return running_; }

  /// Nothing runs and nothing is ready or due.
  [[nodiscard]] bool idle(timestamp now) const;

private:
  struct rule_entry {
    connection_id target{};
    std::int64_t counter = 0; ///< newest known
    std::int64_t seen = 0;    ///< what the last completed chain had seen
    timestamp wake_at{};      ///< the one queue entry that counts
    timestamp sweep_at{};
    std::optional<timestamp> not_before; ///< it has to wait, whatever else asks for it
    std::optional<timestamp> due_at;
    bool open = false;
    bool listed = false;
    bool running = false;
    bool ready = false;
    bool again = false; ///< hurried while its chain ran
    bool backfilling = false;
  };

  struct wake {
    timestamp at{};
    rule_id rule{};
    friend bool operator>(const wake& a, const wake& b) {
      return a.at != b.at ? a.at > b.at : a.rule > b.rule;
    }
  };

  [[nodiscard]] bool stopped(rule_id rule, const rule_entry& entry) const {
    return stops_.reaches(rule, entry.target);
  }
  [[nodiscard]] timestamp first_sweep_of(rule_id rule, timestamp now) const;
  void plan(rule_id rule, rule_entry& entry);
  void make_ready(rule_id rule, rule_entry& entry);
  void collect_due(timestamp now);

  rule_schedule_settings settings_;
  std::unordered_map<rule_id, rule_entry> entries_;
  std::priority_queue<wake, std::vector<wake>, std::greater<>>
      wakes_; ///< entries out of date are passed over
  std::deque<rule_id> ready_;
  stop_set stops_;
  std::size_t running_ = 0;
};

} // namespace sluice::core
