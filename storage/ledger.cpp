#include "storage/ledger.hpp"

#include "storage/array_text.hpp"
#include "storage/record_columns.hpp"
#include "storage/soci_session.hpp"

#include <array>
#include <initializer_list>
#include <unordered_set>

namespace sluice::storage {
namespace {

/// The stored time of a trashed row is when it was first written so; live rows have none.
constexpr std::string_view sqlite_insert =
    "INSERT INTO outbound_deliveries (rule_id, source_id, status, target_state, remote_id, "
    "delivered_content_changed_at, seen_content_changed_at, seen_revision, attempts, next_attempt_at, "
    "error_class, error, create_generation, row_version, updated_at, deleted_at, anchor_source_id) "
    "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17) "
    "ON CONFLICT (rule_id, source_id) DO NOTHING";

constexpr std::string_view sqlite_update =
    "UPDATE outbound_deliveries SET status = ?3, target_state = ?4, remote_id = ?5, "
    "delivered_content_changed_at = ?6, seen_content_changed_at = ?7, seen_revision = ?8, attempts = ?9, "
    "next_attempt_at = ?10, error_class = ?11, error = ?12, create_generation = ?13, row_version = ?14, "
    "updated_at = ?15, anchor_source_id = ?17, deleted_at = CASE WHEN ?16 IS NULL THEN NULL ELSE "
    "coalesce(deleted_at, ?16) END "
    "WHERE rule_id = ?1 AND source_id = ?2 AND row_version = ?14 - 1";

/// Absent in nearly every row: NULL takes no room.
std::optional<std::string_view> anchor_of(const core::ledger_row& row) {
  if (row.anchor_source_id.empty())
    return std::nullopt;
  return row.anchor_source_id;
}

class sqlite_writer {
public:
  sqlite_writer(session& db, core::rule_id rule, core::timestamp now)
      : insert_(db, sqlite_insert), update_(db, sqlite_update), now_(now) {
    insert_.bind(1, rule.value).bind(15, now);
    update_.bind(1, rule.value).bind(15, now);
  }

