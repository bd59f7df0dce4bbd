#pragma once

#include "core/profile_record.hpp"
#include "crypto/key_ring.hpp"
#include "storage/session.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Each change raises `profiles_version`, which nodes watch. Credentials are sealed (docs/decisions/0093):
// only load_profile gives them away.

namespace sluice::storage {

/// Refused: the name is taken. `not_found`: there is no such tenant. `sealed`: there is no key.
[[nodiscard]] result<core::profile_record> make_profile(session& db, const core::provider_profile& wanted,
                                                        const crypto::key_ring& keys, core::timestamp now);

/// Writes name, settings and, where the change says so, credentials, compare-and-set on its revision.
/// Refused: the name is taken, the revision is another, or its tenant or provider would change. `not_found`:
/// it does not exist, or was removed.
[[nodiscard]] result<core::profile_record> change_profile(session& db, const core::profile_change& change,
                                                          const crypto::key_ring& keys, core::timestamp now);

/// For good: its credentials are gone at once. False: it was removed already. Refused: a route has it as a
/// step, which the sentence names, or its revision is another.
[[nodiscard]] result<bool> remove_profile(session& db, const core::profile_removal& wanted,
                                          core::timestamp now);

/// A live one, by its public id.
[[nodiscard]] result<std::optional<core::profile_record>>
find_profile(session& db, std::string_view public_id, const core::tenant_scope& tenants);

[[nodiscard]] result<std::vector<core::profile_record>> list_profiles(session& db,
                                                                      const core::profile_page& page);

/// With its credentials, for whoever sends through it or verifies its callbacks. Nothing: it does not exist,
/// or was removed.
[[nodiscard]] result<std::optional<core::provider_profile>>
load_profile(session& db, core::provider_profile_id profile, const crypto::key_ring& keys);
[[nodiscard]] result<std::optional<core::provider_profile>>
load_profile(session& db, std::string_view public_id, const crypto::key_ring& keys);

/// Raised by each change of a profile or of a route.
[[nodiscard]] result<std::int64_t> profiles_version(session& db);

} // namespace sluice::storage
