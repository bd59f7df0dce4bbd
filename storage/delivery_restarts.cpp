#include "storage/audit.hpp"
#include "storage/delivery_outcomes.hpp"
#include "storage/dialect.hpp"
#include "storage/event_deliveries.hpp"

#include <algorithm>

namespace sluice::storage {
namespace {

delivery_row needed_row(session& db, const open_claims& claims, const core::delivery_restart& wanted) {
  const std::vector<std::int64_t> position{wanted.position.value};
  auto rows = read_for_update(db, wanted.subscription, claims, position);
  if (rows.empty())
    throw abandoned{{error::not_found, "The subscription has no such delivery."}};
  return std::move(rows.front());
}

[[noreturn]] void refuse(std::string sentence) {
  throw abandoned{{error::refused, std::move(sentence)}};
}

/// What its owner has taken by the cursor is behind it for good; what was not taken waits for no push.
void fit_pull(delivery_row& row, const locked_subscription& of) {
  if (of.mode == core::subscription_mode::push)
    return;
  if (row.position <= of.cursor)
    refuse("The cursor of this pull subscription has passed the event: its owner can read it again, by the "
           "position before it.");
  row.progress.due_at.reset();
}

core::event_delivery read_back(session& db, const core::delivery_restart& wanted) {
  core::event_delivery_page page;
  page.subscription = wanted.subscription;
  page.before = {wanted.position.value + 1};
  page.limit = 1;
  auto found = needed(list_event_deliveries(db, page));
  return known(found.empty() ? std::nullopt : std::optional(std::move(found.front())),
               "event_deliveries.position");
}

/// A subscription that is gone, or may not have its tenant's events any more, with deliveries that were not
/// looked at since.
struct lost_subscription {
  core::subscription_id id{};
  bool removed = false;
  core::event_position seen{};
};

std::vector<lost_subscription> lost_subscriptions(session& db, std::int64_t limit) {
  std::vector<lost_subscription> found;
  lost_subscription one;
  query rows(db, "SELECT s.id, CASE WHEN s.deleted_at IS NULL THEN 0 ELSE 1 END, s.refused_position "
                 "FROM subscriptions AS s WHERE (s.deleted_at IS NOT NULL OR s.access_accepted = 0) "
                 "AND EXISTS (SELECT 1 FROM event_deliveries AS d WHERE d.subscription_id = s.id "
                 "AND d.position > s.refused_position) ORDER BY s.id LIMIT :limit");
  rows.use("limit", limit).into(one.id).into(one.removed).into(one.seen);
  while (rows.next())
    found.push_back(one);
  return found;
}

bool refuse_one(delivery_row& row, const lost_subscription& of, core::timestamp now) {
  using enum core::delivery_transition;
  const bool pending = row.progress.state == core::delivery_state::pending;
  auto step = core::apply(row.progress, pending ? refuse_initial_delivery : refuse_later_delivery,
                          {.now = now,
                           .configuration_loss = of.removed ? "The subscription was removed."
                                                            : "The subscription's access to its tenant's "
                                                              "events is not accepted any more."});
  if (step)
    row.progress = std::move(step->now);
  return step.has_value();
}

/// Returns how many of its deliveries were looked at.
std::int64_t refuse_open(session& db, const lost_subscription& of, std::int64_t limit, core::timestamp now,
                         std::int64_t& refused) {
  if (!lock_subscription(db, of.id))
    return 0;
  open_claims claims(db, of.id);
  const auto rows = read_rows(db, of.id, claims,
                              " AND d.position > :seen ORDER BY d.position LIMIT :limit"
                                  + std::string(dialect::for_update(db.kind())),
                              [&](query& from) { from.use("seen", of.seen).use("limit", limit); });
  if (rows.empty())
    return 0;
  std::vector<delivery_row> changed;
  for (auto row : rows)
    if (refuse_one(row, of, now))
      changed.push_back(std::move(row));
  write_decided(db, of.id, claims, changed, now);
  free_keys(db, of.id, keys_of(changed), now);
  query(db, "UPDATE subscriptions SET refused_position = :seen WHERE id = :id")
      .use("seen", rows.back().position)
      .use("id", of.id)
      .run();
  refused += std::ssize(changed);
  return std::ssize(rows);
}

} // namespace

void refuse_lost(bool removed, bool access_accepted) {
  if (removed)
    throw abandoned{{error::not_found, "The subscription does not exist."}};
  if (!access_accepted)
    refuse("the subscription's access to its tenant's events is not accepted: each of its deliveries would "
           "fail at once");
}

void restart_row(delivery_row& row, core::operator_request request, const locked_subscription& of,
                 core::timestamp now) {
  const auto transition = core::restart_of(row.progress.state);
  if (!transition)
    refuse(transition.error().sentence);
  auto step =
      core::apply(row.progress, *transition,
                  {.by = core::transition_cause::executions_operator, .now = now, .request = request});
  if (!step)
    refuse(step.error().sentence);
  row.progress = std::move(step->now);
  fit_pull(row, of);
}

result<core::event_delivery> restart_delivery(session& db, const core::delivery_restart& wanted,
                                              core::timestamp now) {
  return guarded(db, "Restarting a delivery", [&] {
    const auto of = lock_subscription(db, wanted.subscription);
    refuse_lost(!of || of->removed, of && of->access_accepted);
    open_claims claims(db, wanted.subscription);
    std::vector<delivery_row> row{needed_row(db, claims, wanted)};
    restart_row(row.front(), wanted.request, *of, now);
    write_decided(db, wanted.subscription, claims, row, now);
    free_keys(db, wanted.subscription, keys_of(row), now); // an attempt on its way is its delivery's no more
    auto restarted = read_back(db, wanted);
    if (wanted.request == core::operator_request::retry)
      needed(add_audit(db, {.at = now,
                            .by = wanted.by,
                            .act = "retry_delivery",
                            .subject = of->public_id,
                            .tenant = of->tenant,
                            .details = R"({"event":")" + restarted.event + R"("})",
                            .count = 1}));
    return restarted;
  });
}

result<core::refused_deliveries> refuse_open_deliveries(session& db, std::int64_t limit,
                                                        core::timestamp now) {
  return guarded(db, "Refusing deliveries", [&] {
    core::refused_deliveries answer;
    std::int64_t seen = 0;
    for (const auto& of : lost_subscriptions(db, limit)) {
      seen += refuse_open(db, of, limit - seen, now, answer.refused);
      answer.through = seen < limit;
      if (!answer.through)
        break;
    }
    return answer;
  });
}

} // namespace sluice::storage
