#pragma once

#include "actors/callback_intake.hpp"
#include "messages/callback_intake.hpp"

#include <caf/result.hpp>
#include <caf/system_messages.hpp>
#include <caf/typed_event_based_actor.hpp>

/// The callback keeper: whom the API and others know as the callback intake, one a node.
///
///   serving --(the intake dies)--> waiting --(a moment)--> serving
///
/// It hands everything on to the intake, which is its child, and starts it again when it dies. Of what
/// the intake had in hand nobody is told, so that its askers' time runs out, which is a 503; what comes
/// before the next life is answered so at once: providers ask again. The intake's next life projects what the
/// one before recorded and did not project. The keeper itself looks at nothing of a callback and keeps none.
namespace sluice::actors {

class callback_keeper_state {
public:
  static constexpr const char* name = "callback_keeper";

  explicit callback_keeper_state(messages::callback_intake::pointer self) : self_(self) {}
  ~callback_keeper_state(); ///< its intake ends with it
  callback_keeper_state(const callback_keeper_state&) = delete;
  callback_keeper_state& operator=(const callback_keeper_state&) = delete;

  messages::callback_intake::behavior_type behavior(callback_intake_resources resources, bool own_thread);

  /// For whoever looks at a node from outside (the harness); none while it waits.
  [[nodiscard]] const messages::callback_intake& intake_actor() const noexcept { return intake_; }

private:
  caf::result<messages::callback_taken> on_take_callback(messages::take_callback& ask);
  void on_events_appended();
  caf::result<core::projections_rebuilt> on_rebuild_projections(messages::rebuild_projections& ask);
  void on_calls_answered(); ///< the intake's are answered to itself
  void on_alarm_rang();
  void on_down(const caf::down_msg& down);
  void spawn_intake();

  messages::callback_intake::pointer self_;
  callback_intake_resources resources_;
  bool own_thread_ = false;
  messages::callback_intake intake_;
};

/// `own_thread`: the intake, which checks signatures, has one.
[[nodiscard]] messages::callback_intake::behavior_type
callback_keeper(messages::callback_intake::stateful_pointer<callback_keeper_state> self,
                callback_intake_resources resources, bool own_thread);

} // namespace sluice::actors
