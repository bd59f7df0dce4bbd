#include "storage/connections.hpp"
#include "storage/dialect.hpp"
#include "storage/event_pruning.hpp"
#include "storage/lifecycle.hpp"
#include "storage/rules.hpp"
#include "storage/soci_session.hpp"

#include <array>

namespace sluice::storage {
namespace {

struct owned_rows {
  std::string_view table;
  std::string_view owner; ///< the column that names it
  std::string_view key;   ///< tells the owner's rows apart
};

// What refers to a rule goes before it, and what refers to a connection before that.
constexpr std::array of_rule{
    owned_rows{"delivery_intents", "rule_id", "record_id"},
    owned_rows{"delivery_intent_batches", "rule_id", "id"},
    owned_rows{"outbound_deliveries", "rule_id", "source_id"},
    owned_rows{"rule_withdrawals", "rule_id", "minute_at"},
    owned_rows{"backfill_confirmations", "rule_id", "id"},
    owned_rows{"rule_jobs", "rule_id", "id"},
    owned_rows{"delivery_runs", "rule_id", "id"},
    owned_rows{"delivery_stops", "rule_id", "id"},
    owned_rows{"delivery_cursors", "rule_id", "rule_id"},
    owned_rows{"sync_rules", "id", "id"},
};
constexpr std::array of_connection{
    owned_rows{"delivery_stops", "connection_id", "id"},
    owned_rows{"throttle_windows", "connection_id", "connection_id"},
    owned_rows{"change_markers", "source_connection_id", "domain"},
    owned_rows{"mirror_records", "source_connection_id", "id"},
    owned_rows{"connections", "id", "id"},
};

std::int64_t remove(session& db, const owned_rows& rows, std::int64_t owner, std::int64_t limit) {
  const std::string from =
      " FROM " + std::string(rows.table) + " WHERE " + std::string(rows.owner) + " = :owner";
  const std::string key(rows.key);
  return query(db, "DELETE" + from + " AND " + key + " IN (SELECT " + key + from + " ORDER BY " + key
                       + " LIMIT :limit)")
      .use("owner", owner)
      .use("limit", limit)
      .run();
}

template <std::size_t Size>
std::int64_t remove_first(session& db, const std::array<owned_rows, Size>& all, std::int64_t owner,
                          std::int64_t limit) {
  for (const auto& rows : all)
    if (const auto removed = remove(db, rows, owner, limit); removed > 0)
      return removed;
  return 0;
}

/// Before the first row goes: from here on there is no way back, and the credentials are gone.
void begin_purge(session& db, const stored_connection& found, core::timestamp now) {
  if (!found.deleted_at)
    throw abandoned{{error::refused, "Connection \"" + found.connection.name
                                         + "\" is not disconnected; disconnect it first, or uninstall it."}};
  if (found.purging_since)
    return;
  query(db, "UPDATE connections SET purging_since = :now, updated_at = :now, credentials = '' WHERE id = :id")
      .use("now", now)
      .use("id", found.connection.id)
      .run();
}

/// Of a rule `r`: a node that works on it would write what is being removed, and lose what its calls come to.
std::string at_work(engine kind) {
  return "EXISTS (SELECT 1 FROM delivery_runs AS d WHERE d.rule_id = r.id AND d.ending IS NULL) AND EXISTS "
         "(SELECT 1 FROM ownership WHERE lease_until > "
         + std::string(dialect::clock(kind)) + ")";
}

void refuse_open_run(session& db, std::int64_t rule) {
  std::string name;
  query(db, "SELECT r.name FROM sync_rules AS r WHERE r.id = :rule AND " + at_work(db.kind()))
      .use("rule", rule)
      .into(name)
      .run();
  if (!name.empty())
    throw abandoned{
        {error::busy, "A node's run of rule \"" + name + "\" is still open; purge when it has ended."}};
}

std::int64_t first_rule(session& db, core::connection_id connection) {
  std::int64_t rule = 0;
  query(db, "SELECT id FROM sync_rules WHERE source_connection_id = :id OR target_connection_id = :id "
            "ORDER BY id LIMIT 1")
      .use("id", connection)
      .into(rule)
      .run();
  return rule;
}

std::int64_t step(session& db, const stored_connection& found, std::int64_t limit, core::timestamp now) {
  begin_purge(db, found, now);
  const auto connection = found.connection.id;
  if (const auto rule = first_rule(db, connection); rule != 0) {
    refuse_open_run(db, rule);
    return remove_first(db, of_rule, rule, limit);
  }
  if (const auto events = remove_events_of(db, connection, limit, now); events > 0)
    return events;
  const auto removed = remove_first(db, of_connection, connection.value, limit);
  if (!needed(read_connection(db, connection)))
    needed(raise_configuration_version(db));
  return removed;
}

/// The one disconnected longest, but whom a run still holds open comes last: nobody waits for it.
std::optional<std::string> expired(session& db, core::timestamp until) {
  std::optional<std::string> name;
  query(db, "SELECT c.name FROM connections AS c WHERE c.deleted_at IS NOT NULL AND (c.deleted_at <= :until "
            "OR c.purging_since IS NOT NULL) ORDER BY CASE WHEN EXISTS (SELECT 1 FROM sync_rules AS r WHERE "
            "(r.source_connection_id = c.id OR r.target_connection_id = c.id) AND "
                + at_work(db.kind()) + ") THEN 1 ELSE 0 END, c.deleted_at LIMIT 1")
      .use("until", until)
      .into(name)
      .run();
  return name;
}

} // namespace

result<std::int64_t> purge_connection(session& db, std::string_view name, std::int64_t limit,
                                      core::timestamp now) {
  return guarded(db, "Purging a connection", [&]() -> std::int64_t {
    needed(lock_configuration(db));
    const auto found = needed(read_connection(db, name));
    return found ? step(db, *found, limit, now) : 0;
  });
}

result<std::int64_t> purge_expired(session& db, core::timestamp disconnected_until, std::int64_t limit,
                                   core::timestamp now) {
  return guarded(db, "Purging what was disconnected", [&]() -> std::int64_t {
    const auto name = expired(db, disconnected_until);
    return name ? needed(purge_connection(db, *name, limit, now)) : 0;
  });
}

result<std::int64_t> uninstall_connection(session& db, std::string_view name, core::timestamp now,
                                          std::int64_t batch) {
  if (auto disconnected = disconnect_connection(db, name, now); !disconnected)
    return std::unexpected{disconnected.error()};
  std::int64_t removed = 0;
  for (;;) {
    const auto rows =
        transact(db, [&](session& within) { return purge_connection(within, name, batch, now); });
    if (!rows || *rows == 0)
      return rows ? removed : rows;
    removed += *rows;
  }
}

} // namespace sluice::storage
