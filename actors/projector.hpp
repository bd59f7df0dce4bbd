#pragma once

#include "actors/rule_links.hpp"
#include "core/reconciliation.hpp"
#include "messages/callback_records.hpp"
#include "messages/projector.hpp"

#include <caf/error.hpp>
#include <caf/result.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <memory>

/// The projector: makes of the event ledger what is known of attempts, one a node.
///
///   resting --events_appended, tick--> projecting a batch --> … --fewer than asked for--> resting
///                                              |                                             ^
///                                     the database fails, logged ---------------------------+
///
/// The callback intake, whose child it is, tells it that something was appended, and a tick finds what others
/// appended or what an earlier life left. A batch is one transaction with everything it brings about, so it
/// may die anywhere: what is pending stays so, and whoever lives next comes to the same. For a person it
/// makes projections anew and looks at what is pending, and once an hour it removes reports that are retained
/// no longer. Nobody who posts waits for it.
///
/// Events that came before their attempt are matched where the attempt is recorded, in that transaction.
namespace sluice::actors {

struct projector_resources {
  std::shared_ptr<const node_links> node;
  messages::callback_recorder recorder;
  core::reconciliation_schedule schedule; ///< of events without an attempt
};

class projector_state {
public:
  static constexpr const char* name = "projector";

  explicit projector_state(messages::projector::pointer self)
      : self_(self), working_(false), again_(false), removing_(false) {}

  messages::projector::behavior_type behavior(projector_resources resources);

private:
  void on_events_appended();
  caf::result<core::projections_rebuilt> on_rebuild_projections(const messages::rebuild_projections& ask);
  void on_alarm_rang();

  void work();
  void project();
  void on_projected(const core::events_projected& done);
  void failed(const caf::error& error);
  void rest();
  void clean_up();
  void prune(const messages::prune_reports& ask);

  messages::projector::pointer self_;
  projector_resources resources_;
  core::duration cleaned_up_at_{}; ///< steady; none: not yet
  bool working_;
  bool again_;    ///< it was told of more meanwhile
  bool removing_; ///< a batch of old reports is out
};

[[nodiscard]] messages::projector::behavior_type
projector(messages::projector::stateful_pointer<projector_state> self, projector_resources resources);

} // namespace sluice::actors
