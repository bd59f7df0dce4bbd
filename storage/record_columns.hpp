#pragma once

#include "core/ledger.hpp"
#include "core/record.hpp"
#include "storage/soci_session.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sluice::storage {

/// A mirror row's columns, in the order mirror_target takes them.
inline constexpr std::string_view mirror_columns =
    "m.id, m.source_id, m.content_changed_at, m.deleted_at, m.deletion_reason, m.payload";

/// PostgreSQL: a LATERAL item that finds the mirror row of the given source, domain and source id, or the one
/// after it, so that the join's condition must compare all three again. An equality here would leave
/// the planner the choice of the scan's index as well, which begins alike: while the table has no statistics
/// it takes both for a single row, and reads the whole domain for each record. This order has one index only.
[[nodiscard]] std::string mirror_lookup(std::string_view source, std::string_view domain,
                                        std::string_view source_id);
/// Of `:source` and `:domain`.
[[nodiscard]] std::string mirror_lookup(std::string_view source_id);

/// Where a query puts a mirror row.
class mirror_target {
public:
  void bind(query& rows);
  /// The row just fetched, moved out. Throws `abandoned` for a value that is not allowed.
  [[nodiscard]] core::mirror_record take();

private:
  core::mirror_record record_;
  std::string reason_;
};

/// A ledger row's columns, in the order ledger_target takes them.
inline constexpr std::string_view ledger_columns =
    "r.rule_id, r.source_id, r.status, r.target_state, r.remote_id, r.delivered_content_changed_at, "
    "r.seen_content_changed_at, r.seen_revision, r.attempts, r.next_attempt_at, r.error_class, r.error, "
    "r.create_generation, r.anchor_source_id, r.row_version, r.deleted_at";

/// Where a query puts a ledger row, which an outer join may have left out.
class ledger_target {
public:
  void bind(query& rows);
  [[nodiscard]] std::optional<core::ledger_row> take();

private:
  core::ledger_row row_;
  std::optional<std::int64_t> rule_;
  std::string status_;
  std::string target_;
  std::optional<core::timestamp> deleted_at_;
};

/// Both from a row of SQLite's, whose columns from 0 are mirror_columns, then ledger_columns.
[[nodiscard]] core::candidate read_candidate(const direct_statement& row);

} // namespace sluice::storage
