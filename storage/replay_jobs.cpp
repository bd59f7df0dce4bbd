#include "storage/replay_jobs.hpp"

#include "crypto/random.hpp"
#include "storage/audit.hpp"
#include "storage/dialect.hpp"
#include "storage/replay_deliveries.hpp"

#include <algorithm>
#include <limits>
#include <string>

namespace sluice::storage {
namespace {

constexpr std::string_view job_columns =
    "id, public_id, subscription_id, occurred_from, occurred_to, states, counted, done, position, "
    "last_position, started_at, started_by, ended_at, ended_by, ending";

/// Those a query over replay_jobs finds, of `job_columns`.
std::vector<core::replay_job> all_of(query& rows) {
  core::replay_job job;
  std::string states;
  std::optional<std::string> ending;
  rows.into(job.id).into(job.public_id).into(job.subscription).into(job.which.from).into(job.which.to);
  rows.into(states).into(job.counted).into(job.done).into(job.position).into(job.last);
  rows.into(job.started_at).into(job.started_by).into(job.ended_at).into(job.ended_by).into(ending);
  std::vector<core::replay_job> found;
  while (rows.next()) {
    job.which.states = known(core::parse_delivery_states(states), "replay_jobs.states");
    job.ending.reset();
    if (ending)
      job.ending = known(core::parse_job_ending(*ending), "replay_jobs.ending");
    found.push_back(job);
  }
  return found;
}

std::optional<core::replay_job> first_of(query& rows) {
  auto found = all_of(rows);
  if (found.empty())
    return std::nullopt;
  return std::move(found.front());
}

std::optional<core::replay_job> live_job(session& db, core::subscription_id subscription) {
  query rows(db, "SELECT " + std::string(job_columns)
                     + " FROM replay_jobs WHERE subscription_id = :subscription AND ended_at IS NULL");
  rows.use("subscription", subscription);
  return first_of(rows);
}

/// In turn: one that is long does not keep the others waiting.
std::optional<core::replay_job> next_live_job(session& db, std::int64_t after_id) {
  query rows(db, "SELECT " + std::string(job_columns)
                     + " FROM replay_jobs WHERE ended_at IS NULL "
                       "ORDER BY CASE WHEN id > :after THEN 0 ELSE 1 END, id LIMIT 1"
                     + std::string(dialect::for_update(db.kind())));
  rows.use("after", after_id);
  return first_of(rows);
}

void refuse(const std::optional<std::string>& reason) {
  if (reason)
    throw abandoned{{error::refused, *reason}};
}

/// Why a replay of it does not go on: who ended it.
std::optional<std::string> loss_of(const std::optional<locked_subscription>& of) {
  if (!of || of->removed)
    return "the removal of the subscription";
  if (!of->access_accepted)
    return "the end of the subscription's access";
  return std::nullopt;
}

replay_count counted(session& db, core::subscription_id subscription, core::event_position floor,
                     const core::replay_choice& which, const core::replay_limits& limits) {
  refuse(core::why_not(which, limits));
  const auto found = count_deliveries(db, subscription, floor, which);
  refuse(core::why_too_many(found.deliveries, limits));
  return found;
}

core::replay_job insert(session& db, const core::replay_start& start, const replay_count& found,
                        core::timestamp now) {
  query rows(db, "INSERT INTO replay_jobs (public_id, subscription_id, occurred_from, occurred_to, states, "
                 "counted, position, last_position, started_at, started_by) VALUES (:public_id, "
                 ":subscription, :from, :to, :states, :counted, :position, :last, :now, :by) RETURNING "
                     + std::string(job_columns));
  rows.use("public_id", crypto::uuid_v7(now)).use("subscription", start.subscription);
  rows.use("from", start.which.from).use("to", start.which.to);
  rows.use("states", core::to_text(start.which.states)).use("counted", found.deliveries);
  rows.use("position", std::max<std::int64_t>(found.first.value - 1, 0)).use("last", found.last);
  rows.use("now", now).use("by", start.by);
  return *first_of(rows);
}

/// Of a start the deliveries it is for, of an end those it restarted.
void audit(session& db, const core::replay_job& job, const locked_subscription& of, std::string_view act,
           std::string_view by, core::timestamp now) {
  std::string details = R"({"replay":")" + job.public_id + R"(","from":")" + core::to_rfc3339(job.which.from)
                        + R"(","to":")" + core::to_rfc3339(job.which.to) + R"(","states":")"
                        + core::to_text(job.which.states) + R"(","counted":)" + std::to_string(job.counted);
  if (job.ending)
    details += R"(,"ending":")" + std::string(core::to_string(*job.ending)) + '"';
  needed(add_audit(db, {.at = now,
                        .by = std::string(by),
                        .act = std::string(act),
                        .subject = of.public_id,
                        .tenant = of.tenant,
                        .details = details + "}",
                        .count = job.live() ? job.counted : job.done}));
}

