#include "storage/mirror.hpp"

#include "storage/array_text.hpp"
#include "storage/connections.hpp"
#include "storage/record_columns.hpp"
#include "storage/soci_session.hpp"

#include <algorithm>
#include <unordered_map>
#include <vector>

namespace sluice::storage {
namespace {

const std::string& id_of(const incoming_record& record) {
  return record.source_id;
}

const std::string& id_of(const core::incoming_change& change) {
  return change.record.source_id;
}

/// Where those of the batch lie that count: each source id's last one, in the order of the batch.
template <class Each>
std::vector<const Each*> last_of_each(std::span<const Each> batch) {
  std::unordered_map<std::string_view, const Each*> last;
  last.reserve(batch.size());
  for (const auto& each : batch)
    last.insert_or_assign(id_of(each), &each);
  std::vector<const Each*> kept;
  kept.reserve(last.size());
  for (const auto& each : batch)
    if (last.find(id_of(each))->second == &each)
      kept.push_back(&each);
  return kept;
}

/// What a batch's changes are stamped with at least: now, or the domain's last change where the clock is
/// behind it.
core::timestamp least_stamp(session& db, core::connection_id source, std::string_view domain,
                            core::timestamp now) {
  core::timestamp last = now;
  query newest(db, "SELECT content_changed_at FROM mirror_records WHERE source_connection_id = :source "
                   "AND domain = :domain ORDER BY content_changed_at DESC, id DESC LIMIT 1");
  newest.use("source", source).use("domain", domain).into(last).run();
  return std::max(now, last);
}

core::timestamp next_stamp(core::timestamp least, core::timestamp last) {
  return std::max(least, last + core::duration{1});
}

/// A statement with a trigger keeps copies of the pages it changes, for the case that it fails: many rows
/// share them, a row alone pays for its own.
constexpr std::size_t rows_an_insert = 50;

std::string insert_sql(std::size_t rows) {
  std::string text = "INSERT INTO mirror_records (source_connection_id, domain, source_id, payload, "
                     "content_changed_at, deletion_reason) VALUES ";
  for (std::size_t row = 0; row < rows; ++row)
    text += row == 0 ? "(?1, ?2, ?4, ?5, ?3, 'none')" : ", (?1, ?2, ?, ?, ?3, 'none')";
  return text;
}

/// SQLite is faster with small cached statements than with a batch as JSON: nothing crosses a wire.
class sqlite_upsert {
public:
  sqlite_upsert(session& db, core::connection_id source, std::string_view domain, core::timestamp least)
      : find_(db, "SELECT id, content_changed_at, deleted_at, payload = ?4 FROM mirror_records "
                  "WHERE source_connection_id = ?1 AND domain = ?2 AND source_id = ?3"),
        insert_one_(db, one_row), insert_many_(db, many_rows),
        change_(db, "UPDATE mirror_records SET payload = ?2, content_changed_at = ?3, deleted_at = NULL, "
                    "deletion_reason = 'none' WHERE id = ?1"),
        least_(least) {
    find_.bind(1, source.value).bind(2, domain);
    insert_one_.bind(1, source.value).bind(2, domain).bind(3, least);
    insert_many_.bind(1, source.value).bind(2, domain).bind(3, least);
    fresh_.reserve(rows_an_insert);
  }

  void write(const incoming_record& record) {
    find_.bind(3, record.source_id).bind(4, record.payload);
    if (!find_.next()) {
      find_.reset();
      fresh_.push_back(&record);
      if (fresh_.size() == rows_an_insert)
        insert_fresh();
      return;
    }
    const auto id = find_.number(0);
    const auto last = core::from_us(find_.number(1));
    const bool tombstone = !find_.is_null(2);
    const bool same = find_.number(3) != 0;
    find_.reset();
    if (same && !tombstone) {
      ++counts_.unchanged;
      return;
    }
    change_.bind(1, id).bind(2, record.payload).bind(3, next_stamp(least_, last)).run();
    ++(tombstone ? counts_.restored : counts_.changed);
  }

