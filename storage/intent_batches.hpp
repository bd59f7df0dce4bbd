#pragma once

#include "core/candidate_batch.hpp"
#include "core/ledger.hpp"
#include "crypto/key_ring.hpp"
#include "storage/session.hpp"

#include <span>
#include <string_view>
#include <vector>

namespace sluice::storage {

/// Intents of creates, withdrawals and reactivations about to be made (D1): one row a batch, because each
/// lives for milliseconds only. Which of a batch's calls are unknown after a crash is told by the ledger:
/// those whose row is still the one the intent saw. Bodies are sealed as in write_intents.
[[nodiscard]] result<core::intent_batch_id> write_intent_batch(session& db, core::rule_id rule,
                                                               std::span<const core::intent> intents,
                                                               const crypto::key_ring& keys);

/// Once every outcome of the batch is durable.
[[nodiscard]] result<void> delete_intent_batches(session& db, std::span<const core::intent_batch_id> batches);

/// Takes calls that never left out of their batches: they are not unknown after a crash.
[[nodiscard]] result<void> withdraw_intents(session& db, std::span<const core::withdrawn_intent> intents);

/// What a life that is over left behind: the unknown creates of its batches become intents of their own, to
/// be settled; a record whose withdrawal or reactivation is unknown is due at once; the batches go. Only
/// while none of the rule's calls is out.
[[nodiscard]] result<void> adopt_intent_batches(session& db, core::rule_id rule, core::timestamp now);

/// The unknown creates of the rule's batches, in record order.
[[nodiscard]] result<std::vector<core::intent>> read_intent_batches(session& db, core::rule_id rule,
                                                                    const crypto::key_ring& keys);

/// Whether a call for the record is out, as far as the rule's batches say: a create, a withdrawal or a
/// reactivation whose outcome is not written.
[[nodiscard]] result<bool> has_call_out(session& db, core::rule_id rule, std::string_view source_id);

} // namespace sluice::storage
