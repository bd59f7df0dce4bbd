#pragma once

#include "storage/migrations.hpp"

namespace sluice::storage {

// In their order; each stands in a file of its name, migration_<name>.cpp.
extern const migration first_schema;
extern const migration ledger_rules;

} // namespace sluice::storage
