#include "storage/rule_jobs.hpp"

#include "crypto/random.hpp"
#include "storage/ledger.hpp"
#include "storage/soci_session.hpp"

#include <algorithm>
#include <limits>
#include <string>

namespace sluice::storage {
namespace {

constexpr std::string_view job_columns =
    "id, public_id, rule_id, act, status, error_class, rows_from, rows_until, counted, done, position, "
    "started_at, started_by, ended_at, ended_by, ending";

/// Where a query puts a row of rule_jobs.
class job_row {
public:
  explicit job_row(query& rows) {
    rows.into(job_.id).into(job_.public_id).into(job_.rule).into(act_).into(status_);
    rows.into(job_.which.error_class).into(job_.which.from).into(job_.which.until);
    rows.into(job_.counted).into(job_.done).into(job_.position).into(job_.started_at);
    rows.into(job_.started_by).into(job_.ended_at).into(job_.ended_by).into(ending_);
  }

  [[nodiscard]] core::rule_job take() {
    job_.act = known(core::parse_row_act(act_), "rule_jobs.act");
    job_.which.status.reset();
    if (status_)
      job_.which.status = known(core::parse_delivery_status(*status_), "rule_jobs.status");
    job_.ending.reset();
    if (ending_)
      job_.ending = known(core::parse_job_ending(*ending_), "rule_jobs.ending");
    return job_;
  }

private:
  core::rule_job job_;
  std::string act_;
  std::optional<std::string> status_;
  std::optional<std::string> ending_;
};

std::vector<core::rule_job> all_of(query& rows) {
  job_row row(rows);
  std::vector<core::rule_job> found;
  while (rows.next())
    found.push_back(row.take());
  return found;
}

std::optional<core::rule_job> first_of(query& rows) {
  auto found = all_of(rows);
  if (found.empty())
    return std::nullopt;
  return std::move(found.front());
}

std::optional<core::rule_job> live_job(session& db, core::rule_id rule) {
  query rows(db, "SELECT " + std::string(job_columns)
                     + " FROM rule_jobs WHERE rule_id = :rule AND ended_at IS NULL");
  rows.use("rule", rule);
  return first_of(rows);
}

/// Rows the act is for at :now. The statuses stand as the partial indexes have them.
std::string waiting_for(core::row_act act) {
  return act == core::row_act::reopen ? "status IN ('remote_gone', 'exhausted') AND deleted_at IS NULL"
                                      : "status = 'failed' AND next_attempt_at > :now AND deleted_at IS NULL";
}

/// SQLite is told the index, since the key of the table would do for the order as well and reads every row of
/// the rule.
std::string rows_by_index(engine kind, core::row_act act) {
  std::string text = "outbound_deliveries";
  if (kind == engine::sqlite)
    text += act == core::row_act::reopen ? " INDEXED BY outbound_deliveries_terminal"
                                         : " INDEXED BY outbound_deliveries_waiting";
  return text;
}

std::string changed_by(core::row_act act) {
  return act == core::row_act::reopen
             ? "status = 'failed', attempts = 0, next_attempt_at = :now, row_version = row_version + 1, "
               "updated_at = :now"
             : "next_attempt_at = :now";
}

std::string chosen_by(core::row_act act, const core::row_choice& which) {
  std::string text = "rule_id = :rule AND " + waiting_for(act);
  if (which.status)
    text += " AND status = :status";
  if (!which.error_class.empty())
    text += " AND error_class = :error_class";
  if (which.from)
    text += " AND updated_at >= :from";
  if (which.until)
    text += " AND updated_at < :until";
  return text;
}

void use_choice(query& rows, const core::row_choice& which) {
  if (which.status)
    rows.use("status", core::to_string(*which.status));
  if (!which.error_class.empty())
    rows.use("error_class", which.error_class);
  if (which.from)
    rows.use("from", *which.from);
  if (which.until)
    rows.use("until", *which.until);
}

/// SOCI refuses a parameter that the text does not name, and a terminal row waits for no time.
void use_now_to_choose(query& rows, core::row_act act, core::timestamp now) {
  if (act == core::row_act::retry)
    rows.use("now", now);
}

std::int64_t count(session& db, core::rule_id rule, core::row_act act, const core::row_choice& which,
                   core::timestamp now) {
  std::int64_t found = 0;
  query rows(db, "SELECT count(*) FROM " + rows_by_index(db.kind(), act) + " WHERE " + chosen_by(act, which));
  rows.use("rule", rule);
  use_now_to_choose(rows, act, now);
  use_choice(rows, which);
  rows.into(found).run();
  return found;
}

/// What was written after the job began is none of its business: it may be the job's own work that failed
/// again.
void offer_next(session& db, core::rule_job& job, core::job_step& step, std::int64_t limit,
                core::timestamp now) {
  query rows(db, "UPDATE outbound_deliveries SET " + changed_by(job.act) + " WHERE rule_id = :rule AND "
                     + waiting_for(job.act) + " AND source_id IN (SELECT source_id FROM "
                     + rows_by_index(db.kind(), job.act) + " WHERE " + chosen_by(job.act, job.which)
                     + " AND updated_at <= :started AND source_id > :after ORDER BY source_id LIMIT :limit) "
                       "RETURNING source_id");
  rows.use("now", now).use("rule", job.rule).use("started", job.started_at);
  rows.use("after", job.position).use("limit", limit);
  use_choice(rows, job.which);
  std::string source_id;
  rows.into(source_id);
  while (rows.next()) {
    ++step.rows;
    job.position = std::max(job.position, source_id);
  }
}

void save(session& db, const core::rule_job& job) {
  query update(db, "UPDATE rule_jobs SET done = :done, position = :position, ended_at = :ended_at, "
                   "ending = :ending WHERE id = :id AND ended_at IS NULL");
  update.use("done", job.done).use("position", job.position).use("ended_at", job.ended_at);
  if (job.ending)
    update.use("ending", core::to_string(*job.ending));
  else
    update.use_null("ending");
  update.use("id", job.id).run();
}

core::rule_job insert(session& db, const core::job_start& start, std::int64_t counted, core::timestamp now) {
  query rows(
      db, "INSERT INTO rule_jobs (public_id, rule_id, act, status, error_class, rows_from, rows_until, "
          "counted, started_at, started_by) VALUES (:public_id, :rule, :act, :status, :error_class, :from, "
          ":until, :counted, :now, :by) RETURNING "
              + std::string(job_columns));
  rows.use("public_id", crypto::uuid_v7(now)).use("rule", start.rule).use("act", core::to_string(start.act));
  if (start.which.status)
    rows.use("status", core::to_string(*start.which.status));
  else
    rows.use_null("status");
  rows.use("error_class", start.which.error_class).use("from", start.which.from);
  rows.use("until", start.which.until).use("counted", counted).use("now", now).use("by", start.by);
  return *first_of(rows);
}

} // namespace

result<core::ledger_row> offer_row(session& db, core::rule_id rule, core::row_act act,
                                   std::string_view source_id, core::timestamp now) {
  return guarded(db, "Offering a row again", [&] {
    const auto record = "record " + std::string(source_id);
    const auto row = needed(find_ledger_row(db, rule, source_id));
    if (!row)
      throw abandoned{{error::not_found, "The rule's ledger has no row of " + record + "."}};
    if (const auto reason = core::why_not(act, *row, now))
      throw abandoned{{error::refused, record + " " + *reason}};
    query(db, "UPDATE outbound_deliveries SET " + changed_by(act)
                  + " WHERE rule_id = :rule AND source_id = :source_id")
        .use("now", now)
        .use("rule", rule)
        .use("source_id", source_id)
        .run();
    return *needed(find_ledger_row(db, rule, source_id));
  });
}

result<std::int64_t> count_rows(session& db, core::rule_id rule, core::row_act act,
                                const core::row_choice& which, core::timestamp now) {
  return guarded(db, "Counting rows", [&] { return count(db, rule, act, which, now); });
}

result<core::rule_job> start_job(session& db, const core::job_start& start, core::timestamp now) {
  return guarded(db, "Starting a job", [&] {
    if (const auto live = live_job(db, start.rule))
      throw abandoned{
          {error::refused, "the rule has a job under way: " + std::string(core::to_string(live->act)) + " "
                               + live->public_id + ", begun by " + live->started_by + " at "
                               + core::to_rfc3339(live->started_at) + "; wait for its end, or cancel it"}};
    return insert(db, start, count(db, start.rule, start.act, start.which, now), now);
  });
}

result<core::job_step> continue_job(session& db, core::rule_id rule, std::int64_t limit,
                                    core::timestamp now) {
  return guarded(db, "Going on with a job", [&] {
    core::job_step step;
    step.job = live_job(db, rule);
    if (!step.job)
      return step;
    auto& job = *step.job;
    offer_next(db, job, step, limit, now);
    job.done += step.rows;
    if (step.rows < limit) {
      job.ended_at = now;
      job.ending = core::job_ending::completed;
    }
    save(db, job);
    return step;
  });
}

result<core::rule_job> cancel_job(session& db, core::rule_id rule, std::string_view public_id,
                                  std::string_view by, core::timestamp now) {
  return guarded(db, "Cancelling a job", [&] {
    query rows(db, "UPDATE rule_jobs SET ended_at = :now, ended_by = :by, ending = 'cancelled' "
                   "WHERE rule_id = :rule AND public_id = :id AND ended_at IS NULL RETURNING "
                       + std::string(job_columns));
    rows.use("now", now).use("by", by).use("rule", rule).use("id", public_id);
    if (auto ended = first_of(rows))
      return std::move(*ended);
    if (const auto found = needed(find_job(db, rule, public_id)))
      throw abandoned{{error::refused, "the job has ended: " + std::string(core::to_string(*found->ending))
                                           + " at " + core::to_rfc3339(*found->ended_at)}};
    throw abandoned{{error::not_found, "the rule has no job " + std::string(public_id)}};
  });
}

result<std::vector<core::rule_job>> list_jobs(session& db, const core::job_page& page) {
  return guarded(db, "Listing jobs", [&] {
    query rows(db,
               "SELECT " + std::string(job_columns)
                   + " FROM rule_jobs WHERE rule_id = :rule AND id < :before ORDER BY id DESC LIMIT :limit");
    const auto before = page.before_id == 0 ? std::numeric_limits<std::int64_t>::max() : page.before_id;
    rows.use("rule", page.rule).use("before", before).use("limit", page.limit);
    return all_of(rows);
  });
}

result<std::optional<core::rule_job>> find_job(session& db, core::rule_id rule, std::string_view public_id) {
  return guarded(db, "Finding a job", [&] {
    query rows(db, "SELECT " + std::string(job_columns)
                       + " FROM rule_jobs WHERE rule_id = :rule AND public_id = :id");
    rows.use("rule", rule).use("id", public_id);
    return first_of(rows);
  });
}

result<std::vector<core::rule_id>> rules_with_jobs(session& db) {
  return guarded(db, "Listing rules with a job", [&] {
    std::vector<core::rule_id> found;
    core::rule_id rule{};
    query rows(db, "SELECT rule_id FROM rule_jobs WHERE ended_at IS NULL ORDER BY rule_id");
    rows.into(rule);
    while (rows.next())
      found.push_back(rule);
    return found;
  });
}

} // namespace sluice::storage
