#pragma once

#include "core/candidate_batch.hpp"
#include "core/ledger.hpp"
#include "crypto/key_ring.hpp"
#include "storage/session.hpp"

#include <span>
#include <vector>

namespace sluice::storage {

/// Creates whose outcome is unknown, each with a row of its own until it is settled. Bodies are sealed with
/// the ring's first key, bound to (rule, source id); an intent without an idempotency key keeps no body. An
/// intent of the record that exists already is replaced. Creates on their way are written by the batch:
/// intent_batches.hpp.
[[nodiscard]] result<void> write_intents(session& db, core::rule_id rule,
                                         std::span<const core::intent> intents, const crypto::key_ring& keys);

/// The same for bodies that are sealed already.
[[nodiscard]] result<void> keep_sealed_intents(session& db, core::rule_id rule,
                                               std::span<const core::intent> intents);

[[nodiscard]] result<void> delete_intents(session& db, core::rule_id rule,
                                          std::span<const core::record_id> records);

/// Marks intents whose calls are over as waiting to be settled at the given time.
[[nodiscard]] result<void> postpone_intents(session& db, core::rule_id rule,
                                            std::span<const core::postponed_intent> times);

/// Rules of which unknown creates are due behind the rule's own looks (core::own_looks_at_create).
[[nodiscard]] result<std::vector<core::rule_id>> rules_of_due_creates(session& db, core::timestamp now);

/// Intents of a rule in record order: those whose settle_at has come (`due`), otherwise all, the unknown ones
/// of its batches included.
[[nodiscard]] result<std::vector<core::intent>> read_intents(session& db, core::rule_id rule,
                                                             std::optional<core::timestamp> due,
                                                             std::int64_t limit,
                                                             const crypto::key_ring& keys);

} // namespace sluice::storage
