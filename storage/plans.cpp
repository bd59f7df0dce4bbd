#include "storage/plans.hpp"

#include "storage/soci_session.hpp"

namespace sluice::storage {

void find_by_index(session& db) {
  if (db.kind() == engine::postgresql)
    query(db, "SET LOCAL enable_seqscan = off").run();
}

} // namespace sluice::storage
