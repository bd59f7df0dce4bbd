#include "storage/runs.hpp"

#include "crypto/random.hpp"
#include "storage/soci_session.hpp"
#include "storage/tenant_sql.hpp"

#include <array>

namespace sluice::storage {
namespace {

struct counter {
  const char* column;
  std::int64_t core::run_counts::* member;
};

constexpr std::array counters{
    counter{"examined", &core::run_counts::examined},
    counter{"created", &core::run_counts::created},
    counter{"updated", &core::run_counts::updated},
    counter{"withdrawn", &core::run_counts::withdrawn},
    counter{"reactivated", &core::run_counts::reactivated},
    counter{"suppressed", &core::run_counts::suppressed},
    counter{"filtered", &core::run_counts::filtered},
    counter{"refused", &core::run_counts::refused},
    counter{"failed", &core::run_counts::failed},
    counter{"ambiguous", &core::run_counts::ambiguous},
    counter{"skipped", &core::run_counts::skipped},
};
static_assert(sizeof(core::run_counts) == counters.size() * sizeof(std::int64_t));

/// "before<column>…" for every counter, with `between` between them; '?' stands for the column's name.
std::string for_each_counter(std::string_view pattern) {
  std::string text;
  for (const auto& one : counters) {
    text += text.empty() ? "" : ", ";
    for (const char c : pattern)
      c == '?' ? text += one.column : text += c;
  }
  return text;
}

/// The cursor keeps how its rule's latest run ended; not its heartbeat, which is the chain's.
void note_ending(session& db, core::run_id run) {
  query(db,
        "UPDATE delivery_cursors SET ended_run_id = d.id, ended_run_ending = d.ending, "
        "ended_run_reason = d.reason, ended_run_started_at = d.started_at, ended_run_ended_at = d.ended_at, "
        "completed_at = CASE d.ending WHEN 'completed' THEN d.ended_at ELSE completed_at END "
        "FROM delivery_runs AS d WHERE d.id = :id AND delivery_cursors.rule_id = d.rule_id "
        "AND coalesce(ended_run_id, 0) < d.id")
      .use("id", run)
      .run();
}

/// The rule's latest run, as its cursor keeps it, is one its state is read from as failing or throttled.
bool ended_badly(session& db, core::rule_id rule) {
  std::int64_t found = 0;
  query(db, "SELECT 1 FROM delivery_cursors WHERE rule_id = :rule "
            "AND ended_run_ending IN ('faulted', 'breaker_open', 'throttled')")
      .use("rule", rule)
      .into(found)
      .run();
  return found == 1;
}

std::string condition(bool present, const char* text) {
  return present ? text : "";
}

} // namespace

result<core::run_id> open_run(session& db, core::rule_id rule, core::timestamp now) {
  return guarded(db, "Opening a run", [&] {
    core::run_id opened{};
    query(db, "INSERT INTO delivery_runs (public_id, rule_id, started_at) "
              "VALUES (:public_id, :rule, :now) RETURNING id")
        .use("public_id", crypto::uuid_v7(now))
        .use("rule", rule)
        .use("now", now)
        .into(opened)
        .run();
    return opened;
  });
}

result<void> count_run(session& db, core::run_id run, const core::run_counts& counts) {
  static const std::string text =
      "UPDATE delivery_runs SET " + for_each_counter("? = ? + :?") + " WHERE id = :id AND ending IS NULL";
  return guarded(db, "Counting a run", [&] {
    query update(db, text);
    for (const auto& one : counters)
      update.use(one.column, counts.*one.member);
    update.use("id", run).run();
  });
}

result<bool> close_run(session& db, core::run_id run, core::run_ending ending, std::string_view reason,
                       core::timestamp now) {
  return guarded(db, "Closing a run", [&] {
    query update(db, "UPDATE delivery_runs SET ending = :ending, reason = :reason, ended_at = :now "
                     "WHERE id = :id AND ending IS NULL");
    update.use("ending", core::to_string(ending)).use("reason", reason).use("now", now).use("id", run);
    if (update.run() == 0)
      return false;
    note_ending(db, run);
    return true;
  });
}

result<bool> record_ending(session& db, core::rule_id rule, core::run_ending ending, std::string_view reason,
                           core::timestamp now) {
  return guarded(db, "Recording how a chain ended", [&] {
    if (ending == core::run_ending::completed && !ended_badly(db, rule))
      return false;
    const auto run = needed(open_run(db, rule, now));
    return needed(close_run(db, run, ending, reason, now));
  });
}

result<std::int64_t> abandon_runs(session& db, std::optional<core::rule_id> rule, core::timestamp now) {
  return guarded(db, "Abandoning runs", [&] {
    query update(db, "UPDATE delivery_runs SET ending = :ending, ended_at = :now WHERE ending IS NULL"
                         + condition(rule.has_value(), " AND rule_id = :rule") + " RETURNING id");
    update.use("ending", core::to_string(core::run_ending::abandoned)).use("now", now);
    if (rule)
      update.use("rule", *rule);
    std::vector<core::run_id> abandoned_runs;
    core::run_id one{};
    update.into(one);
    while (update.next())
      abandoned_runs.push_back(one);
    for (const auto run : abandoned_runs)
      note_ending(db, run);
    return std::ssize(abandoned_runs);
  });
}

result<std::int64_t> prune_runs(session& db, core::timestamp before, std::int64_t limit) {
  return guarded(db, "Pruning runs", [&] {
    // Ids grow as runs start, so the oldest are found without an index on the time.
    return query(db, "DELETE FROM delivery_runs WHERE id IN (SELECT id FROM (SELECT id, started_at FROM "
                     "delivery_runs ORDER BY id LIMIT :limit) AS oldest WHERE started_at < :before)")
        .use("before", before)
        .use("limit", limit)
        .run();
  });
}

result<std::vector<listed_run>> list_runs(session& db, std::optional<core::rule_id> rule, std::int64_t limit,
                                          const core::tenant_scope& tenants) {
  return guarded(db, "Listing runs", [&] {
    query rows(db, "SELECT runs.id, runs.public_id, runs.rule_id, rules.name, runs.ending, runs.reason, "
                   "runs.started_at, runs.ended_at, "
                       + for_each_counter("runs.?")
                       + " FROM delivery_runs AS runs JOIN sync_rules AS rules ON rules.id = runs.rule_id"
                       + " WHERE 1 = 1" + condition(rule.has_value(), " AND runs.rule_id = :rule")
                       + only_tenants(tenants, "rules.source_connection_id, rules.target_connection_id")
                       + " ORDER BY runs.id DESC LIMIT :limit");
    rows.use("limit", limit);
    if (rule)
      rows.use("rule", *rule);
    use_tenants(rows, tenants);
    listed_run one;
    std::optional<std::string> ending;
    rows.into(one.id).into(one.public_id).into(one.rule).into(one.rule_name).into(ending).into(one.reason);
    rows.into(one.started_at).into(one.ended_at);
    for (const auto& each : counters)
      rows.into(one.counts.*each.member);
    std::vector<listed_run> listed;
    while (rows.next()) {
      one.ending.reset();
      if (ending)
        one.ending = known(core::parse_run_ending(*ending), "delivery_runs.ending");
      listed.push_back(one);
    }
    return listed;
  });
}

result<std::vector<broken_off>> list_broken_off(session& db, core::timestamp since) {
  return guarded(db, "Listing runs that broke off", [&] {
    query rows(db, "SELECT rules.name, cursors.ended_run_ending, cursors.ended_run_reason "
                   "FROM delivery_cursors AS cursors JOIN sync_rules AS rules ON rules.id = cursors.rule_id "
                   "WHERE cursors.ended_run_started_at >= :since "
                   "AND cursors.ended_run_ending IN ('faulted', 'breaker_open') ORDER BY rules.name");
    broken_off one;
    std::string ending;
    rows.use("since", since).into(one.rule_name).into(ending).into(one.reason);
    std::vector<broken_off> listed;
    while (rows.next()) {
      one.ending = known(core::parse_run_ending(ending), "delivery_cursors.ended_run_ending");
      listed.push_back(one);
    }
    return listed;
  });
}

} // namespace sluice::storage
