#pragma once

#include "core/ids.hpp"
#include "core/stop.hpp"
#include "core/time.hpp"
#include "sim/event_history.hpp"
#include "sim/history.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace sluice::sim {

struct event_checker_settings {
  std::vector<core::duration> retry_waits;
  core::duration asked_beyond_max{};
  core::duration lease{}; ///< within it, what was claimed before a person's retry may still leave
};

/// Proves what docs/simulation.md promises of subscriptions. As the checker, it knows none of the product's
/// decisions: it is told what sources and applications wrote, what subscribers saw and answered, what people
/// asked for, and what the deliveries are when somebody looks. The first violation stays.
class event_checker {
public:
  explicit event_checker(event_checker_settings settings) : settings_(std::move(settings)) {}

  [[nodiscard]] const std::optional<violation>& found() const noexcept { return found_; }

  // what happens

  /// A source's change, from the first one on.
  void changed(const record_change& change, moment at);
  /// From here on changes are events, and somebody is told.
  void begin() { begun_ = true; }
  void published(const std::string& type, const std::string& about, bool passes, const std::string& body,
                 moment at);
  void subscribed(const subscription_facts& facts, const std::string& secret, moment at);
  /// The one before goes on signing until then.
  void rotated(core::subscription_id subscription, const std::string& secret, core::timestamp until,
               moment at);
  void pushed(const push_call& call, moment at);
  /// One event of a page, in the page's order.
  void pulled(core::subscription_id subscription, const std::string& event);
  /// The node, or an actor that pushes, is gone: answers may be lost.
  void lost(moment at) {
    ++losses_;
    lost_at_ = at.steady;
  }
  void clock_set(moment at) { clock_set_at_ = at.steady; }
  /// A person asks that a delivery begins anew.
  void restarted(core::subscription_id subscription, const std::string& event, moment at);
  /// A person was told that nothing is pushed to it any more …
  void silenced(core::subscription_id subscription) { subscriptions_[subscription].silent = true; }
  /// … or asks that it is again.
  void unsilenced(core::subscription_id subscription) { subscriptions_[subscription].silent = false; }
  /// A person was told that no call starts there any more …
  void stop_acknowledged(const core::stop_target& where) { stops_.push_back(where); }
  /// … or asks for its end.
  void stop_ended(const core::stop_target& where) { std::erase(stops_, where); }

  // looking

  void observed(core::subscription_id subscription, const std::vector<seen_delivery>& deliveries, moment at);
  /// The quiet phase is over: every event must have come to its end everywhere.
  void ended(core::subscription_id subscription, const std::vector<seen_delivery>& deliveries);

private:
  struct signing_key {
    std::string secret;
    std::optional<core::timestamp> until;
    core::duration since{}; ///< steady
  };

  /// What is known of one event for one subscription.
  struct delivery_facts {
    std::int64_t started = 0; ///< calls
    std::size_t round = 0;    ///< of them, those since a person's retry
    std::int64_t losses = 0;  ///< of all, when the last one started
    std::optional<core::duration> acknowledged_at;
    std::optional<core::duration> refused_at; ///< for good
    std::optional<moment> not_before;         ///< of the next call, by the schedule …
    std::optional<moment> asked_before;       ///< … and by what the subscriber asked for
    std::optional<core::duration> restarted_at;
    bool pulled = false;
  };

  struct subscription_record {
    subscription_facts facts;
    std::vector<signing_key> keys; ///< the current one first
    std::map<std::size_t, delivery_facts> deliveries;
    std::size_t next_to_pull = 0; ///< everything before it was pulled or is not for it
    bool silent = false;
  };

  struct known_record {
    std::string payload; ///< of its last live version …
    std::string payload_before;
    bool live = false;
    bool passes = true; ///< … and whether that passes
    bool passes_before = true;
  };

  void violated(int property, std::string what);
  void write(written_event event);
  [[nodiscard]] static bool wants(const subscription_facts& facts, const written_event& event);
  [[nodiscard]] std::string name_of(const subscription_record& of, std::size_t event) const;

  // event_checker_pushes.cpp
  [[nodiscard]] std::optional<std::size_t> event_in(const std::string& body) const;
  void check_identity(const push_call& call, std::size_t event);
  void check_signature(const push_call& call, const subscription_record& of, moment at);
  void check_schedule(const delivery_facts& delivery, const std::string& what, moment at);
  void check_order(const subscription_record& of, std::size_t event, moment at);
  [[nodiscard]] bool concluded(const subscription_record& of, std::size_t event, moment at) const;
  void answered(const push_call& call, delivery_facts& delivery, moment at);
  [[nodiscard]] bool just_restarted(const delivery_facts& delivery, moment at) const;
  [[nodiscard]] bool exhausted(const delivery_facts& delivery, std::size_t event) const;

  // event_checker_looks.cpp
  void check_row(const subscription_record& of, std::size_t event, const seen_delivery& row, bool resting);

  event_checker_settings settings_;
  std::vector<written_event> events_; ///< in the order they were written
  std::unordered_map<std::string, std::size_t> by_key_;
  std::unordered_map<std::string, std::vector<std::size_t>> about_;
  std::unordered_map<std::string, known_record> records_;
  std::unordered_map<std::string, std::pair<std::size_t, std::string>> ids_; ///< webhook ids: event and bytes
  std::unordered_map<std::size_t, std::string> id_of_;
  std::map<core::subscription_id, subscription_record> subscriptions_;
  std::vector<core::stop_target> stops_; ///< acknowledged, and not asked to end
  std::optional<core::duration> clock_set_at_;
  std::int64_t losses_ = 0;
  std::optional<core::duration> lost_at_; ///< the last time
  bool begun_ = false;
  std::optional<violation> found_;
};

} // namespace sluice::sim
