#include "storage/tenant_sql.hpp"

namespace sluice::storage {
namespace {

std::string parameter(std::size_t number) {
  return "tenant_" + std::to_string(number);
}

} // namespace

std::string only_tenants(const core::tenant_scope& tenants, std::string_view connections) {
  if (tenants.everything())
    return {};
  std::string text = " AND NOT EXISTS (SELECT 1 FROM connections AS seen JOIN tenants AS owner "
                     "ON owner.id = seen.tenant_id WHERE seen.id IN (";
  text += connections;
  text += ") AND owner.name NOT IN (''";
  for (std::size_t number = 0; number < tenants.names->size(); ++number)
    text += ", :" + parameter(number);
  return text + "))";
}

void use_tenants(query& rows, const core::tenant_scope& tenants) {
  if (tenants.everything())
    return;
  for (std::size_t number = 0; number < tenants.names->size(); ++number)
    rows.use(parameter(number).c_str(), (*tenants.names)[number]);
}

} // namespace sluice::storage
