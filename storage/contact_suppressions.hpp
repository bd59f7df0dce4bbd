#pragma once

#include "core/contact_record.hpp"
#include "storage/contact_columns.hpp"

#include <string>

// What making and registering a contact point has to do with suppressions. All of it throws: use inside
// `guarded`.

namespace sluice::storage {

/// Notes that its app registered it, and lifts what that outlives.
void note_registration(session& db, core::contact_point_id contact, core::timestamp registered_at,
                       const std::string& by, core::timestamp now);

/// A contact point that was just made has the suppressions of the same address's removed ones, which forget
/// them.
void take_over_suppressions(session& db, core::contact_point_id made, const keyed_address& address,
                            core::timestamp now);

} // namespace sluice::storage
