#pragma once

#include "core/reconciliation_item.hpp"
#include "crypto/key_ring.hpp"
#include "storage/notification_orders.hpp"
#include "storage/soci_session.hpp"

// What tells an attempt whose message is looked for by its recipient from other attempts. It throws: use
// inside `guarded`.

namespace sluice::storage {

/// Fills in the text and what is known of other attempts of the profile to the contact point, within a day:
/// more than any provider's clock and queue shift a message.
void tell_apart(session& db, core::reconciliation_question& of, const sealed_order& sealed,
                const crypto::key_ring& keys);

} // namespace sluice::storage
