#include "storage/event_matching.hpp"
#include "storage/notification_attempts.hpp"
#include "storage/notification_changes.hpp"
#include "storage/plans.hpp"
#include "storage/provider_events.hpp"

#include <map>

namespace sluice::storage {
namespace {

/// Looked for before any row is locked: a projector that waits for those who record attempts may itself hold
/// what is waited for. Whatever is put aside later waits until this transaction has ended, and looks again.
std::int64_t match_early(session& db, core::provider_profile_id profile,
                         std::span<const core::ended_submission> ended) {
  std::vector<core::named_attempt> named;
  for (const auto& [notification, end] : ended)
    if (end.what.kind == core::submission_kind::accepted && !end.what.provider_message_id.empty())
      named.push_back({{}, profile, end.what.provider_message_id});
  return named.empty() ? 0 : needed(match_early_events(db, named));
}

using rows_by_id = std::map<core::notification_id, notification_row>;

rows_by_id locked_rows(session& db, std::vector<core::notification_id> ids) {
  rows_by_id rows;
  for (auto& row : lock_notifications(db, std::move(ids)))
    rows.emplace(row.id, std::move(row));
  return rows;
}

/// False: the attempt is its notification's no more, or settles nothing.
bool take_further(notification_changes& changes, notification_row& row, const core::submission_end& end,
                  core::timestamp now) {
  const auto transition = core::transition_of(row.progress, row.terms, end);
  if (!transition)
    return false;
  core::notification_facts facts;
  facts.now = now;
  facts.ended = end;
  return !changes.apply(row, *transition, facts);
}

core::submissions_recorded record(session& db, core::provider_profile_id profile,
                                  std::span<const core::ended_submission> ended,
                                  const core::reconciliation_schedule& looks, core::timestamp now) {
  find_by_index(db);
  core::submissions_recorded answer;
  hold_putting_aside(db);
  answer.early_events = match_early(db, profile, ended);
  std::vector<core::notification_id> ids;
  for (const auto& one : ended)
    ids.push_back(one.notification);
  auto rows = locked_rows(db, std::move(ids));
  notification_changes changes(db, looks, now);
  for (const auto& [notification, end] : ended) {
    const auto row = rows.find(notification);
    const bool applied = row != rows.end() && take_further(changes, row->second, end, now);
    ++(applied ? answer.applied : answer.superseded);
    changes.note_end(notification, end.what, end.number);
  }
  changes.write();
  answer.accepted = changes.count(core::notification_state::accepted);
  answer.ambiguous = changes.count(core::notification_state::ambiguous);
  answer.suppressed = changes.suppressed();
  answer.early_events += changes.early_events();
  answer.fallbacks = changes.due_but(profile);
  return answer;
}

std::vector<core::notification_id> notifications_of(const core::events_projected& told) {
  std::vector<core::notification_id> ids;
  for (const auto& one : told.attempts)
    ids.push_back(one.notification);
  for (const auto& one : told.suppressions)
    ids.push_back(one.notification);
  return ids;
}

core::contact_suppression suppression_of(session& db, const core::suppression_told& one) {
  core::contact_suppression made;
  made.reason = one.reason;
  made.detail = "Told by the provider's event " + std::to_string(one.event.value) + ".";
  made.at = one.at;
  core::provider_profile_id profile{};
  query(db, "SELECT profile_id FROM notification_attempts WHERE id = :id")
      .use("id", one.attempt)
      .into(profile)
      .run();
  made.by = profile_name(db, profile);
  return made;
}

/// In the order of the contact points, as everybody locks them.
std::int64_t suppress_told(session& db, const rows_by_id& rows, const core::events_projected& told) {
  std::multimap<core::contact_point_id, const core::suppression_told*> by_contact;
  for (const auto& one : told.suppressions)
    if (const auto row = rows.find(one.notification); row != rows.end())
      by_contact.emplace(row->second.contact, &one);
  std::int64_t suppressed = 0;
  for (const auto& [contact, one] : by_contact)
    suppressed += suppress_contact(db, contact, suppression_of(db, *one)) ? 1 : 0;
  return suppressed;
}

core::told_recorded prove(session& db, const core::events_projected& told, core::timestamp now) {
  auto rows = locked_rows(db, notifications_of(told));
  const core::reconciliation_schedule looks;
  notification_changes changes(db, looks, now);
  core::told_recorded answer;
  core::notification_facts facts;
  facts.by = core::notification_cause::provider_event;
  facts.now = now;
  for (const auto& one : told.attempts) {
    const auto row = rows.find(one.notification);
    if (row == rows.end() || row->second.progress.state != core::notification_state::ambiguous)
      continue;
    facts.attempt = one.number;
    if (!changes.apply(row->second, core::notification_transition::prove_by_event, facts))
      ++answer.proven;
  }
  changes.write();
  answer.suppressed = suppress_told(db, rows, told);
  return answer;
}

} // namespace

result<core::submissions_recorded> record_submissions(session& db, core::provider_profile_id profile,
                                                      std::span<const core::ended_submission> ended,
                                                      const core::reconciliation_schedule& looks,
                                                      core::timestamp now) {
  return guarded(db, "Recording submissions", [&] {
    core::submissions_recorded answer;
    if (!ended.empty())
      answer = record(db, profile, ended, looks, now);
    answer.next_due = needed(next_notification_due(db, profile));
    return answer;
  });
}

result<core::told_recorded> record_told(session& db, const core::events_projected& told,
                                        core::timestamp now) {
  return guarded(db, "Recording what events tell of submissions", [&] { return prove(db, told, now); });
}

} // namespace sluice::storage
