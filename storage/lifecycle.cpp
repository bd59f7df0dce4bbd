#include "storage/lifecycle.hpp"

#include "storage/connections.hpp"
#include "storage/rules.hpp"
#include "storage/soci_session.hpp"

#include <algorithm>
#include <optional>

namespace sluice::storage {
namespace {

std::string quoted(std::string_view name) {
  return "Connection \"" + std::string(name) + "\"";
}

stored_connection must_find(session& db, std::string_view name) {
  auto found = needed(read_connection(db, name));
  if (!found)
    throw abandoned{{error::not_found, quoted(name) + " does not exist."}};
  return std::move(*found);
}

/// A time at which nothing else was deleted: what one disconnect took is told from the rest by it.
core::timestamp unused_time(session& db, core::timestamp now) {
  core::timestamp last{};
  query(db, "SELECT max(t.deleted_at) FROM (SELECT max(deleted_at) AS deleted_at FROM connections "
            "UNION ALL SELECT max(deleted_at) FROM sync_rules) AS t")
      .into(last)
      .run();
  return std::max(now, last + core::duration{1});
}

/// The connection's rules, as source or as target.
constexpr std::string_view its_rules =
    "(source_connection_id = :connection OR target_connection_id = :connection)";

lifecycle_report close(session& db, std::string_view name, core::timestamp now) {
  needed(lock_configuration(db));
  const auto found = must_find(db, name);
  if (found.deleted_at)
    return {.disconnected_at = *found.deleted_at, .rules = 0, .records = 0};
  const auto at = unused_time(db, now);
  query(db, "UPDATE connections SET deleted_at = :at, updated_at = :at WHERE id = :connection")
      .use("at", at)
      .use("connection", found.connection.id)
      .run();
  const auto rules =
      query(db, "UPDATE sync_rules SET deleted_at = :at, updated_at = :at WHERE deleted_at IS NULL AND "
                    + std::string(its_rules))
          .use("at", at)
          .use("connection", found.connection.id)
          .run();
  needed(raise_configuration_version(db));
  return {.disconnected_at = at, .rules = rules, .records = 0};
}

/// Goes through a connection's records in the order of their identity, so many a transaction.
class record_walk {
public:
  record_walk(session& db, core::connection_id connection, std::int64_t batch)
      : db_(db), connection_(connection), batch_(batch) {}

  /// Runs the update with the range of each batch; returns the rows it wrote.
  result<std::int64_t> each(std::string_view update, core::timestamp at) {
    std::int64_t written = 0;
    while (!through_) {
      auto done = transact(db_, [&](session& db) {
        return guarded(db, "Going through a connection's records", [&] { return step(db, update, at); });
      });
      if (!done)
        return done;
      written += *done;
    }
    return written;
  }

private:
  std::int64_t step(session& db, std::string_view update, core::timestamp at) {
    std::optional<std::string> domain;
    std::string source_id;
    query end(
        db,
        "SELECT domain, source_id FROM mirror_records WHERE source_connection_id = :connection "
        "AND (domain, source_id) > (:domain, :source_id) ORDER BY domain, source_id LIMIT 1 OFFSET :offset");
    end.use("connection", connection_).use("domain", domain_).use("source_id", source_id_);
    end.use("offset", batch_ - 1).into(domain).into(source_id).run();
    through_ = !domain;
    const std::string_view to = through_ ? "" : " AND (domain, source_id) <= (:to_domain, :to_source_id)";
    query rows(db,
               std::string(update)
                   + " AND source_connection_id = :connection AND (domain, source_id) > (:domain, :source_id)"
                   + std::string(to));
    rows.use("at", at).use("connection", connection_).use("domain", domain_).use("source_id", source_id_);
    if (!through_) {
      rows.use("to_domain", *domain).use("to_source_id", source_id);
      domain_ = std::move(*domain);
      source_id_ = std::move(source_id);
    }
    return rows.run();
  }

