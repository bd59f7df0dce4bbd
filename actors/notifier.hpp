#pragma once

#include "actors/adapter_maker.hpp"
#include "actors/rule_links.hpp"
#include "core/notification_work.hpp"
#include "core/push_schedule.hpp"
#include "core/sending_turn.hpp"
#include "messages/notification_dispatcher.hpp"
#include "messages/notification_reads.hpp"
#include "messages/notification_records.hpp"
#include "messages/notifier.hpp"
#include "providers/notification_adapter.hpp"

#include <caf/error.hpp>
#include <caf/result.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

/// One provider profile's notifier: sends its notifications while it is its turn.
///
///   resting --begin_sending--> loading --> claiming --> (token) --> calls out --> recording --> … -->
///   sending_ended, resting
///
/// It claims a few notifications, whose attempts are numbered and durable before their calls leave; has the
/// adapter build the calls, places them, and records what the adapter reads in the answers, many at once
/// while the recorder is busy. Where the adapter needs an access token, one is made or fetched for all that
/// wait for it, kept until shortly before it expires, and dropped when the provider refuses it. An answer
/// that shows nothing but a wrong clock has its attempt's call made once more, by the time that was told. How
/// many it claims begins with one and doubles with each answer up to the settings' limit; where the provider
/// itself is in trouble, or asks for a pause, the turn ends.
///
/// The notification_dispatcher alone talks to it and keeps it no longer than its turn; it asks the recorder,
/// a reader, the courier and, when the database does not answer, the alarm. It never decides how a
/// notification goes on (core/notification_progress.hpp), and never sends again what may have been taken.
/// What never left is given back and costs no attempt.
namespace sluice::actors {

struct notifier_resources {
  core::provider_profile_id profile{};
  std::shared_ptr<const node_links> node;
  messages::reader reader;
  messages::notification_dispatcher dispatcher;
  adapter_maker make_adapter;
};

class notifier_state {
public:
  static constexpr const char* name = "notifier";

  explicit notifier_state(messages::notifier::pointer self) : self_(self) {}

  messages::notifier::behavior_type behavior(notifier_resources resources);

private:
  using adapter_pointer = std::shared_ptr<const providers::notification_adapter>;

  /// A claimed notification whose call is out.
  struct held_send {
    core::claimed_notification claimed;
    adapter_pointer by; ///< that made the call, and reads the answer
    std::string token;  ///< that went along
    bool again = false; ///< it is the one repetition an attempt may have
  };

  /// What is known of the turn it has.
  struct turn : core::sending_turn {
    bool clock_told = false; ///< that the clock is wrong was logged
    std::optional<core::timestamp> paused_until;
  };

  void on_begin_sending(messages::begin_sending& told);
  void on_more_due();
  void on_look_at_profile();
  caf::result<void> on_end_sending();
  void on_calls_answered(messages::calls_answered& told);
  void on_alarm_rang();

  // The turn: notifier.cpp.
  void load();
  void on_loaded(messages::profile_opened& answer);
  void take_profile(core::provider_profile found);
  void leave();
  void go_on();
  [[nodiscard]] bool may_claim() const;
  [[nodiscard]] bool busy() const;
  void finish();

  // Claims, calls and answers: notifier_sends.cpp.
  void claim();
  void on_claimed(core::notification_claims& claims);
  [[nodiscard]] std::int64_t claim_limit() const;
  void send_unsent();
  void give_unsent_back();
  [[nodiscard]] std::optional<core::outbound_call> call_of(held_send send, core::timestamp at);
  void take_answer(core::call_answer& answer);
  [[nodiscard]] bool sent_again(held_send& send, const core::http_answer& answer);
  void note_wrong_clock(core::timestamp told);
  void take_back(const held_send& send);
  void end_attempt(const core::claimed_notification& claimed, core::submission what);
  void note_success();
  void note_failure();
  void pause(core::duration wait);

  // The access token: notifier_token.cpp.
  [[nodiscard]] bool has_token();
  void fetch_token(core::timestamp at);
  void take_token_answer(const core::http_answer& answer);
  void keep_token(providers::notification_adapter::access_token got);
  void end_without_token(core::submission why, const core::http_answer& answer);
  void adopt(const std::optional<messages::held_token>& token);
  [[nodiscard]] std::optional<messages::held_token> token_to_hand_over() const;

  // What it came to: notifier_records.cpp.
  void record();
  void record_ended();
  void record_returned();
  void on_recorded(const core::submissions_recorded& answer, std::uint64_t told);
  void on_write_failed(const caf::error& error);
  void log_failure(const caf::error& error) const;

  [[nodiscard]] core::push_schedule schedule() const;
  [[nodiscard]] core::reconciliation_schedule looks() const;
  [[nodiscard]] double jitter();
  [[nodiscard]] std::size_t held_count() const { return held_.size() + unsent_.size(); }
  [[nodiscard]] core::timestamp now() const { return resources_.node->time->wall(); }
  [[nodiscard]] const config::notification_settings& settings() const {
    return resources_.node->settings->notifications;
  }
  [[nodiscard]] core::duration patience() const { return resources_.node->settings->actors.request_timeout; }

  messages::notifier::pointer self_;
  notifier_resources resources_;
  turn turn_;
  bool loaded_ = false; ///< profile, adapter and refusal are as the database has them
  std::optional<core::provider_profile> profile_; ///< that the adapter and the token are made for
  adapter_pointer adapter_;
  std::optional<core::submission> refusal_;        ///< what every message comes to, where there is no adapter
  std::vector<core::claimed_notification> unsent_; ///< they wait for an access token
  std::map<std::uint64_t, held_send> held_;        ///< by the number of the call
  std::uint64_t calls_ = 0;
  std::size_t held_bytes_ = 0;
  std::size_t content_bytes_ = 0; ///< of the last claim's contents, on the average
  std::string token_;
  core::timestamp token_good_until_{};
  adapter_pointer token_by_;                        ///< that asks for it
  bool token_out_ = false;                          ///< its call is
  bool token_again_ = false;                        ///< that call is the one repetition it may have
  std::vector<core::ended_submission> ended_;       ///< to be recorded
  std::vector<core::returned_submission> returned_; ///< to be given back
  int writes_ = 0;                                  ///< of the two, out
  int questions_ = 0;                               ///< claims and loads that are out
  bool waiting_ = false;                            ///< for the alarm: the database did not take a write
  std::minstd_rand random_;
};

[[nodiscard]] messages::notifier::behavior_type
notifier(messages::notifier::stateful_pointer<notifier_state> self, notifier_resources resources);

} // namespace sluice::actors
