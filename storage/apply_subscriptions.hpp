#pragma once

#include "storage/apply_plan.hpp"

// The subscriptions of a configuration, written as the API writes them.

namespace sluice::storage {

/// Until the transaction ends nobody else changes a subscription of the wishes' tenants. All of them at once
/// and in one order, for whoever holds a tenant may wait for the subscriptions' version.
[[nodiscard]] result<void> lock_tenants_of(session& db, const std::vector<core::subscription_wish>& wishes);

/// The wish beside its stored row; `refusals` gets what the row does not allow.
[[nodiscard]] result<apply_plan::subscription> compare_subscription(session& db,
                                                                    const core::subscription_wish& wish,
                                                                    const crypto::key_ring& keys,
                                                                    std::vector<std::string>& refusals);

/// Makes or changes it and leaves the rows in the audit. Refused: it was paused, resumed or disabled since it
/// was compared.
[[nodiscard]] result<void> write_subscription(session& db, const apply_plan::subscription& entry,
                                              const std::string& by, const crypto::key_ring& keys,
                                              core::timestamp now);

} // namespace sluice::storage
