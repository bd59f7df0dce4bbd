#include "storage/contact_points.hpp"
#include "storage/soci_session.hpp"

namespace sluice::storage {

result<std::int64_t> prune_contact_points(session& db, core::timestamp until, std::int64_t limit) {
  return guarded(db, "Pruning removed contact points", [&] {
    return query(db, "DELETE FROM contact_points WHERE id IN (SELECT p.id FROM contact_points AS p "
                     "WHERE p.deleted_at IS NOT NULL AND p.fingerprint = '' AND p.deleted_at < :until "
                     "AND NOT EXISTS (SELECT 1 FROM notifications AS n WHERE n.contact_point_id = p.id) "
                     "ORDER BY p.deleted_at, p.id LIMIT :limit)")
        .use("until", until)
        .use("limit", limit)
        .run();
  });
}

} // namespace sluice::storage
