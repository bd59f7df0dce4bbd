#pragma once

#include "core/booking.hpp"
#include "core/ledger.hpp"

#include <string>

/// What every booking of a ledger row is made of.
namespace sluice::core {

/// Ends the program where a row breaks the ledger's invariants.
void assert_consistent(const ledger_row& row) noexcept;

/// The row to write: what is known of the record so far, one version on.
[[nodiscard]] ledger_row next_row(const candidate& candidate);

/// This version of the record was looked at, under this revision of the rule.
void look_at(ledger_row& row, const candidate& candidate, const booking& with);

/// Nothing more is due.
void conclude(ledger_row& row, delivery_status status, std::string error_class = {}, std::string error = {});

/// Not concluded yet, and nothing failed either: the drain decides again at once.
void decide_again(ledger_row& row, timestamp now, std::string error_class, std::string reason);

} // namespace sluice::core
