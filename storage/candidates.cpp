#include "storage/candidates.hpp"

#include "storage/connections.hpp"
#include "storage/record_columns.hpp"
#include "storage/scan_sql.hpp"
#include "storage/soci_session.hpp"
#include "storage/volume.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace sluice::storage {
namespace {

/// One scan call: the queries share the snapshot of the transaction around it.
class scan {
public:
  scan(session& db, const scan_query& wanted)
      : db_(db), wanted_(wanted), until_(wanted.until.value_or(no_bound)) {}

  scan_batch delta() {
    read(delta_sql(db_.kind(), wanted_.deletes != core::delete_policy::ignore, wanted_.dependent),
         wanted_.limit + 1, wanted_.examine_limit);
    const bool more = drop_beyond(wanted_.limit);
    if (std::ssize(batch_.candidates) < wanted_.limit)
      finish_window();
    else if (more)
      finish_full_batch();
    else
      finish_last_batch();
    return std::move(batch_);
  }

  scan_batch backfill() {
    const auto limit = std::min(wanted_.limit, wanted_.examine_limit);
    read(backfill_sql(db_.kind()), limit + 1, limit + 1);
    const bool more = drop_beyond(limit);
    batch_.examined = std::ssize(batch_.candidates);
    batch_.examined_to = batch_.candidates.empty() ? wanted_.after : batch_.candidates.back().record.at();
    batch_.through = !more;
    return std::move(batch_);
  }

private:
  void read(const std::string& text, std::int64_t limit, std::int64_t examine_limit) {
    batch_.candidates.reserve(static_cast<std::size_t>(std::clamp<std::int64_t>(limit, 0, 1024)));
    if (db_.kind() == engine::sqlite)
      read_sqlite(text, limit, examine_limit);
    else
      read_postgresql(text, limit, examine_limit);
  }

  void read_sqlite(const std::string& text, std::int64_t limit, std::int64_t examine_limit) {
    direct_statement rows(db_, text);
    rows.bind(rows.place(":source"), wanted_.source.value).bind(rows.place(":domain"), wanted_.domain);
    rows.bind(rows.place(":after_time"), wanted_.after.changed_at);
    rows.bind(rows.place(":after_id"), wanted_.after.id.value).bind(rows.place(":until"), until_);
    rows.bind(rows.place(":rule"), wanted_.rule.value).bind(rows.place(":limit"), limit);
    rows.bind(rows.place(":examine_limit"), examine_limit);
    while (rows.next())
      batch_.candidates.push_back(read_candidate(rows));
  }

  void read_postgresql(const std::string& text, std::int64_t limit, std::int64_t examine_limit) {
    query rows(db_, text);
    use_range(rows, wanted_.after, until_);
    rows.use("rule", wanted_.rule).use("limit", limit).use("examine_limit", examine_limit);
    mirror_target record;
    ledger_target row;
    record.bind(rows);
    row.bind(rows);
    std::int64_t examined = 0;
    rows.into(examined);
    while (rows.next()) {
      examined_before_ = std::exchange(batch_.examined, examined);
      batch_.candidates.push_back({record.take(), row.take()});
    }
  }

  /// One more than wanted was read: whether there was one more says what lies beyond without a further query.
  bool drop_beyond(std::int64_t limit) {
    const bool more = std::ssize(batch_.candidates) > limit;
    if (more) {
      batch_.candidates.pop_back();
      batch_.examined = examined_before_;
    }
    return more;
  }

  void use_range(query& rows, core::position after, core::timestamp until) const {
    rows.use("source", wanted_.source).use("domain", wanted_.domain);
    rows.use("after_time", after.changed_at).use("after_id", after.id).use("until", until);
  }

  /// The batch is full, and what lies beyond it are rows that are no candidates, if any.
  void finish_last_batch() {
    finish_full_batch();
    batch_.through = nothing_beyond(batch_.examined_to);
  }

