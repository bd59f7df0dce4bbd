#include "storage/connections.hpp"

#include "crypto/seal.hpp"
#include "storage/dialect.hpp"
#include "storage/rules.hpp"
#include "storage/seal_places.hpp"
#include "storage/soci_session.hpp"

namespace sluice::storage {
namespace {

std::vector<stored_connection> read_rows(session& db, std::string_view condition,
                                         const std::function<void(query&)>& bind) {
  query rows(
      db, "SELECT c.id, c.public_id, t.name, c.name, c.driver, c.settings, c.credentials, c.status, "
          "c.status_reason, c.updated_at, c.deleted_at, c.purging_since, t.public_id FROM connections AS c "
          "JOIN tenants AS t ON t.id = c.tenant_id"
              + std::string(condition) + " ORDER BY c.name");
  stored_connection one;
  auto& to = one.connection;
  std::string status;
  bind(rows);
  rows.into(to.id).into(to.public_id).into(to.tenant).into(to.name).into(to.driver).into(to.settings);
  rows.into(to.credentials).into(status).into(to.status_reason);
  rows.into(one.updated_at).into(one.deleted_at).into(one.purging_since);
  rows.into(one.tenant_public_id);
  std::vector<stored_connection> found;
  while (rows.next()) {
    to.status = known(core::parse_connection_status(status), "connections.status");
    found.push_back(one);
  }
  return found;
}

std::optional<stored_connection> first(std::vector<stored_connection> rows) {
  if (rows.empty())
    return std::nullopt;
  return std::move(rows.front());
}

failure sealing_failed(const core::connection& connection, std::string_view what, crypto::seal_error why) {
  return {error::sealed, "The credentials of connection \"" + connection.name + "\" cannot be "
                             + std::string(what) + ": " + std::string(crypto::to_string(why))};
}

} // namespace

result<std::vector<stored_connection>> read_connections(session& db) {
  return guarded(db, "Reading connections", [&] { return read_rows(db, "", [](query&) {}); });
}

result<std::optional<stored_connection>> read_connection(session& db, std::string_view name) {
  return guarded(db, "Reading a connection", [&] {
    return first(read_rows(db, " WHERE c.name = :name", [&](query& row) { row.use("name", name); }));
  });
}

result<std::optional<stored_connection>> read_connection(session& db, core::connection_id id) {
  return guarded(db, "Reading a connection", [&] {
    return first(read_rows(db, " WHERE c.id = :id", [&](query& row) { row.use("id", id); }));
  });
}

result<void> require_connected(session& db, core::connection_id id) {
  return guarded(db, "Looking for a connection", [&] {
    std::int64_t there = 0;
    query(db, "SELECT 1 FROM connections WHERE id = :id AND deleted_at IS NULL")
        .use("id", id)
        .into(there)
        .run();
    if (there == 0)
      throw abandoned{{error::not_found, "The connection was disconnected."}};
  });
}

result<std::string> seal_credentials(const core::connection& connection, const crypto::key_ring& keys) {
  if (connection.credentials.empty())
    return std::string{};
  auto sealed = crypto::seal(keys, connection.credentials, connection_place(connection.public_id));
  if (!sealed)
    return std::unexpected{sealing_failed(connection, "sealed", sealed.error())};
  return std::move(*sealed);
}

result<void> open_credentials(core::connection& connection, const crypto::key_ring& keys) {
  if (connection.credentials.empty())
    return {};
  auto opened = crypto::open(keys, connection.credentials, connection_place(connection.public_id));
  if (!opened)
    return std::unexpected{sealing_failed(connection, "opened", opened.error())};
  connection.credentials = std::move(*opened);
  return {};
}

result<void> lock_configuration(session& db) {
  return guarded(db, "Locking the configuration", [&] {
    std::int64_t version = 0;
    const auto text =
        "SELECT version FROM configuration_version" + std::string(dialect::for_update(db.kind()));
    query(db, text).into(version).run();
  });
}

namespace {

result<std::optional<core::timestamp>> changed_at(session& db, std::string_view table,
                                                  std::string_view name) {
  return guarded(db, "Reading when something was changed", [&] {
    std::optional<core::timestamp> at;
    query(db, "SELECT updated_at FROM " + std::string(table) + " WHERE name = :name AND deleted_at IS NULL")
        .use("name", name)
        .into(at)
        .run();
    return at;
  });
}

} // namespace

result<std::optional<core::timestamp>> connection_changed_at(session& db, std::string_view name) {
  return changed_at(db, "connections", name);
}

result<std::optional<core::timestamp>> rule_changed_at(session& db, std::string_view name) {
  return changed_at(db, "sync_rules", name);
}

result<void> raise_configuration_version(session& db) {
  return guarded(db, "Raising the configuration's version",
                 [&] { query(db, "UPDATE configuration_version SET version = version + 1").run(); });
}

result<std::int64_t> configuration_version(session& db) {
  return guarded(db, "Reading the configuration's version", [&] {
    std::int64_t version = 0;
    query(db, "SELECT version FROM configuration_version").into(version).run();
    return version;
  });
}

result<std::vector<core::connection>> list_connections(session& db) {
  auto rows = read_connections(db);
  if (!rows)
    return std::unexpected{rows.error()};
  std::vector<core::connection> listed;
  for (auto& row : *rows) {
    if (row.deleted())
      continue;
    row.connection.credentials.clear();
    listed.push_back(std::move(row.connection));
  }
  return listed;
}

result<std::optional<core::connection>> find_connection(session& db, std::string_view name) {
  auto row = read_connection(db, name);
  if (!row)
    return std::unexpected{row.error()};
  if (!*row || (*row)->deleted())
    return std::nullopt;
  (*row)->connection.credentials.clear();
  return std::move((*row)->connection);
}

result<bool> set_connection_status(session& db, core::connection_id connection, core::connection_status from,
                                   core::connection_status to, std::string_view reason, core::timestamp now) {
  auto changed = guarded(db, "Setting a connection's status", [&] {
    return query(db, "UPDATE connections SET status = :to, status_reason = :reason, updated_at = :now "
                     "WHERE id = :id AND status = :from AND deleted_at IS NULL")
               .use("to", core::to_string(to))
               .use("reason", reason)
               .use("now", now)
               .use("id", connection)
               .use("from", core::to_string(from))
               .run()
           == 1;
  });
  if (changed && *changed)
    if (auto raised = raise_configuration_version(db); !raised)
      return std::unexpected{raised.error()};
  return changed;
}

} // namespace sluice::storage
