#include "storage/pooler.hpp"

#include "storage/soci_session.hpp"

namespace sluice::storage {

result<bool> behind_pooler(session& db) {
  return guarded(db, "Looking for a connection pooler", [&] {
    std::int64_t backend = 0;
    query(db, "SELECT pg_backend_pid()").into(backend).run();
    return backend != PQbackendPID(db.raw().postgresql());
  });
}

} // namespace sluice::storage
