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

void use_tenants(query& rows, const core::tenant_scope& tenants);

} // namespace sluice::storage
