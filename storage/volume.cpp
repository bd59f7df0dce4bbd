#include "storage/volume.hpp"

#include "storage/dialect.hpp"
#include "storage/scan_sql.hpp"
#include "storage/soci_session.hpp"
#include "storage/stop_columns.hpp"
#include "storage/volume_sql.hpp"

#include <algorithm>
#include <limits>

namespace sluice::storage {
namespace {

constexpr core::duration bucket = std::chrono::minutes{1};

struct counted_rule {
  core::rule_id rule{};
  core::connection_id source{};
  std::string_view domain;
  core::duration window{};
  core::timestamp now{};
};

/// One count: the queries share the snapshot of the transaction around it.
class volume_counter {
public:
  volume_counter(session& db, const counted_rule& of) : db_(db), of_(of) {
    read_standing();
    read_stops();
    read_withdrawn();
    // Under a hold nothing goes out: only whether anything is left to hold matters.
    most_ = count_.hold ? 1 : std::numeric_limits<std::int64_t>::max();
    count_held();
  }

  /// `text` is one of pending_in_…; with a hold live and rows held, nothing pending could change the verdict.
  void count_pending(const std::string& text, core::position after, core::timestamp until, bool takes_now) {
    if (count_.hold && count_.held > 0)
      return;
    query rows(db_, text);
    rows.use("source", of_.source).use("domain", of_.domain).use("rule", of_.rule);
    rows.use("after_time", after.changed_at).use("after_id", after.id).use("until", until);
    if (takes_now)
      rows.use("now", of_.now);
    rows.use("most", most_).into(count_.pending).run();
  }

  [[nodiscard]] core::volume_count take() { return std::move(count_); }

private:
  /// A run that is longer than the window never gets the credit of its own withdrawals back by waiting.
  void read_standing() {
    std::optional<core::timestamp> run_began;
    query rows(db_, "SELECT known_records, (SELECT min(started_at) FROM delivery_runs "
                    "WHERE rule_id = :rule AND ending IS NULL) FROM delivery_cursors WHERE rule_id = :rule");
    rows.use("rule", of_.rule).into(count_.known).into(run_began).run();
    counts_from_ = of_.now - of_.window;
    if (run_began)
      counts_from_ = std::min(counts_from_, *run_began);
  }

  void read_stops() {
    query holds(db_, "SELECT " + std::string(stop_columns)
                         + " FROM delivery_stops WHERE scope = 'rule' AND rule_id = :rule "
                           "AND cause = 'volume_breaker' AND ended_at IS NULL");
    holds.use("rule", of_.rule);
    count_.hold = stop_row::first(holds);
    query releases(db_, "SELECT " + std::string(stop_columns)
                            + " FROM delivery_stops WHERE rule_id = :rule AND resolution = 'released' "
                              "AND (allowance_consumed_at IS NULL OR allowance_consumed_at > :from) "
                              "ORDER BY id DESC LIMIT 1");
    releases.use("rule", of_.rule).use("from", counts_from_);
    count_.release = stop_row::first(releases);
  }

  /// A bucket that overlaps the time counts whole; none spans a release (see add_withdrawals).
  void read_withdrawn() {
    const auto from = counts_from_ - bucket;
    const auto released_at = count_.release ? *count_.release->ended_at : no_bound;
    query rows(db_,
               "SELECT CAST(coalesce(sum(withdrawn), 0) AS BIGINT), CAST(coalesce(sum(CASE WHEN minute_at "
               ">= :released THEN withdrawn ELSE 0 END), 0) AS BIGINT) FROM rule_withdrawals "
               "WHERE rule_id = :rule AND minute_at > :from");
    rows.use("released", released_at).use("rule", of_.rule).use("from", from);
    rows.into(count_.withdrawn).into(count_.withdrawn_since_release).run();
  }

  void count_held() {
    query rows(db_, held_sql(db_.kind()));
    rows.use("source", of_.source).use("domain", of_.domain).use("rule", of_.rule).use("most", most_);
    rows.into(count_.held).run();
  }

