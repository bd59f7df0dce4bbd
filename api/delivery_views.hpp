#pragma once

#include "api/views.hpp"
#include "core/delivery_page.hpp"

#include <unordered_map>

/// The operator page's documents.
namespace sluice::api {

using backfill_counts = std::unordered_map<core::rule_id, core::backfill_progress>;

/// What the Delivery page shows.
[[nodiscard]] json delivery_view(const core::delivery_page& page,
                                 const core::installation_facts& installation, const backfill_counts& counts,
                                 core::timestamp now);

/// What the rule page shows beside what has a route of its own.
struct rule_page {
  core::sync_rule rule;
  core::rule_facts facts;
  core::rule_state state = core::rule_state::none;
  const core::connection_life* source = nullptr;
  const core::connection_life* target = nullptr;
  std::vector<core::delivery_stop> stops; ///< those that reach it, its hold among them
  std::optional<core::delivery_cursor> cursor;
};
[[nodiscard]] json rule_page_view(const rule_page& page);

} // namespace sluice::api
