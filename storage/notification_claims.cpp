#include "crypto/random.hpp"
#include "storage/event_matching.hpp"
#include "storage/notification_attempts.hpp"
#include "storage/notification_changes.hpp"
#include "storage/notification_orders.hpp"
#include "storage/plans.hpp"

#include <algorithm>

namespace sluice::storage {
namespace {

using enum core::notification_transition;

std::int64_t lapse(session& db, core::provider_profile_id profile, std::int64_t limit,
                   const core::reconciliation_schedule& looks, core::timestamp now) {
  hold_putting_aside(db);
  auto rows =
      lock_notifications(db,
                         "n.profile_id = :profile AND n.lease_until <= :now ORDER BY n.lease_until, "
                         "n.id LIMIT :limit"
                             + std::string(skip_locked(db.kind())),
                         [&](query& of) { of.use("profile", profile).use("now", now).use("limit", limit); });
  if (rows.empty())
    return 0;
  notification_changes changes(db, looks, now);
  core::notification_facts facts;
  facts.now = now;
  for (auto& row : rows)
    static_cast<void>(changes.apply(row, lapse_lease, facts));
  changes.write();
  return std::ssize(rows);
}

/// The state the row goes on to, by the one transition that is right for it.
void step(notification_row& row, core::notification_transition transition,
          const core::notification_facts& facts) {
  auto made = core::apply(row.progress, row.terms, transition, facts);
  if (!made) // what is due is queued: a row that is not breaks the table's own rule
    throw abandoned{{error::corrupt, "A notification that is due cannot go on: " + made.error().sentence}};
  row.progress = std::move(made->now);
}

/// Claims what is due, row after row.
class claimer {
public:
  claimer(const core::notification_claim_wish& wish, const crypto::key_ring& keys, core::timestamp now,
          core::notification_claims& answer)
      : wish_(wish), keys_(keys), now_(now), answer_(answer) {}

  void take(notification_row& row, const sealed_order* sealed) {
    core::notification_facts facts;
    facts.now = now_;
    facts.lease = wish_.lease;
    if (row.terms.expires_at && now_ >= *row.terms.expires_at) {
      ++answer_.expired;
      return step(row, expire, facts);
    }
    facts.contact_removed = !sealed || sealed->removed;
    if (sealed)
      facts.suppressed = sealed->suppressed;
    if (facts.contact_removed || facts.suppressed) {
      ++answer_.refused;
      return step(row, refuse_suppressed, facts);
    }
    claim(row, *sealed, facts);
  }

  [[nodiscard]] const std::vector<attempt_row>& attempts() const noexcept { return attempts_; }

private:
  void claim(notification_row& row, const sealed_order& sealed, core::notification_facts facts) {
    step(row, claim_attempt, facts);
    auto order = open_order(sealed, keys_);
    if (!order) {
      ++answer_.unreadable;
      facts.attempt = row.progress.attempts;
      facts.due_at = now_ + wish_.lease;
      return step(row, give_back_attempt, facts);
    }
    attempt_row attempt;
    attempt.key = {row.id, row.progress.attempts};
    attempt.public_id = crypto::uuid_v7(now_);
    attempt.profile = row.profile();
    attempt.submitted_at = now_;
    order->attempt_id = attempt.public_id;
    order->expires_at = row.terms.expires_at;
    answer_.notifications.push_back(
        {row.id, *row.progress.claim, row.progress.place_attempts, std::move(*order)});
    attempts_.push_back(std::move(attempt));
  }

