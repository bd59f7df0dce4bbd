#pragma once

#include "actors/notifier.hpp"
#include "core/provider_report.hpp"
#include "core/reconciliation_item.hpp"
#include "messages/callback_records.hpp"
#include "messages/notification_reads.hpp"
#include "messages/notification_records.hpp"
#include "messages/reconciler.hpp"

#include <caf/error.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

/// The reconciler: finds out what is not known of attempts.
///
///   waiting for the stops --begin_looks--> resting --tick--> looking: due targets --> profiles --> calls -->
///   answers recorded --> looking again where something was due, or resting
///
/// An ambiguous submission and an overdue callback are asked of the provider, by its profile's adapter, where
/// that can ask. What the provider tells goes into the event ledger like a callback, and is projected like
/// one; after that the look is recorded, and core::reconcile says what follows. An event without an attempt
/// is handed to the projector once more. Once an hour it searches for callbacks that are overdue.
///
/// A rule's create whose outcome is unknown is the rule's to look at: its actor alone writes its rows. The
/// reconciler has it asked when the look is due, all but the first few (core::own_looks_at_create), which are
/// the rule's own.
///
/// It is the notification_dispatcher's child and asks a reader, the recorder and the courier; whoever
/// projects is told. It infers nothing: what cannot be asked is recorded as such, and what did not leave, or
/// was not recorded, is due as before. How far it is, is the database's.
namespace sluice::actors {

struct reconciler_resources {
  std::shared_ptr<const node_links> node;
  messages::reader reader;
  messages::projection_listener projections{};
  adapter_maker make_adapter;
};

class reconciler_state {
public:
  static constexpr const char* name = "reconciler";

  explicit reconciler_state(messages::reconciler::pointer self) : self_(self) {}

  messages::reconciler::behavior_type behavior(reconciler_resources resources);

private:
  using adapter_pointer = std::shared_ptr<const providers::notification_adapter>;

  /// A profile while its targets are looked at.
  struct opened_profile {
    std::string tenant;
    adapter_pointer adapter; ///< none: it was removed, or cannot be used
    bool removed = false;
    std::vector<core::reconciliation_question> waiting; ///< until it is opened
  };

  /// A target whose provider was asked.
  struct held_look {
    core::reconciliation_question about;
    providers::status_question asked;
    adapter_pointer by;
    std::string tenant;
  };

  /// What the provider knows, and the look that is recorded once the ledger has it.
  struct told_look {
    core::provider_report report;
    core::reconciliation_question about;
    core::reconciliation_look look;
  };

  void on_begin_looks(messages::begin_looks& told);
  void on_calls_answered(messages::calls_answered& told);
  void on_alarm_rang();

  // Passes: reconciler.cpp.
  void look();
  void ask_rules();
  void on_listed(messages::due_targets_listed& answer);
  void look_at_events(const std::vector<core::reconciliation_question>& events);
  void open(core::provider_profile_id profile);
  void on_opened(core::provider_profile_id profile, messages::profile_opened& answer);
  void end_if_through();
  void note_failure(const caf::error& error);

  // Questions to providers and their answers: reconciler_asks.cpp.
  void ask(const opened_profile& of, core::reconciliation_question about);
  void take_answer(core::call_answer& answer);
  void record_reports();
  void record_look(const core::reconciliation_question& about, core::reconciliation_look look);
  void recorded(const core::reconciliation_question& about, const core::reconciliation_look& look,
                const core::look_recorded& answer);

  // Overdue callbacks: reconciler_search.cpp.
  void search();
  void open_next();
  void add_profile(const core::provider_profile& profile);
  [[nodiscard]] core::duration callback_patience(core::provider_kind of) const;
  void search_on();
  void end_search();

  [[nodiscard]] core::reconciliation_schedule schedule() const {
    return {resources_.node->settings->notifications.reconcile_schedule};
  }
  [[nodiscard]] core::timestamp now() const { return resources_.node->time->wall(); }
  [[nodiscard]] core::duration patience() const { return resources_.node->settings->actors.request_timeout; }

  messages::reconciler::pointer self_;
  reconciler_resources resources_;
  bool begun_ = false;
  messages::rule_front rules_;
  bool looking_ = false;
  int steps_ = 0;             ///< of this pass that are not through: questions, calls, writes
  std::int64_t recorded_ = 0; ///< looks of this pass
  std::map<core::provider_profile_id, opened_profile> profiles_; ///< of this pass
  std::map<std::uint64_t, held_look> held_;                      ///< by the number of the call
  std::uint64_t calls_ = 0;
  std::vector<told_look> told_; ///< to be appended; one append is out at a time
  bool reporting_ = false;
  bool searching_ = false;
  core::timestamp searched_at_{};
  core::timestamp searched_all_at_{};
  std::vector<core::provider_profile_id> to_open_; ///< of the search that begins
  /// Of each kind of provider: its patience is another, and so is where its search has come.
  std::map<core::provider_kind, core::overdue_search> searches_;
};

[[nodiscard]] messages::reconciler::behavior_type
reconciler(messages::reconciler::stateful_pointer<reconciler_state> self, reconciler_resources resources);

} // namespace sluice::actors
