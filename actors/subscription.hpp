#pragma once

#include "actors/push_request.hpp"
#include "actors/rule_links.hpp"
#include "core/event_delivery.hpp"
#include "core/push_schedule.hpp"
#include "core/sending_turn.hpp"
#include "messages/event_reads.hpp"
#include "messages/event_records.hpp"
#include "messages/push_dispatcher.hpp"
#include "messages/subscription.hpp"

#include <caf/error.hpp>
#include <caf/result.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

/// One subscription's actor: pushes its deliveries while it is its turn.
///
///   resting --begin_turn--> loading --> claiming --> calls out --> recording --> … --> turn_ended, resting
///
/// It claims a few deliveries, whose attempts are numbered and durable before their calls leave; places the
/// calls; records what they came to, many at once while the recorder is busy. How many it claims begins with
/// one and doubles with each success up to the settings' limit; after a failure it is one again, and a turn
/// that began without failures ends, so that a slow subscriber holds a place among the failing ones only.
///
/// The push_dispatcher alone talks to it and keeps it no longer than its turn; it asks the recorder, a
/// reader, the courier and, when the database does not answer, the alarm. What never left is given back. A
/// claim whose lease lapsed while its call is out is not claimed again before the call has come back.
namespace sluice::actors {

struct subscription_resources {
  core::subscription_id subscription{};
  std::shared_ptr<const node_links> node;
  messages::reader reader;
  messages::push_dispatcher pushes;
};

class subscription_state {
public:
  static constexpr const char* name = "subscription";

  explicit subscription_state(messages::subscription::pointer self) : self_(self) {}

  messages::subscription::behavior_type behavior(subscription_resources resources);

private:
  /// A claimed delivery whose call is out.
  struct held_delivery {
    std::int64_t number = 0;
    std::int32_t round_attempts = 0;
    core::timestamp lease_until{};
    std::size_t bytes = 0;
  };

  /// What is known of the turn it has.
  struct turn : core::sending_turn {
    bool disabled = false; ///< it has become so
  };

  void on_begin_turn(const messages::begin_turn& told);
  void on_more_due();
  void on_look_at_settings();
  caf::result<void> on_end_turn();
  void on_calls_answered(messages::calls_answered& told);
  void on_alarm_rang();

  // The turn: subscription.cpp.
  void load();
  void on_loaded(messages::subscription_loaded& answer);
  void leave();
  void disable(core::disable_cause cause);
  void go_on();
  [[nodiscard]] bool may_claim() const;
  [[nodiscard]] bool busy() const;
  void finish();

  // Claims and what becomes of them: subscription_pushes.cpp.
  void claim();
  void on_claimed(core::delivery_claims& claims);
  [[nodiscard]] std::optional<core::outbound_call> hold(core::claimed_delivery& delivery);
  [[nodiscard]] std::int64_t claim_limit() const;
  void take_answer(core::call_answer& answer);
  void note_success();
  void note_failure();
  void record();
  void on_recorded(const core::attempts_recorded& answer);
  void on_write_failed(const caf::error& error);
  [[nodiscard]] core::push_schedule schedule() const;
  [[nodiscard]] double jitter();

  [[nodiscard]] core::timestamp now() const { return resources_.node->time->wall(); }
  [[nodiscard]] const config::subscription_settings& settings() const {
    return resources_.node->settings->subscriptions;
  }
  [[nodiscard]] core::duration patience() const { return resources_.node->settings->actors.request_timeout; }

  messages::subscription::pointer self_;
  subscription_resources resources_;
  turn turn_;
  std::optional<push_request_maker> requests_; ///< absent: to be loaded, or there is nobody to push to
  std::map<core::event_position, held_delivery> held_;
  std::size_t held_bytes_ = 0;
  std::size_t event_bytes_ = 0;                  ///< of the last claim's events, on the average
  std::vector<core::ended_attempt> ended_;       ///< to be recorded
  std::vector<core::returned_attempt> returned_; ///< to be given back
  int writes_ = 0;                               ///< of the two, out
  int questions_ = 0;                            ///< claims and loads that are out
  bool waiting_ = false;                         ///< for the alarm: the database did not take a write
  std::minstd_rand random_;
};

[[nodiscard]] messages::subscription::behavior_type
subscription(messages::subscription::stateful_pointer<subscription_state> self,
             subscription_resources resources);

} // namespace sluice::actors
