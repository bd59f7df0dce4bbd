#pragma once

#include "core/resealing.hpp"
#include "storage/contact_points.hpp"
#include "storage/session.hpp"

#include <vector>

// How a key goes (docs/decisions/0093): what was made with it is made again with its ring's first, step by
// step, while others go on writing.

namespace sluice::storage {

/// What each key is in use for, of every tenant, in the order of things and names. It reads every sealed row.
[[nodiscard]] result<std::vector<core::key_use>> count_key_uses(session& db);

/// One step, in a transaction: each row is opened with the old key and written with the new one,
/// compare-and-set on what it held. Refused: the key is the ring's first. `sealed`: a ring that is needed has
/// no key. What a node with the settings of before still writes meanwhile is for the next pass.
[[nodiscard]] result<core::resealing_step> reseal(session& db, const core::resealing_order& order,
                                                  const contact_keys& keys);

} // namespace sluice::storage
