#pragma once

#include "actors/rule_links.hpp"
#include "core/turn_rota.hpp"
#include "messages/event_reads.hpp"
#include "messages/event_records.hpp"
#include "messages/fan_out.hpp"
#include "messages/push_dispatcher.hpp"
#include "messages/replayer.hpp"
#include "messages/subscription.hpp"

#include <caf/actor_addr.hpp>
#include <caf/error.hpp>
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

/// The push_dispatcher: which subscriptions push, and when.
///
///   waiting for the stops --stops_told--> dispatching --shut_down--> stopping --every turn ended--> stopped
///
/// A subscription has an actor while it is its turn, and core::push_rota says whose turn it is: an idle one
/// is nothing but its due time, and nothing at all where it has none. Fan-out, its child, tells it what was
/// written and that subscriptions changed; turns tell it when something falls due again. An actor that died
/// is replaced, but not before the courier says that none of its calls is out.
///
/// The replayer is its child, too, and is replaced when it dies: what it had begun is the database's.
///
/// It is the front door for people: what concerns a subscription is made durable and has reached its turn
/// before it is answered. It removes what is retained no longer. It claims nothing and sends nothing.
namespace sluice::actors {

struct push_dispatcher_resources {
  std::shared_ptr<const node_links> node;
  messages::reader reader;
};

class push_dispatcher_state {
public:
  static constexpr const char* name = "push_dispatcher";

  explicit push_dispatcher_state(messages::push_dispatcher::pointer self)
      : self_(self), stops_known_(false), listing_(false), list_again_(false), stopping_(false) {}

  push_dispatcher_state(const push_dispatcher_state&) = delete;
  push_dispatcher_state& operator=(const push_dispatcher_state&) = delete;
  ~push_dispatcher_state(); ///< its fan-out, its replayer and its subscriptions end with it

  messages::push_dispatcher::behavior_type behavior(push_dispatcher_resources resources);

  /// The actors it keeps, for whoever looks at a node from outside (the harness). Empty where there is none.
  [[nodiscard]] messages::subscription subscription_actor(core::subscription_id subscription) const;
  [[nodiscard]] const messages::fan_out& fan_out_actor() const noexcept { return fan_out_; }
  [[nodiscard]] const messages::replayer& replayer_actor() const noexcept { return replayer_; }

private:
  using promise = caf::typed_response_promise<void>;

  static constexpr std::uint64_t tick_token = 1;
  static constexpr std::uint64_t due_token = 2;

  void on_turn_ended(const messages::turn_ended& told);
  void on_deliveries_written(const messages::deliveries_written& told);
  void on_subscriptions_changed();
  caf::result<messages::subscription_status_recorded>
  on_change_subscription_status(messages::change_subscription_status& ask);
  caf::result<core::event_delivery> on_restart_delivery(messages::restart_delivery& ask);
  caf::result<core::replay_job> on_start_replay(messages::start_replay& ask);
  caf::result<core::replay_job> on_cancel_replay(messages::cancel_replay& ask);
  void on_subscription_changed(const messages::subscription_changed& told);
  void on_stop_scope(const messages::stop_scope& told);
  void on_resume_scope(const messages::resume_scope& told);
  void on_stops_told();
  void on_changes_hinted();
  caf::result<void> on_shut_down();
  void on_push_tick();
  void on_alarm_rang(messages::alarm_rang rang);
  void on_down(const caf::down_msg& down);

  // Turns: push_dispatcher.cpp.
  void spawn_fan_out();
  void start_ready();
  void begin(const core::push_rota::turn& turn);
  void dismiss(core::subscription_id subscription);
  void note_due(core::subscription_id subscription, core::timestamp at, bool failing = false);
  void restart(core::subscription_id subscription);
  void reach(core::subscription_id subscription, const std::function<void()>& reached);
  void plan_alarm();
  void answer_waiting();
  [[nodiscard]] core::timestamp now() const { return resources_.node->time->wall(); }

  void spawn_replayer(); // push_dispatcher_replays.cpp, with both ends of a replay

  // What the database says and keeps: push_dispatcher_records.cpp.
  void list_dues();
  void listed(const std::vector<core::subscription_due>& dues);
  void refuse_open();
  void clean_up();
  void prune(const messages::prune_events& ask);

  messages::push_dispatcher::pointer self_;
  push_dispatcher_resources resources_;
  core::push_rota rota_;
  messages::fan_out fan_out_;
  messages::replayer replayer_;
  std::unordered_map<core::subscription_id, messages::subscription> actors_;
  std::unordered_map<caf::actor_addr, core::subscription_id> subscription_of_;
  std::vector<promise> shut_down_;
  std::optional<core::timestamp> alarm_at_;
  core::timestamp listed_at_{};
  core::timestamp cleaned_up_at_{};
  bool stops_known_;
  bool listing_;
  bool list_again_;
  bool stopping_;
};

[[nodiscard]] messages::push_dispatcher::behavior_type
push_dispatcher(messages::push_dispatcher::stateful_pointer<push_dispatcher_state> self,
                push_dispatcher_resources resources);

} // namespace sluice::actors
