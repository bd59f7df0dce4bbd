#pragma once

#include "core/stop.hpp"
#include "core/time.hpp"
#include "core/volume_breaker.hpp"
#include "sim/history.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace sluice::sim {

struct checker_settings {
  std::vector<core::duration> retry_waits; ///< of the node's settings
  core::duration settle_after{};
  core::duration call_timeout{};
  core::duration default_block{};
  std::size_t calls_out_max = 0; ///< what one rule may have handed over and not heard of
  std::size_t messages_max = 0;  ///< what may wait in all mailboxes
  core::volume_settings volume;
};

/// Proves the properties docs/simulation.md lists. It knows nothing of the product's decisions: it is told
/// what sources wrote, what targets saw and answered, and what the ledger and the cursor say when somebody
/// looks, and draws its own conclusions. The first violation stays.
class checker {
public:
  checker(checker_settings settings, std::vector<target_facts> targets)
      : settings_(std::move(settings)), targets_(std::move(targets)), windows_(targets_.size()) {}

  [[nodiscard]] const std::optional<violation>& found() const noexcept { return found_; }

  // what happens

  void rule_is(const rule_facts& rule) { rules_[rule.rule] = rule; }
  void target_is(std::size_t target, core::connection_id connection) {
    targets_[target].connection = connection;
  }
  void source_wrote(const std::string& source_id, const source_version& version);
  /// Its last version was never committed.
  void source_took_back(const std::string& source_id) { versions_[source_id].pop_back(); }
  void committed_late(const std::string& source_id) { late_.insert(source_id); }
  /// Any call, lookups and calls for tokens included, whether it arrives or not.
  void call_started(std::size_t target, core::rule_id rule);
  /// Any call that arrives: what the budget counts.
  void request_arrived(std::size_t target, moment at);
  void rate_limited(std::size_t target, core::duration wait, core::duration takes, moment at);
  void called(const record_call& call, moment at);
  void object_forgotten(std::size_t target, const std::string& id);
  void clock_set(core::duration by, moment at);
  /// The node, or one rule's actor, is gone: what was answered but not recorded is lost.
  void lost(std::optional<core::rule_id> rule, moment at);
  /// A person lets so many of a rule's held withdrawals go.
  void released(core::rule_id rule, std::int64_t allowed, moment at);
  void backfill_aborted(core::rule_id rule) { aborted_.insert(rule); }
  /// A person asks for a backfill that sends again what the target has.
  void resend_asked(core::rule_id rule, moment at) { resending_[rule] = at.steady; }
  /// A person was told that no call starts there any more.
  void stop_acknowledged(const core::stop_target& where);
  /// A person asks for its end.
  void stop_ended(const core::stop_target& where) { std::erase(stops_, where); }
  void calls_out(core::rule_id rule, std::size_t count);
  void messages_wait(std::size_t count);
  void stale_owner_wrote(const std::string& what) { violated(6, what); }

  // looking

  void observed(const observation& seen, moment at);
  /// The quiet phase is over: everything must have come to rest.
  void ended(const observation& seen, const std::vector<seen_object>& held);
  void never_ended(const std::string& what) { violated(1, what); }

private:
  enum class result : std::uint8_t { accepted, failed, unknown, gone, waits, found, not_found };

  /// A create whose outcome its rule cannot know.
  struct unknown_create {
    moment since;
    std::string key;
  };

  /// What is known of one record under one rule.
  struct record_facts {
    std::int64_t written = 0;         ///< the newest version the target was made to hold
    std::int64_t withdrawn = 0;       ///< the source's newest version when the target last let it go
    std::int64_t told = 0;            ///< the newest version whose success the rule was told
    std::size_t failures = 0;         ///< answered failures since the last success
    std::size_t failures_before = 0;  ///< before a reactivation: its row is written with what follows it
    std::optional<moment> not_before; ///< of the next attempt
    bool uncertain = false;           ///< whether the last answers were recorded, nobody can say
    bool removed = false;             ///< its rule has it removed, and wrote nothing there since
    bool said_gone = false;           ///< the target said once that it is not there
    bool forgotten = false;           ///< the target lost it
    bool repeats = false;             ///< a repeat of what was answered is no surprise
    bool acknowledged = false;        ///< its rule was told once that the target holds it
    std::optional<unknown_create> unknown;
    core::duration answered_at{-1};
    core::duration concluded_at{-1}; ///< an answer that was not only to wait
  };

