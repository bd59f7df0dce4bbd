#pragma once

#include "actors/notifier.hpp"
#include "core/turn_rota.hpp"
#include "messages/notification_dispatcher.hpp"
#include "messages/notification_reads.hpp"
#include "messages/notification_records.hpp"
#include "messages/notifier.hpp"
#include "messages/reconciler.hpp"

#include <caf/actor_addr.hpp>
#include <caf/result.hpp>
#include <caf/system_messages.hpp>
#include <caf/typed_event_based_actor.hpp>
#include <caf/typed_response_promise.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

/// The notification_dispatcher: which provider profiles send, and when.
///
///   waiting for the stops --stops_told--> dispatching --shut_down--> stopping --every turn ended--> stopped
///
/// A profile has a notifier while it is its turn, and core::sending_rota says whose turn it is: an idle one
/// is nothing but its due time, an access token that is still good, and nothing at all where it has neither.
/// Whoever makes a notification tells it; every tick asks the database for what nobody told. A profile whose
/// provider asked for a pause is not due before that is over. A notifier that died is replaced, but not
/// before the courier says that none of its calls is out.
///
/// The reconciler is its child, and is replaced when it dies: what it looks after is the database's.
///
/// It is the front door for people: what they cancel or settle is durable before it is answered. It removes
/// what is retained no longer. It claims nothing and sends nothing.
namespace sluice::actors {

struct notification_dispatcher_resources {
  std::shared_ptr<const node_links> node;
  messages::reader reader;
  messages::projection_listener projections{}; ///< is told when there is something to project; none: nobody
  adapter_maker make_adapter{};                ///< empty: providers' own, for profiles without callbacks
};

class notification_dispatcher_state {
public:
  static constexpr const char* name = "notification_dispatcher";

  explicit notification_dispatcher_state(messages::notification_dispatcher::pointer self)
      : self_(self), stops_known_(false), listing_(false), pruning_(false), stopping_(false) {}

  notification_dispatcher_state(const notification_dispatcher_state&) = delete;
  notification_dispatcher_state& operator=(const notification_dispatcher_state&) = delete;
  ~notification_dispatcher_state(); ///< its notifiers and its reconciler end with it

  messages::notification_dispatcher::behavior_type behavior(notification_dispatcher_resources resources);

  /// The actors it keeps, for whoever looks at a node from outside (the harness). Empty where there is none.
  [[nodiscard]] messages::notifier notifier_actor(core::provider_profile_id profile) const;
  [[nodiscard]] const messages::reconciler& reconciler_actor() const noexcept { return reconciler_; }

private:
  using promise = caf::typed_response_promise<void>;

  static constexpr std::uint64_t tick_token = 1;
  static constexpr std::uint64_t due_token = 2;

  void on_sending_ended(messages::sending_ended& told);
  void on_notifications_due(const messages::notifications_due& told);
  void on_early_events_found();
  void on_profiles_changed();
  caf::result<core::notification_record> on_cancel_notification(messages::cancel_notification& ask);
  caf::result<core::notification_record> on_settle_notification(messages::settle_notification& ask);
  void on_rules_here(messages::rules_here& told);
  void on_stop_scope(const messages::stop_scope& told);
  void on_resume_scope(const messages::resume_scope& told);
  void on_stops_told();
  caf::result<void> on_shut_down();
  void on_sending_tick();
  void on_alarm_rang(messages::alarm_rang rang);
  void on_down(const caf::down_msg& down);

  // Turns: notification_dispatcher.cpp.
  void spawn_reconciler();
  void start_ready();
  void begin(const core::sending_rota::turn& turn);
  void dismiss(core::provider_profile_id profile);
  void note_due(core::provider_profile_id profile, core::timestamp at);
  void restart(core::provider_profile_id profile);
  void end_sending(core::provider_profile_id profile);
  void plan_alarm();
  void answer_waiting();
  [[nodiscard]] core::timestamp after_pause(core::provider_profile_id profile, core::timestamp at) const;
  [[nodiscard]] core::timestamp now() const { return resources_.node->time->wall(); }

  // What the database says and keeps: notification_dispatcher_records.cpp.
  void list_dues();
  void listed(const messages::notification_dues_listed& answer);
  void clean_up();
  void prune(const messages::prune_notifications& ask);
  void forget_what_is_over();

  messages::notification_dispatcher::pointer self_;
  notification_dispatcher_resources resources_;
  core::sending_rota rota_;
  messages::reconciler reconciler_;
  messages::rule_front rules_; ///< for the reconciler
  std::unordered_map<core::provider_profile_id, messages::notifier> actors_;
  std::unordered_map<caf::actor_addr, core::provider_profile_id> profile_of_;
  std::unordered_map<core::provider_profile_id, core::timestamp> paused_until_;
  std::unordered_map<core::provider_profile_id, messages::held_token> tokens_;
  std::vector<promise> shut_down_;
  std::optional<core::timestamp> alarm_at_;
  std::optional<std::int64_t> profiles_version_;
  core::timestamp cleaned_up_at_{};
  bool stops_known_;
  bool listing_;
  bool pruning_;
  bool stopping_;
};

[[nodiscard]] messages::notification_dispatcher::behavior_type notification_dispatcher(
    messages::notification_dispatcher::stateful_pointer<notification_dispatcher_state> self,
    notification_dispatcher_resources resources);

} // namespace sluice::actors
