#pragma once

#include "core/notification_work.hpp"
#include "storage/notification_changes.hpp"
#include "storage/notification_rows.hpp"

#include <string>

// How ambiguities end by what somebody found out. All of it throws: use inside `guarded`.

namespace sluice::storage {

/// Events that came before the message had a name here are to be projected again; before any row is locked.
void match_found_message(session& db, core::provider_profile_id profile,
                         const std::string& provider_message_id);

/// The refusal where it cannot be settled so. Written by the changes' `write`.
[[nodiscard]] std::optional<core::transition_refusal> settle_row(notification_changes& changes,
                                                                 notification_row& row,
                                                                 const core::notification_settlement& found,
                                                                 core::timestamp now);

} // namespace sluice::storage
