#pragma once

#include "core/callback_audit.hpp"
#include "storage/session.hpp"

#include <span>
#include <vector>

namespace sluice::storage {

/// Then the oldest beyond the limits go, those of the profiles named and of all. Ids and digests are the
/// audit's alone: nothing of it is ever taken for an event. A tenant that is not there is left out.
[[nodiscard]] result<void> add_callback_refusals(session& db, std::span<const core::refused_callback> refused,
                                                 const core::callback_audit_limits& limits);

[[nodiscard]] result<std::vector<core::refused_callback>>
list_callback_refusals(session& db, const core::callback_audit_page& page);

} // namespace sluice::storage