  session& db_;
  const counted_rule& of_;
  core::volume_count count_;
  core::timestamp counts_from_{};
  std::int64_t most_ = 0;
};

} // namespace

result<core::volume_count> count_scan_volume(session& db, const core::scan_query& scan, scan_range range) {
  return guarded(db, "Counting a scan's withdrawals", [&] {
    const counted_rule of{scan.rule, scan.source, scan.domain, scan.volume_window.value_or(core::duration{}),
                          scan.now};
    const bool backfill = range == scan_range::backfill;
    volume_counter counter(db, of);
    counter.count_pending(backfill ? pending_in_backfill_sql(db.kind())
                                   : pending_in_delta_sql(db.kind(), scan.dependent),
                          scan.after, scan.until.value_or(no_bound), backfill);
    return counter.take();
  });
}

result<core::volume_count> count_drain_volume(session& db, const core::drain_query& drain) {
  return guarded(db, "Counting a drain's withdrawals", [&] {
    const counted_rule of{drain.rule, drain.source, drain.domain,
                          drain.volume_window.value_or(core::duration{}), drain.now};
    volume_counter counter(db, of);
    counter.count_pending(pending_in_delta_sql(db.kind(), !drain.anchor_domain.empty()), drain.delta_after,
                          no_bound, false);
    return counter.take();
  });
}

result<void> add_withdrawals(session& db, core::rule_id rule, std::int64_t withdrawn, core::timestamp now) {
  return guarded(db, "Counting withdrawals", [&] {
    const core::timestamp minute{std::chrono::floor<std::chrono::minutes>(now.time_since_epoch())};
    // A release begins a bucket of its own, so that what it let go is told apart from what went before it.
    query(db, "INSERT INTO rule_withdrawals (rule_id, minute_at, withdrawn) SELECT CAST(:rule AS BIGINT), "
                  + std::string(dialect::greatest(db.kind()))
                  + "(CAST(:minute AS BIGINT), coalesce((SELECT max(ended_at) FROM delivery_stops "
                    "WHERE rule_id = :rule AND resolution = 'released' AND ended_at <= :now), 0)), "
                    "CAST(:withdrawn AS BIGINT) WHERE 1 = 1 ON CONFLICT (rule_id, minute_at) "
                    "DO UPDATE SET withdrawn = rule_withdrawals.withdrawn + excluded.withdrawn")
        .use("rule", rule)
        .use("minute", minute)
        .use("now", now)
        .use("withdrawn", withdrawn)
        .run();
  });
}

result<void> add_known_records(session& db, core::rule_id rule, std::int64_t delta) {
  return guarded(db, "Counting known records", [&] {
    query(db, "UPDATE delivery_cursors SET known_records = known_records + :delta WHERE rule_id = :rule")
        .use("delta", delta)
        .use("rule", rule)
        .run();
  });
}

result<void> recount_known_records(session& db, core::rule_id rule) {
  return guarded(db, "Counting known records anew", [&] {
    query(db, "UPDATE delivery_cursors SET known_records = (SELECT count(*) FROM outbound_deliveries "
              "WHERE rule_id = :rule AND target_state <> 'absent') WHERE rule_id = :rule")
        .use("rule", rule)
        .run();
  });
}

result<std::int64_t> prune_withdrawals(session& db, core::timestamp before, std::int64_t limit) {
  return guarded(db, "Pruning counts of withdrawals", [&] {
    return query(db,
                 "DELETE FROM rule_withdrawals WHERE (rule_id, minute_at) IN (SELECT w.rule_id, w.minute_at "
                 "FROM rule_withdrawals AS w WHERE w.minute_at < :before AND NOT EXISTS (SELECT 1 FROM "
                 "delivery_runs AS d WHERE d.rule_id = w.rule_id AND d.ending IS NULL "
                 "AND d.started_at < w.minute_at + :bucket) LIMIT :limit)")
        .use("before", before)
        .use("bucket", bucket.count())
        .use("limit", limit)
        .run();
  });
}

} // namespace sluice::storage
