#include "storage/tenant_changes.hpp"

#include "storage/dialect.hpp"
#include "storage/soci_session.hpp"

namespace sluice::storage {
namespace {

tenant_row read_tenant(session& db, const std::string& name, std::string_view lock) {
  tenant_row found;
  query(db, "SELECT id, public_id FROM tenants WHERE name = :name" + std::string(lock))
      .use("name", name)
      .into(found.id)
      .into(found.public_id)
      .run();
  if (found.id == 0)
    throw abandoned{{error::not_found, "There is no tenant \"" + name + "\"."}};
  return found;
}

} // namespace

tenant_row tenant_named(session& db, const std::string& name) {
  return read_tenant(db, name, "");
}

tenant_row lock_tenant(session& db, const std::string& name) {
  return read_tenant(db, name, dialect::for_update(db.kind()));
}

void need_revision(std::string_view thing, const std::string& name, std::int64_t seen, std::int64_t stored) {
  if (seen != stored)
    throw abandoned{{error::refused, std::string(thing) + " \"" + name
                                         + "\" was changed meanwhile: its revision is "
                                         + std::to_string(stored) + "."}};
}

} // namespace sluice::storage