  session& db_;
  core::connection_id connection_;
  std::int64_t batch_;
  std::string domain_;
  std::string source_id_;
  bool through_ = false;
};

stored_connection may_return(session& db, std::string_view name, core::duration grace_period,
                             core::timestamp now) {
  auto found = must_find(db, name);
  if (!found.deleted_at)
    throw abandoned{{error::refused, quoted(name) + " is not disconnected."}};
  if (found.purging_since)
    throw abandoned{{error::refused, quoted(name) + " is being purged; nothing of it can be brought back."}};
  if (now >= *found.deleted_at + grace_period)
    throw abandoned{{error::refused, quoted(name) + " was disconnected at "
                                         + core::to_rfc3339(*found.deleted_at) + "; its grace period of "
                                         + core::to_text(grace_period)
                                         + " is over. Purge it, then apply it anew."}};
  return found;
}

std::int64_t open(session& db, const stored_connection& found, core::timestamp now) {
  const auto bind = [&](query& statement) -> query& {
    return statement.use("at", *found.deleted_at).use("connection", found.connection.id);
  };
  query(db, "UPDATE connections SET deleted_at = NULL, updated_at = :now WHERE id = :connection")
      .use("now", now)
      .use("connection", found.connection.id)
      .run();
  // A rule between two disconnected connections comes back with the second.
  const std::string others_end = "(SELECT o.deleted_at FROM connections AS o WHERE o.id = CASE WHEN "
                                 "source_connection_id = :connection THEN target_connection_id "
                                 "ELSE source_connection_id END)";
  query waits(db, "UPDATE sync_rules SET deleted_at = " + others_end + " WHERE deleted_at = :at AND "
                      + std::string(its_rules) + " AND " + others_end + " IS NOT NULL");
  bind(waits).run();
  query markers(db, "INSERT INTO change_markers (source_connection_id, domain, least_changed_at) "
                    "SELECT DISTINCT source_connection_id, domain, CAST(:at AS BIGINT) FROM sync_rules "
                    "WHERE deleted_at = :at AND "
                        + std::string(its_rules) + " ON CONFLICT DO NOTHING");
  bind(markers).run(); // what waits is looked at now, not at the next sweep
  query rules(db, "UPDATE sync_rules SET deleted_at = NULL, updated_at = :now WHERE deleted_at = :at AND "
                      + std::string(its_rules));
  return bind(rules.use("now", now)).run();
}

} // namespace

result<std::vector<connection_life>> list_connection_lives(session& db) {
  auto rows = read_connections(db);
  if (!rows)
    return std::unexpected{rows.error()};
  std::vector<connection_life> lives;
  for (auto& row : *rows) {
    row.connection.credentials.clear();
    lives.push_back({std::move(row.connection), row.updated_at, row.deleted_at, row.purging_since,
                     std::move(row.tenant_public_id)});
  }
  return lives;
}

result<lifecycle_report> disconnect_connection(session& db, std::string_view name, core::timestamp now,
                                               std::int64_t batch) {
  core::connection_id connection;
  auto closed = transact(db, [&](session& within) {
    return guarded(within, "Disconnecting a connection", [&] {
      auto report = close(within, name, now);
      connection = must_find(within, name).connection.id;
      return report;
    });
  });
  if (!closed)
    return closed;
  auto taken = record_walk(db, connection, batch)
                   .each("UPDATE mirror_records SET deleted_at = :at, deletion_reason = 'disconnect' "
                         "WHERE deleted_at IS NULL",
                         closed->disconnected_at);
  if (!taken)
    return std::unexpected{taken.error()};
  closed->records = *taken;
  return closed;
}

result<lifecycle_report> reconnect_connection(session& db, std::string_view name, core::duration grace_period,
                                              core::timestamp now, std::int64_t batch) {
  auto found = transact(db, [&](session& within) {
    return guarded(within, "Looking a connection up",
                   [&] { return may_return(within, name, grace_period, now); });
  });
  if (!found)
    return std::unexpected{found.error()};
  auto restored = record_walk(db, found->connection.id, batch)
                      .each("UPDATE mirror_records SET deleted_at = NULL, deletion_reason = 'none' "
                            "WHERE deletion_reason = 'disconnect' AND deleted_at = :at",
                            *found->deleted_at);
  if (!restored)
    return std::unexpected{restored.error()};
  return transact(db, [&](session& within) {
    return guarded(within, "Reconnecting a connection", [&] {
      needed(lock_configuration(within));
      const auto still = may_return(within, name, grace_period, now);
      lifecycle_report report{
          .disconnected_at = *still.deleted_at, .rules = open(within, still, now), .records = *restored};
      needed(raise_configuration_version(within));
      return report;
    });
  });
}

result<void> clear_connection_error(session& db, std::string_view name, core::timestamp now) {
  return guarded(db, "Clearing a connection's error", [&] {
    const auto found = must_find(db, name);
    const auto cleared =
        !found.deleted()
        && needed(set_connection_status(db, found.connection.id, core::connection_status::error,
                                        core::connection_status::active, "", now));
    if (!cleared)
      throw abandoned{{error::refused, quoted(name) + " is not in error."}};
  });
}

} // namespace sluice::storage