  /// The batch is full: it ends at its last candidate.
  void finish_full_batch() {
    batch_.examined_to = batch_.candidates.empty() ? wanted_.after : batch_.candidates.back().record.at();
    if (db_.kind() == engine::sqlite)
      batch_.examined = count_to(batch_.examined_to);
  }

  /// Everything in the window was looked at: the batch ends where the window does.
  void finish_window() {
    core::timestamp last{};
    {
      query window(db_, window_sql(db_.kind()));
      use_range(window, wanted_.after, until_);
      window.use("examine_limit", wanted_.examine_limit).into(batch_.examined).into(last);
      while (window.next()) {
      }
    }
    batch_.through = batch_.examined < wanted_.examine_limit;
    batch_.examined_to = wanted_.after;
    if (batch_.examined == 0)
      return;
    if (batch_.through)
      batch_.examined_to = {last, last_id_at(last)};
    else
      batch_.examined_to = window_end();
    batch_.through = batch_.through || nothing_beyond(batch_.examined_to);
  }

  core::record_id last_id_at(core::timestamp time) {
    core::record_id id;
    query newest(db_, "SELECT max(id) FROM mirror_records WHERE source_connection_id = :source "
                      "AND domain = :domain AND content_changed_at = :time");
    newest.use("source", wanted_.source).use("domain", wanted_.domain).use("time", time).into(id).run();
    return id;
  }

  core::position window_end() {
    core::position end = wanted_.after;
    query rows(db_, window_end_sql(db_.kind()));
    use_range(rows, wanted_.after, until_);
    rows.use("offset", wanted_.examine_limit - 1).into(end.changed_at).into(end.id).run();
    return end;
  }

  /// Rows after the scan's start up to and including `end`. Rows of one time are counted by id, so that a
  /// large import with a single time is not counted again in every batch.
  std::int64_t count_to(core::position end) {
    std::int64_t before = 0;
    const bool same_time = wanted_.after.changed_at == end.changed_at;
    if (!same_time) {
      core::timestamp last{};
      query rows(db_, window_sql(db_.kind()));
      use_range(rows, wanted_.after, end.changed_at);
      rows.use("examine_limit", wanted_.examine_limit).into(before).into(last).run();
    }
    std::int64_t at_end = 0;
    query rows(db_, "SELECT count(*) FROM mirror_records WHERE source_connection_id = :source AND domain = "
                    ":domain AND content_changed_at = :time AND id > :after_id AND id <= :id");
    rows.use("source", wanted_.source).use("domain", wanted_.domain).use("time", end.changed_at);
    rows.use("after_id", same_time ? wanted_.after.id.value : std::numeric_limits<std::int64_t>::min());
    rows.use("id", end.id).into(at_end).run();
    return before + at_end;
  }

  bool nothing_beyond(core::position end) {
    std::int64_t beyond = 0;
    core::timestamp last{};
    query rows(db_, window_sql(db_.kind()));
    use_range(rows, end, until_);
    rows.use("examine_limit", std::int64_t{1}).into(beyond).into(last).run();
    return beyond == 0;
  }

  session& db_;
  const scan_query& wanted_;
  core::timestamp until_;
  scan_batch batch_;
  std::int64_t examined_before_ = 0; ///< what `examined` was before the last candidate
};

} // namespace

result<scan_batch> read_delta(session& db, const scan_query& query) {
  return in_snapshot(db, "Reading a delta batch", [&] {
    needed(require_connected(db, query.source));
    auto batch = scan(db, query).delta();
    if (query.volume_window)
      batch.volume = needed(count_scan_volume(db, query, scan_range::delta));
    return batch;
  });
}

result<scan_batch> read_backfill(session& db, const scan_query& query) {
  return in_snapshot(db, "Reading a backfill batch", [&] {
    needed(require_connected(db, query.source));
    auto batch = scan(db, query).backfill();
    if (query.volume_window)
      batch.volume = needed(count_scan_volume(db, query, scan_range::backfill));
    return batch;
  });
}

} // namespace sluice::storage
