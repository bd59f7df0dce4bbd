#pragma once

#include "actors/rule_links.hpp"
#include "messages/push_dispatcher.hpp"
#include "messages/replayer.hpp"

#include <caf/result.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <cstdint>
#include <memory>

/// The replayer: carries window replays out, those of every subscription in turn.
///
///   resting --continue_replays, start_replay--> working --no replay is live--> resting
///                                               |     ^
///                              the database fails     the alarm rings
///                                               v     |
///                                               waiting
///
/// One batch is at the recorder at a time, and its answer asks for the next. What a replay is and how far it
/// has come is the database's alone: a batch's deliveries and the replay's position are one transaction, so
/// whoever lives next goes on from there. It tells the push_dispatcher whose deliveries are due, whose
/// child it is and which hands people's words to it on. It decides nothing of a delivery and sends nothing.
namespace sluice::actors {

struct replayer_resources {
  std::shared_ptr<const node_links> node;
  messages::push_dispatcher pushes;
};

class replayer_state {
public:
  static constexpr const char* name = "replayer";

  explicit replayer_state(messages::replayer::pointer self) : self_(self), working_(false) {}

  messages::replayer::behavior_type behavior(replayer_resources resources);

private:
  caf::result<core::replay_job> on_start_replay(messages::start_replay& ask);
  caf::result<core::replay_job> on_cancel_replay(messages::cancel_replay& ask);
  void on_continue_replays() { go_on(); }
  void on_alarm_rang(messages::alarm_rang) { step(); }

  void go_on();
  void step();
  void on_step(const core::replay_step& done);
  void wait();

  messages::replayer::pointer self_;
  replayer_resources resources_;
  std::int64_t last_id_ = 0; ///< the replay the latest batch was of
  bool working_;             ///< a batch is at the recorder, or an alarm is set
};

[[nodiscard]] core::replay_limits replay_limits_of(const config::subscription_settings& settings);

[[nodiscard]] messages::replayer::behavior_type
replayer(messages::replayer::stateful_pointer<replayer_state> self, replayer_resources resources);

} // namespace sluice::actors
