#pragma once

#include "config/load.hpp"
#include "config/table_reader.hpp"
#include "core/outside_address.hpp"
#include "core/subscription_wish.hpp"

namespace sluice::config {

/// Reads what a subscription's table has beside its name, which `wish` has already, and notes every fault a
/// subscription over the API would be refused for. `variables`: see named_secret.
void read_subscription(table_reader& table, core::subscription_wish& wish,
                       const core::outside_addresses& outside, const environment* variables);

} // namespace sluice::config
