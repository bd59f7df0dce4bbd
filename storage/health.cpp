#include "storage/health.hpp"

#include "storage/health_sql.hpp"
#include "storage/node_state.hpp"
#include "storage/soci_session.hpp"

namespace sluice::storage {
namespace {

std::string live_stop(const std::string& alias, const std::string& condition) {
  return " LEFT JOIN delivery_stops AS " + alias + " ON " + condition + " AND " + alias + ".ended_at IS NULL";
}

std::string facts_sql(facts_of which) {
  std::string text =
      "SELECT r.id, r.public_id, r.name, r.source_connection_id, r.target_connection_id, r.active, "
      "CASE WHEN r.active = 1 AND s.status = 'active' AND s.deleted_at IS NULL AND t.status = 'active' "
      "AND t.deleted_at IS NULL THEN 1 ELSE 0 END, s.status, t.status, r.updated_at, "
      "c.updated_at, c.change_counter, c.completed_counter, c.rescan_from, c.backfill_until, "
      "c.known_records, "
      "w.blocked_until, "
      "(SELECT id FROM delivery_stops WHERE scope = 'global' AND cause = 'manual' AND ended_at IS NULL), "
      "into_target.id, of_rule.id, hold.id, "
      "running.id, running.started_at, c.ended_run_id, c.ended_run_ending, c.ended_run_reason, "
      "c.ended_run_started_at, c.ended_run_ended_at, c.completed_at FROM sync_rules AS r JOIN connections AS "
      "s ON s.id = r.source_connection_id "
      "JOIN connections AS t ON t.id = r.target_connection_id "
      "LEFT JOIN delivery_cursors AS c ON c.rule_id = r.id "
      "LEFT JOIN throttle_windows AS w ON w.connection_id = t.id";
  text += live_stop("into_target", "into_target.scope = 'connection' AND into_target.connection_id = t.id "
                                   "AND into_target.cause = 'manual'");
  text +=
      live_stop("of_rule", "of_rule.scope = 'rule' AND of_rule.rule_id = r.id AND of_rule.cause = 'manual'");
  text += live_stop("hold", "hold.scope = 'rule' AND hold.rule_id = r.id AND hold.cause = 'volume_breaker'");
  text += " LEFT JOIN (SELECT rule_id, max(id) AS id, max(started_at) AS started_at FROM delivery_runs "
          "WHERE ending IS NULL GROUP BY rule_id) AS running ON running.rule_id = r.id";
  text += " WHERE r.direction = 'push_out' AND r.deleted_at IS NULL";
  return text + (which == facts_of::one_rule ? " AND r.id = :rule" : "") + " ORDER BY r.id";
}

/// Where the query puts a rule's facts.
class facts_row {
public:
  void bind(query& rows) {
    rows.into(facts_.rule).into(facts_.public_id).into(facts_.name).into(facts_.source).into(facts_.target);
    rows.into(facts_.active).into(facts_.route_open).into(source_status_).into(target_status_);
    rows.into(facts_.updated_at).into(facts_.cursor_updated_at).into(facts_.change_counter);
    rows.into(facts_.completed_counter).into(facts_.changed_at).into(facts_.backfill_until);
    rows.into(facts_.known_records);
    rows.into(facts_.blocked_until).into(facts_.stops.global).into(facts_.stops.connection);
    rows.into(facts_.stops.rule).into(facts_.stops.hold).into(running_.id).into(running_.started_at);
    rows.into(ended_.id).into(ending_).into(ended_.reason).into(ended_.started_at).into(ended_.ended_at);
    rows.into(facts_.completed_at);
  }

  core::rule_facts take() {
    facts_.source_status = known(core::parse_connection_status(source_status_), "connections.status");
    facts_.target_status = known(core::parse_connection_status(target_status_), "connections.status");
    auto facts = facts_;
    if (running_.id)
      facts.running.emplace(running_);
    if (ended_.id) {
      ended_.ending = known(core::parse_run_ending(ending_), "delivery_runs.ending");
      facts.ended.emplace(ended_);
    }
    return facts;
  }

private:
  core::rule_facts facts_;
  core::run_facts running_;
  core::run_facts ended_;
  std::string source_status_;
  std::string target_status_;
  std::string ending_;
};

} // namespace

const std::string& rule_facts_sql(facts_of which) {
  static const std::string one = facts_sql(facts_of::one_rule);
  static const std::string every = facts_sql(facts_of::every_rule);
  return which == facts_of::one_rule ? one : every;
}

result<std::vector<core::rule_facts>> read_rule_facts(session& db, std::optional<core::rule_id> rule) {
  return guarded(db, "Reading how rules stand", [&] {
    query rows(db, rule_facts_sql(rule ? facts_of::one_rule : facts_of::every_rule));
    if (rule)
      rows.use("rule", *rule);
    facts_row row;
    row.bind(rows);
    std::vector<core::rule_facts> found;
    while (rows.next())
      found.push_back(row.take());
    return found;
  });
}

result<core::installation_facts> read_installation_facts(session& db) {
  return guarded(db, "Reading how the installation stands", [&] {
    core::installation_facts facts;
    query(db, "SELECT count(*) FROM delivery_stops WHERE scope = 'global' AND cause = 'manual' "
              "AND ended_at IS NULL")
        .into(facts.stopped)
        .run();
    facts.heartbeat_at = needed(read_heartbeat(db, "dispatcher"));
    return facts;
  });
}

result<std::vector<core::rule_due>> read_overdue(session& db, core::timestamp now) {
  return guarded(db, "Reading what is due", [&] {
    std::vector<core::rule_due> found;
    core::rule_due one;
    query rows(db, "SELECT rule_id, at FROM (SELECT r.id AS rule_id, (SELECT min(d.next_attempt_at) "
                   "FROM outbound_deliveries AS d WHERE d.rule_id = r.id AND d.next_attempt_at IS NOT NULL "
                   "AND d.deleted_at IS NULL) AS at FROM sync_rules AS r WHERE r.direction = 'push_out' "
                   "AND r.active = 1 AND r.deleted_at IS NULL) AS due WHERE at <= :now ORDER BY rule_id");
    rows.use("now", now).into(one.rule).into(one.at);
    while (rows.next())
      found.push_back(one);
    return found;
  });
}

} // namespace sluice::storage
