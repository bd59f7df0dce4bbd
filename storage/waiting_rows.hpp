#pragma once

#include "core/ledger_page.hpp"
#include "storage/session.hpp"

#include <vector>

/// Rows that wait for a person.
namespace sluice::storage {

[[nodiscard]] result<std::vector<core::ambiguous_row>> list_ambiguous(session& db,
                                                                      const core::ambiguous_page& page);

} // namespace sluice::storage