  upsert_counts finish() {
    for (const auto* record : fresh_)
      counts_.inserted += insert_one_.bind(4, record->source_id).bind(5, record->payload).run();
    fresh_.clear();
    return counts_;
  }

private:
  void insert_fresh() {
    int place = 4;
    for (const auto* record : fresh_) {
      insert_many_.bind(place, record->source_id).bind(place + 1, record->payload);
      place += 2;
    }
    counts_.inserted += insert_many_.run();
    fresh_.clear();
  }

  static inline const std::string one_row = insert_sql(1);
  static inline const std::string many_rows = insert_sql(rows_an_insert);
  direct_statement find_;
  direct_statement insert_one_;
  direct_statement insert_many_;
  direct_statement change_;
  core::timestamp least_;
  std::vector<const incoming_record*> fresh_; ///< in the order of the batch
  upsert_counts counts_;
};

/// Looks each record up first: an upsert that changes nothing would still lock its row, which is a write. The
/// second comparison is for what others committed in between.
std::string postgresql_upsert() {
  return "WITH incoming AS MATERIALIZED ("
         "SELECT i.source_id, i.payload, i.place, coalesce(old.deleted_at IS NOT NULL, FALSE) AS tombstone "
         "FROM unnest(CAST(:ids AS text[]), CAST(:payloads AS text[])) WITH ORDINALITY "
         "AS i (source_id, payload, place) LEFT JOIN "
         + mirror_lookup("i.source_id")
         + " old ON old.source_id = i.source_id AND old.domain = :domain "
           "AND old.source_connection_id = :source "
           "WHERE old.id IS NULL OR old.deleted_at IS NOT NULL OR old.payload <> i.payload), "
           "written AS (INSERT INTO mirror_records AS m (source_connection_id, domain, source_id, payload, "
           "content_changed_at, deletion_reason) SELECT CAST(:source AS bigint), CAST(:domain AS text), "
           "source_id, payload, CAST(:stamp AS bigint), 'none' FROM incoming ORDER BY place "
           "ON CONFLICT (source_connection_id, domain, source_id) DO UPDATE SET payload = excluded.payload, "
           "content_changed_at = greatest(excluded.content_changed_at, m.content_changed_at + 1), "
           "deleted_at = NULL, deletion_reason = 'none' "
           "WHERE m.payload <> excluded.payload OR m.deleted_at IS NOT NULL "
           "RETURNING (xmax = 0) AS fresh) "
           "SELECT count(*) FILTER (WHERE fresh), count(*) FILTER (WHERE NOT fresh), "
           "(SELECT count(*) FROM incoming WHERE tombstone) FROM written";
}

upsert_counts upsert_postgresql(session& db, core::connection_id source, std::string_view domain,
                                const std::vector<const incoming_record*>& records, core::timestamp least) {
  array_text ids;
  array_text payloads;
  for (const auto* record : records) {
    ids.add(std::string_view(record->source_id));
    payloads.add(std::string_view(record->payload));
  }
  upsert_counts counts;
  static const auto text = postgresql_upsert();
  query write(db, text);
  write.use("ids", ids.take()).use("payloads", payloads.take());
  write.use("source", source).use("domain", domain).use("stamp", least);
  write.into(counts.inserted).into(counts.changed).into(counts.restored).run();
  counts.restored = std::min(counts.restored, counts.changed);
  counts.changed -= counts.restored;
  counts.unchanged = std::ssize(records) - counts.inserted - counts.changed - counts.restored;
  return counts;
}

std::int64_t delete_sqlite(session& db, core::connection_id source, std::string_view domain,
                           std::span<const std::string> source_ids, core::timestamp now,
                           core::timestamp least) {
  std::int64_t deleted = 0;
  direct_statement bury(db, "UPDATE mirror_records SET deleted_at = ?4, deletion_reason = 'source_event', "
                            "content_changed_at = max(?5, content_changed_at + 1) "
                            "WHERE source_connection_id = ?1 AND domain = ?2 AND source_id = ?3 "
                            "AND deleted_at IS NULL");
  bury.bind(1, source.value).bind(2, domain).bind(4, now).bind(5, least);
  for (const auto& source_id : source_ids)
    deleted += bury.bind(3, source_id).run();
  return deleted;
}

std::int64_t delete_postgresql(session& db, core::connection_id source, std::string_view domain,
                               std::span<const std::string> source_ids, core::timestamp now,
                               core::timestamp least) {
  array_text ids;
  for (const auto& source_id : source_ids)
    ids.add(std::string_view(source_id));
  static const auto text = "UPDATE mirror_records SET deleted_at = :now, deletion_reason = 'source_event', "
                           "content_changed_at = greatest(CAST(:stamp AS bigint), content_changed_at + 1) "
                           "WHERE deleted_at IS NULL AND id = ANY(ARRAY(SELECT found.id "
                           "FROM unnest(CAST(:ids AS text[])) AS i (source_id) JOIN "
                           + mirror_lookup("i.source_id")
                           + " found ON found.source_id = i.source_id AND found.domain = :domain "
                             "AND found.source_connection_id = :source))";
  query bury(db, text);
  bury.use("now", now).use("stamp", least).use("source", source).use("domain", domain);
  return bury.use("ids", ids.take()).run();
}

/// Writes records that are named once each.
upsert_counts upsert(session& db, core::connection_id source, std::string_view domain,
                     const std::vector<const incoming_record*>& records, core::timestamp least) {
  if (records.empty())
    return {};
  if (db.kind() == engine::postgresql)
    return upsert_postgresql(db, source, domain, records, least);
  sqlite_upsert writer(db, source, domain, least);
  for (const auto* record : records)
    writer.write(*record);
  return writer.finish();
}

std::int64_t bury(session& db, core::connection_id source, std::string_view domain,
                  std::span<const std::string> source_ids, core::timestamp now, core::timestamp least) {
  if (source_ids.empty())
    return 0;
  return db.kind() == engine::postgresql ? delete_postgresql(db, source, domain, source_ids, now, least)
                                         : delete_sqlite(db, source, domain, source_ids, now, least);
}

} // namespace

result<upsert_counts> upsert_records(session& db, core::connection_id source, std::string_view domain,
                                     std::span<const incoming_record> records, core::timestamp now) {
  return guarded(db, "Writing mirror records", [&] {
    return upsert(db, source, domain, last_of_each(records), least_stamp(db, source, domain, now));
  });
}

result<std::int64_t> delete_records(session& db, core::connection_id source, std::string_view domain,
                                    std::span<const std::string> source_ids, core::timestamp now) {
  return guarded(db, "Deleting mirror records", [&]() -> std::int64_t {
    return bury(db, source, domain, source_ids, now, least_stamp(db, source, domain, now));
  });
}

result<core::incoming_counts> write_changes(session& db, core::connection_id source, std::string_view domain,
                                            std::span<const core::incoming_change> changes,
                                            core::timestamp now) {
  return guarded(db, "Writing what a source tells", [&] {
    needed(require_connected(db, source));
    std::vector<const incoming_record*> records;
    std::vector<std::string> gone;
    for (const auto* change : last_of_each(changes)) {
      if (change->gone)
        gone.push_back(change->record.source_id);
      else
        records.push_back(&change->record);
    }
    const auto least = least_stamp(db, source, domain, now);
    const auto written = upsert(db, source, domain, records, least);
    const auto deleted = bury(db, source, domain, gone, now, least);
    return core::incoming_counts{written.inserted, written.changed, written.unchanged,
                                 written.restored, deleted,         std::ssize(gone) - deleted};
  });
}

result<std::optional<core::mirror_record>> find_record(session& db, core::connection_id source,
                                                       std::string_view domain, std::string_view source_id) {
  return guarded(db, "Finding a mirror record", [&] {
    mirror_target target;
    std::optional<core::mirror_record> found;
    query rows(db, "SELECT " + std::string(mirror_columns)
                       + " FROM mirror_records m WHERE m.source_connection_id = :source "
                         "AND m.domain = :domain AND m.source_id = :source_id");
    rows.use("source", source).use("domain", domain).use("source_id", source_id);
    target.bind(rows);
    while (rows.next())
      found = target.take();
    return found;
  });
}

result<std::int64_t> count_records(session& db, core::connection_id source, std::string_view domain) {
  return guarded(db, "Counting mirror records", [&] {
    std::int64_t count = 0;
    query rows(db, "SELECT count(*) FROM mirror_records WHERE source_connection_id = :source "
                   "AND domain = :domain AND deleted_at IS NULL");
    rows.use("source", source).use("domain", domain).into(count).run();
    return count;
  });
}

} // namespace sluice::storage
