#pragma once

#include "storage/migrations.hpp"

#include <array>
#include <string_view>

namespace sluice::storage {

// In their order; each stands in a file of its name, migration_<name>.cpp.
extern const migration first_schema;
extern const migration ledger_rules;
extern const migration decisions;
extern const migration tokens;
extern const migration restores;
extern const migration tenant_ids;
extern const migration ledger_counts;
extern const migration rule_jobs;
extern const migration subscriptions;
extern const migration subscription_stops;
extern const migration replay_jobs;
extern const migration delivery_claims;
extern const migration contact_points;
extern const migration provider_events;
extern const migration profile_stops;
extern const migration contact_removals;

/// Joined at compile time, so that a migration stays one text.
template <const std::string_view&... Parts>
struct joined_characters {
  static constexpr auto characters = [] {
    std::array<char, (Parts.size() + ...)> all{};
    std::size_t at = 0;
    const auto append = [&](std::string_view part) {
      for (const char c : part)
        all[at++] = c;
    };
    (append(Parts), ...);
    return all;
  }();
  static constexpr std::string_view text{characters.data(), characters.size()};
};

template <const std::string_view&... Parts>
inline constexpr std::string_view joined_text = joined_characters<Parts...>::text;

} // namespace sluice::storage