  struct coming_answer {
    record_call call;
    core::timestamp sent_at{};
    bool settles = false;
  };

  struct rate_window {
    std::deque<core::duration> starts; ///< of the last 60 s
    struct block {
      moment until;
      core::duration from{}; ///< when the answer is there
    };
    std::vector<block> blocks;
  };

  /// What the volume breaker may let go of one rule.
  struct withdrawal_window {
    std::deque<std::pair<core::duration, std::string>> told; ///< successes the rule was told, and of what
    std::deque<std::pair<core::duration, std::int64_t>> releases;
  };

  using record_key = std::pair<core::rule_id, std::string>;

  void violated(int property, std::string what);
  record_facts& facts_of(core::rule_id rule, const std::string& source_id);
  [[nodiscard]] const source_version* newest(const std::string& source_id) const;
  void answers_until(moment at);

  // checker_calls.cpp
  void check_begin(const record_call& call, record_facts& record, moment at);
  void check_effect(const record_call& call, record_facts& record);
  void check_create(const record_call& call, record_facts& record);
  void check_parent(const record_call& call);
  void check_withdrawal(const record_call& call, const record_facts& record);
  void check_volume(const record_call& call, moment at);
  [[nodiscard]] std::int64_t withdrawals_allowed(const withdrawal_window& window) const;
  void check_again(const record_call& call, record_facts& record, moment at);
  void answered(const coming_answer& answer, moment at);
  [[nodiscard]] result result_of(const record_call& call) const;
  void failed(record_facts& record, moment at);
  [[nodiscard]] bool may_settle(const record_call& call, core::duration concluded_before, moment at) const;
  void looked_up(record_facts& record, result came_to, core::timestamp sent_at, moment at);

  // checker_ledger.cpp
  using held_objects = std::unordered_map<std::string, std::vector<const seen_object*>>;
  void check_cursor(const observation& seen);
  void check_backfill(const observation& seen, const core::delivery_cursor& before);
  void check_attempts(const core::candidate& record, core::rule_id rule);
  void check_unasked(const core::candidate& record, const rule_facts& rule);
  void check_record(const core::candidate& record, const rule_facts& rule, const held_objects& held);
  void check_waits(const core::candidate& record, const rule_facts& rule, const held_objects& held);
  void check_tombstone(const core::candidate& record, const rule_facts& rule,
                       const std::vector<const seen_object*>& held);
  void check_held(const core::candidate& record, const record_facts& facts,
                  const std::vector<const seen_object*>& held, bool active);

  checker_settings settings_;
  std::vector<target_facts> targets_;
  std::vector<rate_window> windows_;
  std::unordered_map<core::rule_id, withdrawal_window> withdrawals_;
  std::unordered_map<core::rule_id, rule_facts> rules_;
  std::unordered_map<std::string, std::vector<source_version>> versions_;
  std::map<record_key, record_facts> records_;
  std::multimap<core::duration, coming_answer> coming_;
  /// Live objects of each target, by the record they are of.
  std::map<std::pair<std::size_t, std::string>, std::map<std::string, bool>> objects_;
  std::map<core::rule_id, core::duration> lost_at_;         ///< when the rule's actor last lost what it knew
  std::set<std::pair<std::size_t, std::string>> forgotten_; ///< objects, by their targets
  std::unordered_set<std::string> late_;
  std::unordered_set<core::rule_id> aborted_;
  std::unordered_map<core::rule_id, core::duration> resending_; ///< since when it was asked for
  std::vector<core::stop_target> stops_;                        ///< acknowledged, and not asked to end
  std::unordered_map<core::rule_id, core::delivery_cursor> cursors_;
  std::unordered_map<core::rule_id, std::size_t> calls_out_;
  std::optional<violation> found_;
};

} // namespace sluice::sim
