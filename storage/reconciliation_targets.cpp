#include "storage/reconciliation_targets.hpp"

#include "core/provider_event_rank.hpp"
#include "storage/dialect.hpp"
#include "storage/notification_settling.hpp"
#include "storage/reconciliation_rows.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace sluice::storage {
namespace {

using target = core::reconciliation_target;

bool is_settled(const std::optional<std::string>& told) {
  return told && core::is_settled(known(core::parse_provider_event_type(*told), "attempt_projections.state"));
}

bool callback_came(session& db, core::notification_attempt_id attempt) {
  std::optional<std::string> told;
  query(db, "SELECT state FROM attempt_projections WHERE attempt_id = :id")
      .use("id", attempt)
      .into(told)
      .run();
  return is_settled(told);
}

void write_look(session& db, const core::reconciliation_look& look, const core::reconciliation_step& step,
                core::timestamp now) {
  query(db, "UPDATE reconciliation_targets SET looks = looks + 1, last_look_at = :now, "
            "next_look_at = :next, verdict = :verdict, needs_person = :person WHERE kind = :kind "
            "AND subject_id = :subject")
      .use("now", now)
      .use("next", step.next_look)
      .use("verdict", core::to_string(look.verdict))
      .use("person", step.needs_person)
      .use("kind", core::to_string(look.key.kind))
      .use("subject", look.key.subject)
      .run();
}

/// A look at an attempt holds its notification first, as everybody does who ends its target.
class attempt_look {
public:
  attempt_look(session& db, const core::reconciliation_look& look, core::timestamp now)
      : db_(db), look_(look), now_(now), attempt_(read_attempt(db, {look.key.subject})) {
    if (!attempt_)
      return;
    match_found_message(db, attempt_->profile, look.provider_message_id);
    auto rows = lock_notifications(db, {attempt_->key.notification});
    if (!rows.empty())
      row_ = std::move(rows.front());
  }

  [[nodiscard]] bool callback_came() const {
    return attempt_ && look_.key.kind == target::overdue_callback
           && storage::callback_came(db_, attempt_->id);
  }

  void settle() {
    if (!row_)
      return;
    core::notification_settlement found;
    found.what = {attempt_->key.number, core::settlement_kind::accepted};
    found.by = core::notification_cause::reconciler;
    found.provider_message_id = look_.provider_message_id;
    const core::reconciliation_schedule looks;
    notification_changes changes(db_, looks, now_);
    // Refused: it was settled meanwhile, and with that it is no target any more.
    static_cast<void>(settle_row(changes, *row_, found, now_));
    changes.write();
  }

private:
  session& db_;
  const core::reconciliation_look& look_;
  core::timestamp now_;
  std::optional<attempt_row> attempt_;
  std::optional<notification_row> row_;
};

/// When it became a target; nothing: it is none.
std::optional<core::timestamp> since(session& db, const core::reconciliation_key& key) {
  std::optional<core::timestamp> since;
  query(db, "SELECT since FROM reconciliation_targets WHERE kind = :kind AND subject_id = :subject"
                + std::string(dialect::for_update(db.kind())))
      .use("kind", core::to_string(key.kind))
      .use("subject", key.subject)
      .into(since)
      .run();
  return since;
}

struct accepted_attempt {
  attempt_target_row target;
  core::timestamp submitted_at{};
  std::optional<std::string> told;
};

std::vector<accepted_attempt> accepted_behind(session& db, const core::overdue_search& search) {
  std::vector<accepted_attempt> found;
  accepted_attempt one;
  query rows(db,
             "SELECT a.id, a.profile_id, a.submitted_at, (SELECT r.state FROM attempt_projections AS r "
             "WHERE r.attempt_id = a.id) FROM notification_attempts AS a WHERE a.state = 'accepted' "
             "AND a.state IN ('ambiguous', 'accepted') " // as the index says it
             "AND a.submitted_at >= :at AND (a.submitted_at > :at OR a.id > :id) "
             "AND a.submitted_at < :until ORDER BY a.submitted_at, a.id LIMIT :limit");
  rows.use("at", search.after.submitted_at).use("id", search.after.attempt).use("until", search.until);
  rows.use("limit", search.limit).into(one.target.attempt).into(one.target.profile);
  rows.into(one.submitted_at).into(one.told);
  while (rows.next())
    found.push_back(one);
  return found;
}

} // namespace

result<core::look_recorded> record_look(session& db, const core::reconciliation_look& look,
                                        const core::reconciliation_schedule& schedule, core::timestamp now) {
  return guarded(db, "Recording a look", [&] {
    std::optional<attempt_look> attempt;
    if (look.key.kind != target::unmatched_event)
      attempt.emplace(db, look, now);
    core::look_recorded answer;
    const auto became = since(db, look.key);
    answer.gone = !became;
    if (answer.gone)
      return answer;
    core::reconciliation_facts facts{*became, now, attempt && attempt->callback_came()};
    answer.step = core::reconcile(look.key.kind, look.verdict, facts, schedule);
    if (answer.step.proves_acceptance)
      attempt->settle();
    if (answer.step.proves_acceptance || facts.callback_came)
      remove_targets(db, look.key.kind, {&look.key.subject, 1});
    else
      write_look(db, look, answer.step, now);
    return answer;
  });
}

result<core::overdue_found> add_overdue_callbacks(session& db, const core::overdue_search& search,
                                                  core::timestamp now) {
  return guarded(db, "Looking for overdue callbacks", [&] {
    const std::set<core::provider_profile_id> profiles(search.profiles.begin(), search.profiles.end());
    const auto seen = accepted_behind(db, search);
    core::overdue_found answer;
    answer.upto = seen.empty()
                      ? search.after
                      : core::overdue_position{seen.back().submitted_at, seen.back().target.attempt.value};
    answer.through = std::ssize(seen) < search.limit;
    std::vector<attempt_target_row> overdue;
    for (const auto& one : seen)
      if (profiles.contains(one.target.profile) && !is_settled(one.told))
        overdue.push_back(one.target);
    answer.added =
        add_targets(db, target::overdue_callback, overdue, search.looks.next_look(now, std::nullopt), now);
    return answer;
  });
}

} // namespace sluice::storage
