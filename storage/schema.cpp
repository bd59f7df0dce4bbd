#include "storage/schema.hpp"

#include "storage/dialect.hpp"
#include "storage/migrations.hpp"
#include "storage/soci_session.hpp"

#include <algorithm>

namespace sluice::storage {
namespace {

constexpr std::string_view ledger_table = R"(
CREATE TABLE IF NOT EXISTS schema_migrations (
  version BIGINT NOT NULL PRIMARY KEY,
  name {key} NOT NULL,
  applied_at BIGINT NOT NULL
))";

std::int64_t newest_known() {
  return migrations().back().version;
}

result<std::int64_t> newest_applied(session& db) {
  return guarded(db, "Reading the schema's version", [&] {
    std::int64_t version = 0;
    query(db, "SELECT coalesce(max(version), 0) FROM schema_migrations").into(version).run();
    return version;
  });
}

failure newer_than_program(std::int64_t version) {
  return {error::schema, "The database has schema version " + std::to_string(version)
                             + ", newer than this program's " + std::to_string(newest_known())
                             + ": use the newer program."};
}

/// Two sessions that make the table at once may fail in one of them, each engine and moment with an error of
/// its own; the other's table is there soon after.
result<void> make_ledger(session& db) {
  constexpr int tries_max = 3;
  const auto make = [&] {
    return guarded(db, "Making the table of migrations",
                   [&] { db.raw().execute(dialect::schema_text(db.kind(), ledger_table)); });
  };
  auto made = make();
  for (int tries = 1; !made && made.error().code != error::unavailable && tries < tries_max; ++tries)
    made = make();
  return made;
}

/// Applies what follows the newest applied; an empty name when nothing does.
result<std::string> apply_next(session& db, core::timestamp now, std::int64_t up_to) {
  if (db.kind() == engine::postgresql) {
    auto locked = guarded(db, "Locking the table of migrations",
                          [&] { db.raw().execute("LOCK TABLE schema_migrations IN EXCLUSIVE MODE"); });
    if (!locked)
      return std::unexpected{locked.error()};
  }
  const auto applied = newest_applied(db);
  if (!applied)
    return std::unexpected{applied.error()};
  if (*applied > newest_known())
    return std::unexpected{newer_than_program(*applied)};
  if (*applied >= up_to)
    return std::string{};
  const auto& next = migrations()[static_cast<std::size_t>(*applied)];
  return guarded(db, "Migrating to schema version " + std::to_string(next.version), [&] {
    const bool sqlite = db.kind() == engine::sqlite;
    for (const auto& text :
         {dialect::schema_text(db.kind(), next.common), std::string(sqlite ? next.sqlite : next.postgresql)})
      if (!text.empty())
        db.raw().execute(text);
    query(db, "INSERT INTO schema_migrations (version, name, applied_at) VALUES (:version, :name, :at)")
        .use("version", next.version)
        .use("name", next.name)
        .use("at", now)
        .run();
    return std::to_string(next.version) + " " + std::string(next.name);
  });
}

} // namespace

result<std::vector<std::string>> migrate(session& db, core::timestamp now,
                                         std::optional<std::int64_t> up_to) {
  if (auto made = make_ledger(db); !made)
    return std::unexpected{made.error()};
  std::vector<std::string> names;
  const auto last = std::min(up_to.value_or(newest_known()), newest_known());
  for (;;) {
    auto applied = transact(db, [&](session& inner) { return apply_next(inner, now, last); });
    if (!applied)
      return std::unexpected{applied.error()};
    if (applied->empty())
      return names;
    names.push_back(std::move(*applied));
  }
}

result<schema_versions> read_schema_versions(session& db) {
  auto applied = newest_applied(db);
  if (!applied && applied.error().code != error::schema)
    return std::unexpected{applied.error()};
  return schema_versions{applied.value_or(0), newest_known()};
}

result<void> check_schema(session& db) {
  const auto versions = read_schema_versions(db);
  if (!versions)
    return std::unexpected{versions.error()};
  if (versions->applied > versions->known)
    return std::unexpected{newer_than_program(versions->applied)};
  if (versions->applied < versions->known)
    return std::unexpected{
        failure{error::schema, "The database has schema version " + std::to_string(versions->applied)
                                   + ", this program needs " + std::to_string(versions->known)
                                   + ": run \"sluice migrate\"."}};
  return {};
}

} // namespace sluice::storage
