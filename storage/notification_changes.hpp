#pragma once

#include "core/contact_suppression.hpp"
#include "core/notification_progress.hpp"
#include "core/notification_work.hpp"
#include "core/provider_report.hpp"
#include "core/reconciliation.hpp"
#include "storage/notification_attempt_rows.hpp"
#include "storage/notification_rows.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

// What transitions make of notifications and their attempts in one transaction. All of it throws: use inside
// `guarded`.

namespace sluice::storage {

/// Collects, and writes with few statements. Rows come locked; each notification at most once in a set of
/// changes, but for ends of attempts.
class notification_changes {
public:
  notification_changes(session& db, const core::reconciliation_schedule& looks, core::timestamp now)
      : db_(db), looks_(looks), now_(now) {}

  /// The refusal where it is not allowed: nothing is changed then.
  std::optional<core::transition_refusal> apply(notification_row& row,
                                                core::notification_transition transition,
                                                const core::notification_facts& facts);

  /// What an attempt came to, for its own row: more than a transition says of it.
  void note_end(core::notification_id notification, const core::submission& what, std::int64_t number);
  /// What the provider calls a message that turned out to be taken.
  void note_message(const attempt_key& attempt, std::string provider_message_id);

  /// What came to be ambiguous, and is told of by an event that was here before, is accepted at once
  /// (docs/decisions/0091). What an event proved is called as the provider calls it, and events that waited
  /// under that name are to be looked at again. A contact point that an answer retired is suppressed.
  void write();

  // After `write`:
  [[nodiscard]] std::int64_t count(core::notification_state state) const; ///< rows that are in it now
  [[nodiscard]] std::int64_t suppressed() const noexcept { return suppressed_; }
  [[nodiscard]] std::int64_t early_events() const noexcept { return early_events_; } ///< that wait no more
  /// Profiles but this one that have something to send now, each once.
  [[nodiscard]] std::vector<core::profile_due> due_but(core::provider_profile_id profile) const;

private:
  struct noted_end {
    std::optional<core::notification_attempt_state> state; ///< absent: the attempt is superseded
    std::optional<core::submission> what;
    std::string provider_message_id;
  };
  struct retirement {
    core::suppression_reason reason = core::suppression_reason::hard_bounce;
    attempt_key attempt;
  };

  void prove_told(const attempt_rows& attempts);
  std::vector<core::named_attempt> name_proven(const attempt_rows& attempts);
  void write_targets(const attempt_rows& attempts);
  void write_ends(attempt_rows& attempts);
  void suppress(const attempt_rows& attempts);

  session& db_;
  const core::reconciliation_schedule& looks_;
  core::timestamp now_;
  std::map<core::notification_id, notification_row> rows_;
  std::map<attempt_key, noted_end> ends_;
  std::vector<attempt_key> dropped_;
  std::set<attempt_key> doubted_; ///< became ambiguous
  std::set<attempt_key> known_;   ///< ambiguous no more
  std::set<attempt_key> proven_;  ///< taken, by the word of an event
  std::map<core::contact_point_id, retirement> retired_;
  std::int64_t suppressed_ = 0;
  std::int64_t early_events_ = 0;
};

/// The name of a profile, for the word of its provider.
[[nodiscard]] std::string profile_name(session& db, core::provider_profile_id profile);

/// By core::suppression_after. False: nothing changes, or the contact point was removed.
bool suppress_contact(session& db, core::contact_point_id contact, const core::contact_suppression& told);

} // namespace sluice::storage
