#pragma once

#include "actors/rule_links.hpp"
#include "core/candidate_batch.hpp"
#include "core/rule_schedule.hpp"
#include "messages/dispatcher.hpp"
#include "messages/notification_dispatcher.hpp"
#include "messages/push_dispatcher.hpp"
#include "messages/reader.hpp"
#include "messages/recorder.hpp"
#include "messages/sync_rule.hpp"

#include <caf/actor_addr.hpp>
#include <caf/result.hpp>
#include <caf/system_messages.hpp>
#include <caf/typed_event_based_actor.hpp>
#include <caf/typed_response_promise.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

/// The dispatcher: which rules run, and when.
///
///   starting --stops known, routes listed--> dispatching --shut_down--> stopping --every chain ended-->
///   stopped
///
/// It keeps one rule actor for every active push-out rule and starts its chain when the source changed
/// (markers), when something falls due, while a backfill is in progress, and at least once a sweep interval.
/// Rules tell it when a chain has ended. It alone consumes change markers. A rule actor that died is started
/// again, but not before the courier says that none of its calls is out. It starts rules that depend on one
/// that created something.
///
/// It is the front door for people: a stop is durable, then told to the courier, and answered once the
/// courier has acknowledged it; no chain starts before the courier knows the stops that were live when the
/// node started. An act on a rule is handed to that rule's actor. It reads no record and decides nothing
/// about one.
namespace sluice::actors {

struct dispatcher_resources {
  std::shared_ptr<const node_links> node;
  std::vector<messages::reader> readers;  ///< at least one
  messages::push_dispatcher pushes{};     ///< is told of every stop; none: the node pushes nothing
  std::function<void(std::string)> unfit; ///< this node must not go on: its lease is lost
  core::first_sweep first_sweep = core::first_sweep::at_once;
  messages::notification_dispatcher notifications{}; ///< likewise; none: the node sends no notifications
};

class dispatcher_state {
public:
  static constexpr const char* name = "dispatcher";

  explicit dispatcher_state(messages::dispatcher::pointer self) : self_(self), stopping_(false) {}

  dispatcher_state(const dispatcher_state&) = delete;
  dispatcher_state& operator=(const dispatcher_state&) = delete;
  ~dispatcher_state(); ///< its rules, throttles and token keepers end with it

  messages::dispatcher::behavior_type behavior(dispatcher_resources resources);

  /// The actors it keeps, for whoever looks at a node from outside its threads' work (the harness). Empty
  /// where there is none.
  [[nodiscard]] messages::sync_rule rule_actor(core::rule_id rule) const;
  [[nodiscard]] messages::throttle throttle_of(core::connection_id target) const;
  [[nodiscard]] messages::token_keeper token_keeper_of(core::connection_id target) const;

private:
  using promise = caf::typed_response_promise<void>;

  static constexpr std::uint64_t tick_token = 1;
  static constexpr std::uint64_t due_token = 2;

  struct target_actors {
    messages::throttle throttle;
    messages::token_keeper token_keeper;
  };

  struct rule_entry {
    messages::sync_rule actor;
    core::connection_id target{};
  };

  void on_chain_ended(const messages::chain_ended& told);
  void on_chain_wanted(messages::chain_wanted told);
  void on_references_made(messages::references_made told);
  void on_creates_due(const messages::creates_due& told);
  caf::result<core::stop_in_force> on_set_stop(const messages::set_stop& ask);
  caf::result<core::delivery_stop> on_end_stop(messages::end_stop& ask);
  caf::result<core::rule_job> on_start_job(messages::start_job& act);
  template <class Answer, class Act>
  caf::result<Answer> hand_on(core::rule_id rule, Act& act);
  template <class Answer>
  caf::result<Answer> refuse_act(core::rule_id rule);
  messages::target_found on_find_target(const messages::find_target& ask);
  void on_changes_hinted();
  caf::result<void> on_await_idle();
  caf::result<void> on_shut_down();
  void on_dispatch_tick();
  void watch_clock();
  void on_alarm_rang(messages::alarm_rang rang);

  // What the database says: dispatcher_changes.cpp.
  void look_for_changes();
  void on_changes_seen(const messages::changes_seen& seen);
  void consume_markers();
  void list_routes(std::int64_t configuration_version);
  void on_routes_listed(messages::routes_listed& listed);
  void looked();
  void failed_to_look(const caf::error& error);
  void write_heartbeat();
  void clean_up();
  template <class Removal>
  void remove(Removal ask);

  // What people stop: dispatcher_stops.cpp.
  /// To those who start calls of other owners than rules.
  template <class Message>
  void tell_senders(const Message& told) {
    if (resources_.pushes)
      self_->send(resources_.pushes, told);
    if (resources_.notifications)
      self_->send(resources_.notifications, told);
  }
  void load_stops();
  void on_stops_listed(const messages::stops_listed& listed);
  void hold(const core::delivery_stop& stop, const std::function<void(const caf::error&)>& held);
  void stops_loaded();

  // The actors it keeps: dispatcher_rules.cpp.
  void on_down(const caf::down_msg& down);
  void spawn_rule(core::rule_id rule, core::connection_id target);
  void restart_rule(core::rule_id rule);
  [[nodiscard]] const target_actors& actors_of(core::connection_id target);

  // Which rules run: dispatcher.cpp.
  void start_ready();
  void plan_alarm();
  void answer_waiting();
  [[nodiscard]] core::timestamp now() const { return resources_.node->time->wall(); }

  messages::dispatcher::pointer self_;
  dispatcher_resources resources_;
  core::rule_schedule schedule_;
  std::unordered_map<core::rule_id, rule_entry> rules_;
  std::unordered_map<caf::actor_addr, core::rule_id> rule_of_;
  std::unordered_map<core::rule_id, std::vector<core::rule_id>> dependents_; ///< by their parent's rule
  std::unordered_map<core::connection_id, target_actors> targets_;
  std::unordered_set<core::rule_id> jobs_;            ///< rules that may have a live one
  std::optional<std::int64_t> configuration_version_; ///< of the routes listed; absent: none yet
  core::timestamp cleaned_up_at_{};
  std::optional<core::timestamp> alarm_at_;
  std::optional<core::duration> wall_ahead_; ///< of the steady clock, at the last tick
  std::vector<promise> await_idle_;
  std::vector<promise> shut_down_;
  std::size_t stops_unacknowledged_ = 0; ///< of those that were live at the start
  bool stops_asked_ = false;
  bool stops_known_ = false; ///< … and the courier knows them
  int looks_ = 0;            ///< questions to the database that are out
  bool look_again_ = false;  ///< a hint came while one was
  bool look_failed_ = false; ///< the last of them
  bool looked_idle_ = false; ///< the last look, made while nothing ran, found nothing
  bool stopping_;
};

[[nodiscard]] messages::dispatcher::behavior_type
dispatcher(messages::dispatcher::stateful_pointer<dispatcher_state> self, dispatcher_resources resources);

} // namespace sluice::actors