void save(session& db, const core::replay_job& job) {
  query update(db, "UPDATE replay_jobs SET done = :done, position = :position, ended_at = :ended_at, "
                   "ended_by = :ended_by, ending = :ending WHERE id = :id");
  update.use("done", job.done).use("position", job.position).use("ended_at", job.ended_at);
  update.use("ended_by", job.ended_by);
  if (job.ending)
    update.use("ending", core::to_string(*job.ending));
  else
    update.use_null("ending");
  update.use("id", job.id).run();
}

void end(core::replay_job& job, core::job_ending how, std::string_view by, core::timestamp now) {
  job.ended_at = now;
  job.ending = how;
  job.ended_by = by;
}

void go_on(session& db, core::replay_step& step, std::int64_t limit, core::timestamp now) {
  auto& job = *step.job;
  const auto of = lock_subscription(db, job.subscription);
  if (const auto loss = loss_of(of)) {
    end(job, core::job_ending::cancelled, *loss, now);
  } else {
    step.deliveries = restart_deliveries(db, job, *of, limit, now);
    job.done += step.deliveries;
    if (job.position >= job.last)
      end(job, core::job_ending::completed, "", now);
  }
  save(db, job);
  if (!job.live() && of)
    audit(db, job, *of, "end_replay", job.ended_by.empty() ? job.started_by : job.ended_by, now);
}

} // namespace

result<std::int64_t> count_replay(session& db, core::subscription_id subscription,
                                  const core::replay_choice& which, const core::replay_limits& limits) {
  return guarded(db, "Counting deliveries", [&] {
    std::string mode;
    core::event_position cursor{};
    bool accepted = false;
    query row(db, "SELECT mode, cursor_position, access_accepted FROM subscriptions WHERE id = :id "
                  "AND deleted_at IS NULL");
    row.use("id", subscription).into(mode).into(cursor).into(accepted);
    const bool found = row.next();
    refuse_lost(!found, accepted);
    const auto known_mode = known(core::parse_subscription_mode(mode), "subscriptions.mode");
    return counted(db, subscription, replay_floor(known_mode, cursor), which, limits).deliveries;
  });
}

result<core::replay_job> start_replay(session& db, const core::replay_start& start, core::timestamp now) {
  return guarded(db, "Starting a replay", [&] {
    const auto of = lock_subscription(db, start.subscription);
    refuse_lost(!of || of->removed, of && of->access_accepted);
    if (const auto live = live_job(db, start.subscription))
      refuse("the subscription has a replay under way: " + live->public_id + ", begun by " + live->started_by
             + " at " + core::to_rfc3339(live->started_at) + "; wait for its end, or cancel it");
    const auto floor = replay_floor(of->mode, of->cursor);
    auto job = insert(db, start, counted(db, start.subscription, floor, start.which, start.limits), now);
    audit(db, job, *of, "start_replay", start.by, now);
    return job;
  });
}

result<core::replay_step> continue_replay(session& db, std::int64_t after_id, std::int64_t limit,
                                          core::timestamp now) {
  return guarded(db, "Going on with a replay", [&] {
    core::replay_step step;
    step.job = next_live_job(db, after_id);
    if (step.job)
      go_on(db, step, limit, now);
    return step;
  });
}

result<core::replay_job> cancel_replay(session& db, core::subscription_id subscription,
                                       std::string_view public_id, std::string_view by, core::timestamp now) {
  return guarded(db, "Cancelling a replay", [&] {
    query rows(db, "UPDATE replay_jobs SET ended_at = :now, ended_by = :by, ending = 'cancelled' "
                   "WHERE subscription_id = :subscription AND public_id = :id AND ended_at IS NULL RETURNING "
                       + std::string(job_columns));
    rows.use("now", now).use("by", by).use("subscription", subscription).use("id", public_id);
    if (auto ended = first_of(rows)) {
      if (const auto of = lock_subscription(db, subscription))
        audit(db, *ended, *of, "end_replay", by, now);
      return std::move(*ended);
    }
    if (const auto found = needed(find_replay(db, subscription, public_id)))
      refuse("the replay has ended: " + std::string(core::to_string(*found->ending)) + " at "
             + core::to_rfc3339(*found->ended_at));
    throw abandoned{{error::not_found, "the subscription has no replay \"" + std::string(public_id) + '"'}};
  });
}

result<std::vector<core::replay_job>> list_replays(session& db, const core::replay_page& page) {
  return guarded(db, "Listing replays", [&] {
    query rows(db, "SELECT " + std::string(job_columns)
                       + " FROM replay_jobs WHERE subscription_id = :subscription AND id < :before "
                         "ORDER BY id DESC LIMIT :limit");
    const auto before = page.before_id == 0 ? std::numeric_limits<std::int64_t>::max() : page.before_id;
    rows.use("subscription", page.subscription).use("before", before).use("limit", page.limit);
    return all_of(rows);
  });
}

result<std::optional<core::replay_job>> find_replay(session& db, core::subscription_id subscription,
                                                    std::string_view public_id) {
  return guarded(db, "Finding a replay", [&] {
    query rows(db, "SELECT " + std::string(job_columns)
                       + " FROM replay_jobs WHERE subscription_id = :subscription AND public_id = :id");
    rows.use("subscription", subscription).use("id", public_id);
    return first_of(rows);
  });
}

} // namespace sluice::storage
