#include "storage/lease.hpp"

#include "storage/dialect.hpp"
#include "storage/soci_session.hpp"

namespace sluice::storage {
namespace {

failure not_the_owner(const fence& fence) {
  return {error::fenced,
          "Shard \"" + fence.shard + "\" has another owner than epoch " + std::to_string(fence.epoch) + "."};
}

std::string with_clock(engine kind, std::string_view before, std::string_view after) {
  return std::string(before) + std::string(dialect::clock(kind)) + std::string(after);
}

/// The row of a shard whose lease is over, or that never had one, becomes ours; otherwise nothing is written.
/// That the key is among what is set makes PostgreSQL lock the row for update, which alone waits for those
/// who have checked their fence.
std::optional<std::int64_t> take(session& db, const std::string& shard, const std::string& node,
                                 core::duration length) {
  const std::string clock(dialect::clock(db.kind()));
  query upsert(db, "INSERT INTO ownership (shard, node, epoch, lease_until) SELECT CAST(:shard AS text), "
                   "CAST(:node AS text), 1, "
                       + clock
                       + " + :length WHERE NOT EXISTS (SELECT 1 FROM ownership AS o WHERE o.shard = :shard "
                         "AND o.lease_until > "
                       + clock
                       + ") ON CONFLICT (shard) DO UPDATE SET shard = excluded.shard, node = excluded.node, "
                         "epoch = ownership.epoch + 1, lease_until = excluded.lease_until "
                         "WHERE ownership.lease_until <= "
                       + clock + " RETURNING epoch");
  std::int64_t epoch = 0;
  upsert.use("shard", shard).use("node", node).use("length", length.count()).into(epoch);
  if (!upsert.next())
    return std::nullopt;
  return epoch;
}

} // namespace

result<void> check_fence(session& db, const fence& fence) {
  return guarded(db, "Checking the lease", [&]() -> result<void> {
    std::int64_t epoch = 0;
    query row(db, "SELECT epoch FROM ownership WHERE shard = :shard"
                      + std::string(dialect::for_key_share(db.kind())));
    if (!row.use("shard", fence.shard).into(epoch).next() || epoch != fence.epoch)
      return std::unexpected{not_the_owner(fence)};
    return {};
  });
}

result<lease_answer> acquire_lease(session& db, const std::string& shard, const std::string& node,
                                   core::duration length) {
  return guarded(db, "Acquiring the lease", [&] {
    lease_answer answer;
    if (const auto epoch = take(db, shard, node, length)) {
      answer.granted = true;
      answer.mine = {shard, *epoch};
      return answer;
    }
    std::int64_t remaining = 0;
    query(db, with_clock(db.kind(), "SELECT node, lease_until - ", " FROM ownership WHERE shard = :shard"))
        .use("shard", shard)
        .into(answer.holder)
        .into(remaining)
        .run();
    answer.remaining = core::duration{std::max<std::int64_t>(remaining, 0)};
    return answer;
  });
}

result<std::optional<lease_state>> read_lease(session& db, const std::string& shard) {
  return guarded(db, "Reading the lease", [&]() -> std::optional<lease_state> {
    lease_state state;
    std::int64_t until = 0;
    std::int64_t now = 0;
    query row(db, with_clock(db.kind(), "SELECT node, epoch, lease_until, ",
                             " FROM ownership WHERE shard = :shard"));
    row.use("shard", shard).into(state.node).into(state.epoch).into(until).into(now);
    if (!row.next())
      return std::nullopt;
    state.released = until == 0;
    state.remaining = core::duration{until - now};
    return state;
  });
}

result<void> renew_lease(session& db, const fence& fence, core::duration length) {
  return guarded(db, "Renewing the lease", [&]() -> result<void> {
    const auto renewed =
        query(db, with_clock(db.kind(), "UPDATE ownership SET lease_until = ",
                             " + :length WHERE shard = :shard AND epoch = :epoch AND lease_until > 0"))
            .use("length", length.count())
            .use("shard", fence.shard)
            .use("epoch", fence.epoch)
            .run();
    if (renewed == 0)
      return std::unexpected{not_the_owner(fence)};
    return {};
  });
}

result<void> release_lease(session& db, const fence& fence) {
  return guarded(db, "Releasing the lease", [&] {
    query(db, "UPDATE ownership SET lease_until = 0 WHERE shard = :shard AND epoch = :epoch")
        .use("shard", fence.shard)
        .use("epoch", fence.epoch)
        .run();
  });
}

} // namespace sluice::storage
