#pragma once

#include "core/api_token.hpp"
#include "storage/soci_session.hpp"

#include <string>
#include <string_view>

/// Narrows a query to what somebody may see. Condition and values belong together: both, or neither where
/// they may see everything.
namespace sluice::storage {

/// " AND …" that leaves out a row if one of its connections, ids of the list that `connections` selects,
/// belongs to another tenant; empty without a limit.
[[nodiscard]] std::string only_tenants(const core::tenant_scope& tenants, std::string_view connections);

/// " AND …" that leaves out a row whose tenant's name, as `name` selects it, is another; empty without a
/// limit.
[[nodiscard]] std::string only_tenants_named(const core::tenant_scope& tenants, std::string_view name);

/// Likewise " AND …" of the row of a table with tenants that an expression names by its id; NULL is left in.
[[nodiscard]] std::string only_owned_by(const core::tenant_scope& tenants, std::string_view table,
                                        std::string_view id);

void use_tenants(query& rows, const core::tenant_scope& tenants);

} // namespace sluice::storage