  const core::notification_claim_wish& wish_;
  const crypto::key_ring& keys_;
  core::timestamp now_;
  core::notification_claims& answer_;
  std::vector<attempt_row> attempts_;
};

/// Returns how many were looked at.
std::int64_t claim_due(session& db, const core::notification_claim_wish& wish, const crypto::key_ring& keys,
                       core::timestamp now, core::notification_claims& answer) {
  auto due = lock_notifications(
      db,
      "n.profile_id = :profile AND n.next_attempt_at <= :now ORDER BY n.next_attempt_at, n.id LIMIT :limit"
          + std::string(skip_locked(db.kind())),
      [&](query& of) { of.use("profile", wish.profile).use("now", now).use("limit", wish.limit); });
  if (due.empty())
    return 0;
  std::vector<std::int64_t> ids;
  for (const auto& row : due)
    ids.push_back(row.id.value);
  const auto orders = read_orders(db, ids);
  claimer claims(wish, keys, now, answer);
  for (auto& row : due) {
    const auto sealed = orders.find(row.id);
    claims.take(row, sealed == orders.end() ? nullptr : &sealed->second);
  }
  write_notifications(db, due, now);
  insert_attempts(db, claims.attempts());
  return std::ssize(due);
}

/// Returns how many were still their notifications'.
std::int64_t give_back(session& db, std::span<const core::returned_submission> returned,
                       core::timestamp due_at, core::timestamp now) {
  std::map<core::notification_id, std::int64_t> numbers;
  std::vector<core::notification_id> ids;
  for (const auto& one : returned) {
    numbers.emplace(one.notification, one.number);
    ids.push_back(one.notification);
  }
  const core::reconciliation_schedule none;
  notification_changes changes(db, none, now);
  std::int64_t given = 0;
  core::notification_facts facts;
  facts.now = now;
  facts.due_at = due_at;
  for (auto& row : lock_notifications(db, ids)) {
    facts.attempt = numbers.at(row.id);
    given += changes.apply(row, give_back_attempt, facts) ? 0 : 1;
  }
  changes.write();
  return given;
}

/// When a profile has something to send, and when its first lease lapses.
struct moments {
  std::optional<core::timestamp> due;
  std::optional<core::timestamp> lapses;

  [[nodiscard]] std::optional<core::timestamp> first() const {
    return due && lapses ? std::min(*due, *lapses) : due ? due : lapses;
  }
};

/// Their two columns. The first row of an index, whatever is believed of the table: for a minimum, a plan
/// that was made while it seemed empty would read all that is due.
std::string moments_of(std::string_view profile) {
  const auto first_of = [profile](const std::string& column) {
    return "(SELECT n." + column + " FROM notifications AS n WHERE n.profile_id = " + std::string(profile)
           + " AND n." + column + " IS NOT NULL ORDER BY n." + column + " LIMIT 1)";
  };
  return first_of("next_attempt_at") + ", " + first_of("lease_until");
}

} // namespace

result<core::notification_claims> claim_notifications(session& db, const core::notification_claim_wish& wish,
                                                      const crypto::key_ring& keys, core::timestamp now) {
  return guarded(db, "Claiming notifications", [&] {
    find_by_index(db);
    core::notification_claims answer;
    answer.lapsed = lapse(db, wish.profile, wish.limit, wish.looks, now);
    const auto seen = claim_due(db, wish, keys, now, answer);
    answer.through = seen < wish.limit && answer.lapsed < wish.limit;
    answer.next_due = needed(next_notification_due(db, wish.profile));
    return answer;
  });
}

result<std::int64_t> give_back_submissions(session& db, std::span<const core::returned_submission> returned,
                                           core::timestamp due_at, core::timestamp now) {
  return guarded(db, "Giving attempts back", [&] { return give_back(db, returned, due_at, now); });
}

result<std::optional<core::timestamp>> next_notification_due(session& db, core::provider_profile_id profile) {
  return guarded(db, "Reading when a notification falls due", [&] {
    moments at;
    query(db, "SELECT " + moments_of(":id")).use("id", profile).into(at.due).into(at.lapses).run();
    return at.first();
  });
}

result<std::vector<core::profile_due>> all_next_notification_due(session& db) {
  return guarded(db, "Reading when notifications fall due", [&] {
    std::vector<core::profile_due> all;
    core::provider_profile_id id{};
    moments at;
    query rows(db, "SELECT p.id, " + moments_of("p.id") + " FROM provider_profiles AS p ORDER BY p.id");
    rows.into(id).into(at.due).into(at.lapses);
    while (rows.next())
      if (const auto first = at.first())
        all.push_back({id, *first});
    return all;
  });
}

} // namespace sluice::storage
