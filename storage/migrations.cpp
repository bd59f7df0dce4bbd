#include "storage/migrations.hpp"

#include "storage/migration_texts.hpp"

#include <array>

namespace sluice::storage {

std::span<const migration> migrations() {
  static const std::array all{first_schema,   ledger_rules,       decisions,     tokens,
                              restores,       tenant_ids,         ledger_counts, rule_jobs,
                              subscriptions,  subscription_stops, replay_jobs,   delivery_claims,
                              contact_points, provider_events,    profile_stops, contact_removals};
  return all;
}

} // namespace sluice::storage
