#pragma once

#include "core/explanation.hpp"
#include "crypto/key_ring.hpp"
#include "storage/session.hpp"

#include <string_view>

namespace sluice::storage {

/// Everything that is known of one record under one rule; several queries, so in a transaction of the
/// caller's. `not_found`: there is no such rule.
[[nodiscard]] result<core::explanation_facts> read_explanation(session& db, std::string_view rule,
                                                               std::string_view source_id,
                                                               const crypto::key_ring& keys,
                                                               core::timestamp now);

} // namespace sluice::storage
