#pragma once

#include "core/stop.hpp"
#include "sim/history.hpp"
#include "sim/notification_history.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace sluice::sim {

struct notification_checker_settings {
  std::vector<core::duration> retry_waits; ///< at one profile
  core::duration asked_beyond_max{};
};

/// Proves what docs/simulation.md promises of notifications. As the other checkers, it knows none of the
/// product's decisions: it is told what was posted, what providers saw, answered and told, what people said,
/// and what the database has when somebody looks. The first violation stays.
class notification_checker {
public:
  explicit notification_checker(notification_checker_settings settings) : settings_(std::move(settings)) {}

  [[nodiscard]] const std::optional<violation>& found() const noexcept { return found_; }

  // what happens

  /// Somebody is to be told something, by the first of these providers or by those behind it.
  void posted(std::int64_t notification, std::vector<std::size_t> route);
  /// A message on its way to a provider, whether it arrives or not.
  void called(const message_call& call, moment at);
  /// A provider gave no access token: attempts may end without a call.
  void token_failed(std::size_t provider) { ++tokens_failed_[provider]; }
  /// The node, or who sends, is gone: answers may be lost …
  void lost() { ++losses_; }
  /// … and these were on their way when it went: nobody can know what became of them.
  void left_in_doubt(std::int64_t notification) { notifications_.at(notification).in_doubt = true; }
  void clock_set() { ++clocks_set_; }
  /// A person asks that it counts as not sent, or as accepted …
  void settling(std::int64_t notification, bool as_sent);
  /// … and was refused.
  void not_settled(std::int64_t notification);
  /// A person was told that it is sent no more.
  void cancelled(std::int64_t notification) { notifications_.at(notification).cancelled = true; }
  void stop_acknowledged(const core::stop_target& where);
  void stop_ended(const core::stop_target& where);

  /// A provider is about to tell this, or has told it in an answer.
  void tells(const told_event& event) { events_.try_emplace(event.key, known_event{event}); }
  /// What it posted was answered.
  void answered(const std::string& key, core::callback_outcome outcome);
  /// It may be too old to be believed: then it is told no more.
  void told_no_more(const std::string& key) { events_.at(key).given_up = true; }
  /// Somebody who is not the provider posted this, and was answered.
  void forged(const std::string& what, const std::string& digest, core::callback_outcome outcome);

  // looking

  void observed(const seen_correspondence& seen);
  /// The quiet phase is over: everything must have come to its end.
  void ended(const seen_correspondence& seen);

private:
  struct sent_message {
    std::size_t provider = 0;
    std::string attempt;
    provider_word told = provider_word::took;
    core::duration answered_at{}; ///< steady
    moment not_before;            ///< of the next call to the same provider
    std::int64_t clocks_set = 0;  ///< of all, when it was sent
  };

  struct notification_facts {
    std::vector<std::size_t> route;
    std::vector<sent_message> sent;
    std::size_t place = 0;
    std::size_t sent_at_place = 0;
    std::int64_t taken = 0;                            ///< the truth
    std::int64_t not_sent = 0;                         ///< times a person said so
    std::int64_t losses = 0;                           ///< of all, when it was posted
    std::map<std::size_t, std::int64_t> tokens_failed; ///< likewise
    bool in_doubt = false;
    bool may_go_again = false; ///< a person said that the last one was not sent
    bool said_accepted = false;
    bool cancelled = false;
  };

  struct known_event {
    told_event what;
    bool acknowledged = false;
    bool given_up = false;
  };

  struct meaning {
    std::string_view state;
    int rank = 0;
  };

  void violated(int property, std::string what);
  [[nodiscard]] static std::string name_of(std::int64_t notification);

  // Calls.
  void check_turn(notification_facts& of, const message_call& call, moment at);
  void check_again(notification_facts& of, const message_call& call, moment at);
  [[nodiscard]] std::size_t place_of(const notification_facts& of, std::size_t provider) const;
  [[nodiscard]] bool exhausted(const notification_facts& of) const;
  void take_down(notification_facts& of, const message_call& call, moment at);

  // notification_checker_looks.cpp
  struct folded {
    std::string state;
    int rank = 0;
    bool told = false;
  };
  [[nodiscard]] static meaning meaning_of(std::string_view word);
  [[nodiscard]] std::map<std::int64_t, folded> check_ledger(const seen_correspondence& seen);
  void check_event(const seen_event& row, const known_event& event,
                   const std::map<std::int64_t, const seen_attempt*>& attempts);
  [[nodiscard]] static bool fits(const told_event& event, const seen_attempt& attempt, bool by_id);
  void check_attempt(const seen_attempt& attempt, const folded& by_events);
  void check_notification(const seen_notification& one, const std::map<std::int64_t, folded>& by_events);
  [[nodiscard]] bool known_taken(const seen_attempt& attempt) const;

  notification_checker_settings settings_;
  std::map<std::int64_t, notification_facts> notifications_;
  std::unordered_map<std::string, known_event> events_;
  std::map<std::size_t, std::int64_t> tokens_failed_;        ///< by provider
  std::set<std::size_t> takes_once_;                         ///< providers that do
  std::map<std::int64_t, int> ranks_;                        ///< of attempts, when somebody last looked
  std::vector<std::pair<std::string, std::int64_t>> forged_; ///< digests, and losses until then
  bool stopped_ = false;                                     ///< everything, and a person was told so
  std::int64_t losses_ = 0;
  std::int64_t clocks_set_ = 0;
  std::optional<violation> found_;
};

} // namespace sluice::sim
