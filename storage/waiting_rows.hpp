#pragma once

#include "core/ledger_page.hpp"
#include "core/reconciliation_item.hpp"
#include "storage/session.hpp"

#include <vector>

/// Rows whose outcome is unknown.
namespace sluice::storage {

[[nodiscard]] result<std::vector<core::ambiguous_row>> list_ambiguous(session& db,
                                                                      const core::ambiguous_page& page);

/// Creates of rules whose outcome is unknown, rule by rule.
[[nodiscard]] result<std::vector<core::unknown_create>>
list_unknown_creates(session& db, const core::unknown_create_page& page);

/// How many there are. Throws: use inside `guarded`.
[[nodiscard]] core::unsettled_counts::of_kind count_unknown_creates(session& db,
                                                                    const core::tenant_scope& tenants);

} // namespace sluice::storage
