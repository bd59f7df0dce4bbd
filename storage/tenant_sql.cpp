#include "storage/tenant_sql.hpp"

namespace sluice::storage {
namespace {

std::string parameter(std::size_t number) {
  return "tenant_" + std::to_string(number);
}

/// The names in parentheses; none of them is empty.
std::string names_of(const core::tenant_scope& tenants) {
  std::string text = "(''";
  for (std::size_t number = 0; number < tenants.names->size(); ++number)
    text += ", :" + parameter(number);
  return text + ")";
}

} // namespace

std::string only_tenants(const core::tenant_scope& tenants, std::string_view connections) {
  if (tenants.everything())
    return {};
  std::string text = " AND NOT EXISTS (SELECT 1 FROM connections AS seen JOIN tenants AS owner "
                     "ON owner.id = seen.tenant_id WHERE seen.id IN (";
  text += connections;
  return text + ") AND owner.name NOT IN " + names_of(tenants) + ")";
}

std::string only_tenants_named(const core::tenant_scope& tenants, std::string_view name) {
  if (tenants.everything())
    return {};
  return " AND " + std::string(name) + " IN " + names_of(tenants);
}

std::string only_owned_by(const core::tenant_scope& tenants, std::string_view table, std::string_view id) {
  if (tenants.everything())
    return {};
  std::string text = " AND NOT EXISTS (SELECT 1 FROM ";
  text.append(table).append(
      " AS wanted JOIN tenants AS owner ON owner.id = wanted.tenant_id WHERE wanted.id = ");
  text += id;
  return text + " AND owner.name NOT IN " + names_of(tenants) + ")";
}

void use_tenants(query& rows, const core::tenant_scope& tenants) {
  if (tenants.everything())
    return;
  for (std::size_t number = 0; number < tenants.names->size(); ++number)
    rows.use(parameter(number).c_str(), (*tenants.names)[number]);
}

} // namespace sluice::storage