  std::int64_t write(const core::ledger_row& row) {
    auto& statement = row.row_version == 1 ? insert_ : update_;
    statement.bind(2, row.source_id)
        .bind(3, core::to_string(row.status))
        .bind(4, core::to_string(row.target))
        .bind(5, row.remote_id)
        .bind(6, row.delivered_content_changed_at)
        .bind(7, row.seen_content_changed_at)
        .bind(8, row.seen_revision)
        .bind(9, std::int64_t{row.attempts})
        .bind(10, row.next_attempt_at)
        .bind(11, row.error_class)
        .bind(12, row.error)
        .bind(13, std::int64_t{row.create_generation})
        .bind(14, row.row_version)
        .bind(16, row.trashed ? std::optional(now_) : std::nullopt)
        .bind(17, anchor_of(row));
    return statement.run();
  }

private:
  direct_statement insert_;
  direct_statement update_;
  core::timestamp now_;
};

/// A column a row brings. Those that vary travel as an array each; the others do so too unless the rows of a
/// statement are alike in them: an array costs the server about as much as reading the row it becomes.
struct ledger_column {
  std::string_view name;
  std::string_view type;
  bool varies;
};

constexpr std::array ledger_columns{
    ledger_column{"source_id", "text", true},
    ledger_column{"status", "text", false},
    ledger_column{"target_state", "text", false},
    ledger_column{"remote_id", "text", true},
    ledger_column{"delivered_content_changed_at", "bigint", true},
    ledger_column{"seen_content_changed_at", "bigint", true},
    ledger_column{"seen_revision", "bigint", false},
    ledger_column{"attempts", "bigint", false},
    ledger_column{"next_attempt_at", "bigint", false},
    ledger_column{"error_class", "text", false},
    ledger_column{"error", "text", false},
    ledger_column{"create_generation", "bigint", false},
    ledger_column{"anchor_source_id", "text", false},
    ledger_column{"row_version", "bigint", false},
    ledger_column{"deleted_at", "bigint", false},
};

/// New rows are inserted where none is, others updated where the version fits; a row to update that is gone
/// is not made again. One statement, driven by the key alone, whatever the planner believes of the table.
std::string postgresql_write(bool alike) {
  std::string names = "rule_id", values = "CAST(:rule AS bigint)", arrays, array_names, changes;
  const auto list = [](std::string& to, std::initializer_list<std::string_view> words) {
    if (!to.empty())
      to += ", ";
    for (const auto word : words)
      to += word;
  };
  for (const auto& [name, type, varies] : ledger_columns) {
    list(names, {name});
    if (varies || !alike) {
      list(values, {"i.", name});
      list(arrays, {"CAST(:", name, " AS ", type, "[])"});
      list(array_names, {name});
    } else {
      list(values, {"CAST(:", name, " AS ", type, ")"});
    }
    if (name == "deleted_at")
      list(changes, {"deleted_at = CASE WHEN excluded.deleted_at IS NULL THEN NULL "
                     "ELSE coalesce(o.deleted_at, excluded.deleted_at) END"});
    else if (name != "source_id")
      list(changes, {name, " = excluded.", name});
  }
  std::string text = "INSERT INTO outbound_deliveries AS o (" + names + ", updated_at) SELECT " + values;
  text += ", CAST(:now AS bigint) FROM unnest(" + arrays + ") AS i (" + array_names + ") WHERE ";
  text += alike ? "CAST(:row_version AS bigint)" : "i.row_version";
  return text
         + " = 1 OR (SELECT TRUE FROM outbound_deliveries x WHERE x.rule_id = :rule "
           "AND x.source_id = i.source_id LIMIT 1) ON CONFLICT (rule_id, source_id) DO UPDATE SET "
         + changes + ", updated_at = excluded.updated_at WHERE o.row_version = excluded.row_version - 1";
}

bool alike(const core::ledger_row& one, const core::ledger_row& other) {
  return one.status == other.status && one.target == other.target && one.seen_revision == other.seen_revision
         && one.attempts == other.attempts && one.next_attempt_at == other.next_attempt_at
         && one.error_class == other.error_class && one.error == other.error
         && one.create_generation == other.create_generation && one.anchor_source_id == other.anchor_source_id
         && one.row_version == other.row_version && one.trashed == other.trashed;
}

using row_pointers = std::vector<const core::ledger_row*>;

/// What varies between rows that are alike.
struct varying_arrays {
  explicit varying_arrays(const row_pointers& rows) {
    for (const auto* row : rows) {
      source_ids.add(std::string_view(row->source_id));
      remote_ids.add(std::string_view(row->remote_id));
      delivered.add(row->delivered_content_changed_at);
      seen.add(row->seen_content_changed_at);
    }
  }
  void use(query& statement) {
    statement.use("source_id", source_ids.take()).use("remote_id", remote_ids.take());
    statement.use("delivered_content_changed_at", delivered.take())
        .use("seen_content_changed_at", seen.take());
  }
  array_text source_ids, remote_ids, delivered, seen;
};

std::int64_t write_alike(session& db, core::rule_id rule, const row_pointers& rows, core::timestamp now) {
  static const auto text = postgresql_write(true);
  query statement(db, text);
  varying_arrays(rows).use(statement);
  const auto& all = *rows.front();
  statement.use("rule", rule).use("now", now);
  statement.use("status", core::to_string(all.status)).use("target_state", core::to_string(all.target));
  statement.use("seen_revision", all.seen_revision).use("attempts", all.attempts);
  statement.use("next_attempt_at", all.next_attempt_at).use("error_class", all.error_class);
  statement.use("error", all.error).use("create_generation", all.create_generation);
  statement.use("anchor_source_id", anchor_of(all));
  statement.use("row_version", all.row_version);
  statement.use("deleted_at", all.trashed ? std::optional(now) : std::nullopt);
  return statement.run();
}

std::int64_t write_each(session& db, core::rule_id rule, const row_pointers& rows, core::timestamp now) {
  static const auto text = postgresql_write(false);
  array_text statuses, targets, revisions, attempts, next_attempts, error_classes, errors, generations,
      anchors, versions, deleted;
  for (const auto* row : rows) {
    statuses.add(core::to_string(row->status));
    targets.add(core::to_string(row->target));
    revisions.add(row->seen_revision);
    attempts.add(std::int64_t{row->attempts});
    next_attempts.add(row->next_attempt_at);
    error_classes.add(std::string_view(row->error_class));
    errors.add(std::string_view(row->error));
    generations.add(std::int64_t{row->create_generation});
    anchors.add(anchor_of(*row));
    versions.add(row->row_version);
    deleted.add(row->trashed ? std::optional(now) : std::nullopt);
  }
  query statement(db, text);
  varying_arrays(rows).use(statement);
  statement.use("rule", rule).use("now", now);
  statement.use("status", statuses.take()).use("target_state", targets.take());
  statement.use("seen_revision", revisions.take()).use("attempts", attempts.take());
  statement.use("next_attempt_at", next_attempts.take()).use("error_class", error_classes.take());
  statement.use("error", errors.take()).use("create_generation", generations.take());
  statement.use("anchor_source_id", anchors.take());
  statement.use("row_version", versions.take()).use("deleted_at", deleted.take());
  return statement.run();
}

/// The rows of a batch are nearly always alike, or alike but for a few; those few go together.
std::int64_t write_part(session& db, core::rule_id rule, const row_pointers& rows, core::timestamp now) {
  row_pointers like_first, others;
  for (const auto* row : rows)
    (alike(*rows.front(), *row) ? like_first : others).push_back(row);
  if (like_first.size() < others.size())
    return write_each(db, rule, rows, now);
  auto written = write_alike(db, rule, like_first, now);
  if (!others.empty())
    written += write_each(db, rule, others, now);
  return written;
}

/// PostgreSQL refuses a statement that names a row twice: such a batch goes in parts, one after the other,
/// as it would on SQLite.
std::int64_t write_postgresql(session& db, core::rule_id rule, std::span<const core::ledger_row> rows,
                              core::timestamp now) {
  std::int64_t written = 0;
  row_pointers part;
  std::unordered_set<std::string_view> named;
  for (const auto& row : rows) {
    if (!named.insert(row.source_id).second) {
      written += write_part(db, rule, part, now);
      part.clear();
      named = {row.source_id};
    }
    part.push_back(&row);
  }
  return written + write_part(db, rule, part, now);
}

} // namespace

result<std::int64_t> write_ledger(session& db, core::rule_id rule, std::span<const core::ledger_row> rows,
                                  core::timestamp now) {
  return guarded(db, "Writing the ledger", [&]() -> std::int64_t {
    if (rows.empty())
      return 0;
    if (db.kind() == engine::postgresql)
      return write_postgresql(db, rule, rows, now);
    sqlite_writer writer(db, rule, now);
    std::int64_t written = 0;
    for (const auto& row : rows)
      written += writer.write(row);
    return written;
  });
}

} // namespace sluice::storage
