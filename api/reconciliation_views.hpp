#pragma once

#include "api/views.hpp"
#include "core/reconciliation_item.hpp"
#include "core/reconciliation_overview.hpp"

#include <string_view>

/// How what nobody knows yet is shown, as docs/api.md describes it.
namespace sluice::api {

// Kinds beside those of core::reconciliation_target.
inline constexpr std::string_view lapsed_kind = "lapsed_attempt";
inline constexpr std::string_view create_kind = "unknown_create";

/// How often it was looked for, when that is done again, and whether it is a person's by now.
[[nodiscard]] json looks_view(const core::reconciliation_item& one);

// Items of every kind have the same members; null is what a kind has not.
[[nodiscard]] json unsettled_view(const core::named_reconciliation_item& one);
[[nodiscard]] json unsettled_view(const core::lapsed_attempt& one);
[[nodiscard]] json unsettled_view(const core::unknown_create& one);

/// Each kind, also one of which nothing is left.
[[nodiscard]] json unsettled_counts_view(const core::unsettled_counts& counts);

} // namespace sluice::api
