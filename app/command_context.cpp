#include "app/command_context.hpp"

#include "crypto/fingerprint.hpp"
#include "storage/schema.hpp"

#include <chrono>

namespace sluice::app {
namespace {

std::string_view advice(storage::error code) {
  switch (code) {
  case storage::error::unavailable:
    return "check that the database runs and that database.url (or --database) is right";
  case storage::error::busy:
    return "another process holds the database; try again, or raise database.busy_timeout";
  case storage::error::full:
    return "free some space where the database lies, then try again";
  case storage::error::schema:
    return "run `sluice migrate`, or use the version of sluice this database belongs to";
  case storage::error::sealed:
    return "give the key that sealed it in keys.keys or keys.keys_file";
  case storage::error::corrupt:
    return "restore the database from a backup";
  default:
    return "";
  }
}

std::expected<crypto::key_ring, std::string> ring_of(const std::vector<std::string>& keys) {
  std::vector<crypto::named_key> named;
  for (const auto& key : keys) {
    const auto colon = key.find(':');
    named.push_back({key.substr(0, colon), colon == std::string::npos ? "" : key.substr(colon + 1)});
  }
  return named.empty() ? crypto::key_ring{} : crypto::key_ring::read(named);
}

} // namespace

core::timestamp wall_now() {
  return std::chrono::time_point_cast<core::duration>(std::chrono::system_clock::now());
}

std::expected<storage::database, std::string> database_of(const config::settings& settings) {
  auto where = storage::parse_database(settings.database.url);
  if (where) {
    where->busy_timeout = settings.database.busy_timeout;
  }
  return where;
}

std::expected<storage::session, int> open_session(const command_context& context, storage::access mode,
                                                  schema_check check) {
  const auto where = database_of(context.settings);
  if (!where) {
    print_error("the database setting cannot be read", where.error(), "correct database.url or --database");
    return std::unexpected{exit_usage};
  }
  auto db = storage::session::open(*where, mode);
  if (!db) {
    return std::unexpected{report("the database cannot be opened", db.error())};
  }
  if (check == schema_check::needed) {
    if (const auto checked = storage::check_schema(*db); !checked) {
      return std::unexpected{report("the database is not ready", checked.error())};
    }
  }
  return std::move(*db);
}

std::expected<crypto::key_ring, std::string> read_keys(const config::settings& settings) {
  return ring_of(settings.keys.keys);
}

std::expected<crypto::key_ring, std::string> read_fingerprint_keys(const config::settings& settings) {
  auto ring = ring_of(settings.keys.fingerprint_keys);
  if (!ring) {
    return ring;
  }
  const auto sealing = read_keys(settings);
  const auto shared = sealing ? crypto::shares_a_key(*sealing, *ring) : std::nullopt;
  if (shared) {
    return std::unexpected{"keys.fingerprint_keys: key " + *shared
                           + " is also one of keys.keys; allowed are keys of their own"};
  }
  return ring;
}

std::expected<crypto::key_ring, int> open_keys(const config::settings& settings) {
  auto ring = read_keys(settings);
  if (!ring) {
    print_error("the keys cannot be read", ring.error(), "correct keys.keys or the file of keys.keys_file");
    return std::unexpected{exit_usage};
  }
  return std::move(*ring);
}

int report(std::string_view what, const storage::failure& failure) {
  print_error(what, std::string{storage::to_string(failure.code)} + ": " + failure.detail,
              advice(failure.code));
  switch (failure.code) {
  case storage::error::unavailable:
  case storage::error::busy:
  case storage::error::full:
    return exit_unreachable;
  default:
    return exit_refused;
  }
}

int report_missing(std::string_view kind, std::string_view name, std::string_view to_do) {
  print_error("there is no " + std::string{kind} + " \"" + std::string{name} + "\"",
              "nothing in the database has that name", to_do);
  return exit_refused;
}

} // namespace sluice::app
