#pragma once

#include "storage/rules.hpp"

namespace sluice::storage {

/// As load_rule, but writes nothing: of a rule that has no cursor, it is the one a first activation at `now`
/// would open.
[[nodiscard]] result<rule_context> read_rule_context(session& db, core::rule_id rule,
                                                     const crypto::key_ring& keys, core::timestamp now);

} // namespace sluice::storage
