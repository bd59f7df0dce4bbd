#pragma once

#include "core/ids.hpp"
#include "core/incoming.hpp"
#include "core/record.hpp"
#include "storage/session.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace sluice::storage {

using core::incoming_record;

struct upsert_counts {
  std::int64_t inserted = 0;
  std::int64_t changed = 0;
  std::int64_t unchanged = 0; ///< same payload, still live: neither row nor change signal is touched
  std::int64_t restored = 0;  ///< was a tombstone, came back
};

/// Writes a batch as one statement inside the caller's transaction. A batch that names a record twice counts
/// its last one. Stamps the change signal: max(now, the row's last + 1 µs, the domain's last), in the order
/// of the batch, for what is new, changed or restored. Leaves markers through the schema's triggers.
[[nodiscard]] result<upsert_counts> upsert_records(session& db, core::connection_id source,
                                                   std::string_view domain,
                                                   std::span<const incoming_record> records,
                                                   core::timestamp now);

/// Turns live records into tombstones with reason source_event; returns how many were live.
[[nodiscard]] result<std::int64_t> delete_records(session& db, core::connection_id source,
                                                  std::string_view domain,
                                                  std::span<const std::string> source_ids,
                                                  core::timestamp now);

/// Writes a batch of both kinds inside the caller's transaction: of each record its last change counts.
/// `not_found` where the source is disconnected.
[[nodiscard]] result<core::incoming_counts> write_changes(session& db, core::connection_id source,
                                                          std::string_view domain,
                                                          std::span<const core::incoming_change> changes,
                                                          core::timestamp now);

[[nodiscard]] result<std::optional<core::mirror_record>>
find_record(session& db, core::connection_id source, std::string_view domain, std::string_view source_id);

/// Live records of a domain.
[[nodiscard]] result<std::int64_t> count_records(session& db, core::connection_id source,
                                                 std::string_view domain);

} // namespace sluice::storage
