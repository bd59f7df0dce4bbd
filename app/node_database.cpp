#include "app/node.hpp"
#include "storage/schema.hpp"
#include "telemetry/log.hpp"

#include <utility>

namespace sluice::app {

std::expected<void, std::string> node::open_database() {
  auto where = storage::parse_database(settings_.database.url);
  if (!where)
    return std::unexpected{where.error()};
  database_ = *where;
  database_.busy_timeout = settings_.database.busy_timeout;
  database_.idle_in_transaction_max = settings_.node.lease_length;
  if (database_.kind == storage::engine::sqlite) {
    auto lock = storage::file_lock::take(database_.target);
    if (!lock)
      return std::unexpected{lock.error().detail};
    file_lock_.emplace(std::move(*lock));
  }
  auto db = storage::session::open(database_, storage::access::write);
  if (!db)
    return std::unexpected{db.error().detail};
  writer_ = std::make_shared<storage::session>(std::move(*db));
  if (auto migrated = storage::migrate(*writer_, time_.wall()); !migrated)
    return std::unexpected{migrated.error().detail};
  return take_ownership();
}

/// On SQLite the file lock is the lease: whoever held it before is dead, so its row is free at once. On
/// PostgreSQL a lease of an earlier life of this very node is waited for; one of another node's is a refusal.
std::expected<void, std::string> node::take_ownership() {
  auto length = database_.kind == storage::engine::sqlite ? core::duration{0} : settings_.node.lease_length;
  auto give_up_at = time_.steady() + 2 * settings_.node.lease_length;
  for (;;) {
    auto answer = storage::acquire_lease(*writer_, storage::node_shard, settings_.node.name, length);
    if (!answer)
      return std::unexpected{answer.error().detail};
    if (answer->granted) {
      fence_ = answer->mine;
      return prolong_lease();
    }
    if (answer->holder != settings_.node.name || time_.steady() > give_up_at)
      return std::unexpected{"node " + answer->holder + " works on this database, its lease runs for another "
                             + core::to_text(answer->remaining)};
    telemetry::log(telemetry::event::lease_awaited, "node", {{"for", core::to_text(answer->remaining)}});
    if (!around_.pause(answer->remaining))
      return std::unexpected{"told to end while an earlier lease of node " + answer->holder + " ran out"};
  }
}

/// The owner before may have held the row's lock until the database ended its session: what was granted then
/// began long ago.
std::expected<void, std::string> node::prolong_lease() {
  leased_at_ = time_.steady();
  if (database_.kind == storage::engine::sqlite)
    return {};
  if (auto renewed = storage::renew_lease(*writer_, *fence_, settings_.node.lease_length); !renewed)
    return std::unexpected{renewed.error().detail};
  return {};
}

} // namespace sluice::app
