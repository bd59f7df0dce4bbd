#include "storage/notification_changes.hpp"

#include "core/error_text.hpp"
#include "storage/contact_columns.hpp"
#include "storage/contact_points.hpp"
#include "storage/provider_events.hpp"
#include "storage/reconciliation_rows.hpp"

#include <algorithm>

namespace sluice::storage {
namespace {

using attempt_state = core::notification_attempt_state;
using submission_kind = core::submission_kind;

attempt_state state_of(submission_kind kind) noexcept {
  switch (kind) {
  case submission_kind::accepted:
    return attempt_state::accepted;
  case submission_kind::rejected:
    return attempt_state::rejected;
  case submission_kind::retryable:
    return attempt_state::retryable;
  case submission_kind::ambiguous:
    break;
  }
  return attempt_state::ambiguous;
}

/// Whether an answer that takes its notification no further still tells its own row something: what was
/// taken stays taken, and a doubt is no news of what is known, or doubted already.
bool tells_more(const attempt_row& row, const core::submission& what) noexcept {
  if (what.kind == submission_kind::ambiguous)
    return row.state == attempt_state::dispatching;
  return what.kind == submission_kind::accepted || row.state != attempt_state::accepted;
}

/// Whether the row says in the answer's own words why it is in its state; what an event proved it does not.
bool is_told_by(const attempt_row& row, const std::optional<core::submission>& what) noexcept {
  return what && (row.state != attempt_state::accepted || what->kind == submission_kind::accepted);
}

void write_answer(attempt_row& row, const core::submission& what) {
  if (what.kind == submission_kind::accepted)
    row.provider_message_id = core::error_text(what.provider_message_id, core::provider_text_bytes_max);
  row.error_class = core::error_text(what.error_class, core::submission_error_bytes_max);
  row.error = core::error_text(what.error, core::submission_error_bytes_max);
}

void write_reason(attempt_row& row, const core::notification_progress& progress) {
  row.error_class = progress.error_class;
  row.error = progress.error;
}

std::vector<std::int64_t> ids_of(const std::set<attempt_key>& keys, const attempt_rows& attempts) {
  std::vector<std::int64_t> ids;
  for (const auto& key : keys)
    if (const auto row = attempts.find(key); row != attempts.end())
      ids.push_back(row->second.id.value);
  return ids;
}

} // namespace

std::string profile_name(session& db, core::provider_profile_id profile) {
  std::string name;
  query(db, "SELECT name FROM provider_profiles WHERE id = :id").use("id", profile).into(name).run();
  return name.empty() ? "provider profile " + std::to_string(profile.value) : name;
}

bool suppress_contact(session& db, core::contact_point_id contact, const core::contact_suppression& told) {
  return lock_contact(db, contact) && needed(suppress_contact_point(db, contact, told));
}

std::optional<core::transition_refusal> notification_changes::apply(notification_row& row,
                                                                    core::notification_transition transition,
                                                                    const core::notification_facts& facts) {
  auto step = core::apply(row.progress, row.terms, transition, facts);
  if (!step)
    return std::move(step.error());
  const auto& effects = step->effects;
  row.progress = std::move(step->now);
  if (effects.drops_attempt)
    dropped_.push_back({row.id, *effects.drops_attempt});
  if (effects.closes_attempt) {
    const attempt_key key{row.id, effects.closes_attempt->number};
    ends_[key].state = effects.closes_attempt->state;
    if (effects.reconciles)
      doubted_.insert(key);
    else if (step->left == core::notification_state::ambiguous)
      known_.insert(key);
    if (transition == core::notification_transition::prove_by_event)
      proven_.insert(key);
    if (effects.suppresses)
      retired_[row.contact] = {*effects.suppresses, key};
  }
  rows_.insert_or_assign(row.id, row);
  return std::nullopt;
}

void notification_changes::note_end(core::notification_id notification, const core::submission& what,
                                    std::int64_t number) {
  auto& end = ends_[{notification, number}];
  if (!end.what)
    end.what = what;
}

void notification_changes::note_message(const attempt_key& attempt, std::string provider_message_id) {
  if (!provider_message_id.empty())
    ends_[attempt].provider_message_id = std::move(provider_message_id);
}

void notification_changes::prove_told(const attempt_rows& attempts) {
  const auto found = attempts_told_of(db_, ids_of(doubted_, attempts));
  const std::set<std::int64_t> told(found.begin(), found.end());
  for (const auto& key : std::set<attempt_key>(doubted_)) {
    const auto attempt = attempts.find(key);
    if (attempt == attempts.end() || !told.contains(attempt->second.id.value))
      continue;
    core::notification_facts facts;
    facts.by = core::notification_cause::provider_event;
    facts.now = now_;
    facts.attempt = key.number;
    if (!apply(rows_.at(key.notification), core::notification_transition::prove_by_event, facts))
      doubted_.erase(key);
  }
}

/// What is told of next may name the message by the provider's id alone.
std::vector<core::named_attempt> notification_changes::name_proven(const attempt_rows& attempts) {
  std::vector<core::named_attempt> named;
  const auto messages = messages_told_of(db_, ids_of(proven_, attempts));
  for (const auto& key : proven_) {
    const auto row = attempts.find(key);
    if (row == attempts.end() || !row->second.provider_message_id.empty())
      continue;
    if (const auto message = messages.find(row->second.id.value); message != messages.end()) {
      note_message(key, message->second);
      named.push_back({{}, row->second.profile, message->second});
    }
  }
  return named;
}

void notification_changes::write_targets(const attempt_rows& attempts) {
  std::vector<attempt_target_row> added;
  for (const auto& key : doubted_)
    if (const auto row = attempts.find(key); row != attempts.end())
      added.push_back({row->second.id, row->second.profile});
  constexpr auto kind = core::reconciliation_target::ambiguous_submission;
  add_targets(db_, kind, added, looks_.next_look(now_, std::nullopt), now_);
  remove_targets(db_, kind, ids_of(known_, attempts));
}

void notification_changes::write_ends(attempt_rows& attempts) {
  std::vector<attempt_row> written;
  for (const auto& [key, end] : ends_) {
    const auto found = attempts.find(key);
    if (found == attempts.end())
      continue;
    auto& row = found->second;
    if (!end.state && !(end.what && tells_more(row, *end.what)))
      continue;
    row.state = end.state ? *end.state : state_of(end.what->kind);
    if (!row.ended_at)
      row.ended_at = now_;
    if (is_told_by(row, end.what))
      write_answer(row, *end.what);
    else
      write_reason(row, rows_.at(key.notification).progress);
    if (!end.provider_message_id.empty())
      row.provider_message_id = core::error_text(end.provider_message_id, core::provider_text_bytes_max);
    row.cause = row.state == attempt_state::rejected && end.what ? end.what->cause : std::nullopt;
    written.push_back(row);
  }
  write_attempts(db_, written);
}

void notification_changes::suppress(const attempt_rows& attempts) {
  for (const auto& [contact, of] : retired_) {
    const auto& what = *ends_.at(of.attempt).what;
    const auto attempt = attempts.find(of.attempt);
    core::contact_suppression told;
    told.reason = of.reason;
    told.detail = what.error;
    told.at = now_;
    if (attempt != attempts.end()) {
      told.by = profile_name(db_, attempt->second.profile);
      if (of.reason == core::suppression_reason::retired_token)
        told.retired_at = what.retired_at.value_or(attempt->second.submitted_at);
    }
    suppressed_ += suppress_contact(db_, contact, told) ? 1 : 0;
  }
}

void notification_changes::write() {
  std::vector<attempt_key> keys;
  for (const auto& [key, end] : ends_)
    keys.push_back(key);
  auto attempts = read_attempts(db_, keys);
  prove_told(attempts);
  const auto named = name_proven(attempts);
  std::vector<notification_row> rows;
  for (const auto& [id, row] : rows_)
    rows.push_back(row);
  write_notifications(db_, rows, now_);
  write_ends(attempts);
  early_events_ = needed(match_early_events(db_, named));
  delete_attempts(db_, dropped_);
  write_targets(attempts);
  suppress(attempts);
}

std::int64_t notification_changes::count(core::notification_state state) const {
  return std::ranges::count_if(rows_, [&](const auto& one) { return one.second.progress.state == state; });
}

std::vector<core::profile_due> notification_changes::due_but(core::provider_profile_id profile) const {
  std::map<core::provider_profile_id, core::timestamp> due;
  for (const auto& [id, row] : rows_) {
    if (!row.progress.due_at || row.profile() == profile)
      continue;
    const auto [first, added] = due.emplace(row.profile(), *row.progress.due_at);
    first->second = std::min(first->second, *row.progress.due_at);
  }
  std::vector<core::profile_due> listed;
  for (const auto& [of, at] : due)
    listed.push_back({of, at});
  return listed;
}

} // namespace sluice::storage
