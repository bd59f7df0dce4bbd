#include "storage/tenant_ids.hpp"

namespace sluice::storage {

std::int64_t tenant_ids::find(const std::string& name) {
  if (const auto found = known_.find(name); found != known_.end())
    return found->second;
  std::int64_t id = 0;
  if (!name.empty())
    query(db_, "SELECT id FROM tenants WHERE name = :name").use("name", name).into(id).run();
  return known_.emplace(name, id).first->second;
}

std::int64_t tenant_ids::of(const std::string& name) {
  const auto id = find(name);
  if (id == 0)
    throw abandoned{{error::not_found, "There is no tenant \"" + name + "\"."}};
  return id;
}

} // namespace sluice::storage
