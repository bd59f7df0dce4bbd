#pragma once

#include "core/ledger_page.hpp"
#include "storage/session.hpp"

#include <vector>

/// Rows that wait for a person.
namespace sluice::storage {

[[nodiscard]] result<std::vector<core::ambiguous_row>> list_ambiguous(session& db,
                                                                      const core::ambiguous_page& page);

/// Terminal rows become due at once, their attempts counted anew. Only their rule's actor asks for it. At
/// most `limit` rows, in source id order. `not_found`: the row that was named is not terminal.
[[nodiscard]] result<core::reopened> reopen_rows(session& db, const core::reopening& which,
                                                 core::timestamp now);

} // namespace sluice::storage
