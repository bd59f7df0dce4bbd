#pragma once

#include "core/profile_record.hpp"
#include "crypto/key_ring.hpp"
#include "crypto/seal.hpp"
#include "storage/soci_session.hpp"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// How provider profiles are read. All of it throws: use inside `guarded`.

namespace sluice::storage {

/// A profile as its row has it.
struct profile_row {
  core::profile_record record;
  std::string credentials; ///< sealed, or empty
  std::string tenant_public_id;
};

/// Those a text behind "WHERE …" selects; provider_profiles is `p` there, their tenants `t`.
[[nodiscard]] std::vector<profile_row> read_profiles(session& db, const std::string& condition,
                                                     const std::function<void(query&)>& bind);
[[nodiscard]] std::optional<profile_row> read_profile(session& db, const std::string& condition,
                                                      const std::function<void(query&)>& bind);

/// Bound to the tenant and the profile: a sealed text moved to another row does not open. Empty stays empty.
/// What does not open throws.
[[nodiscard]] std::string seal_profile_credentials(std::string_view credentials,
                                                   std::string_view tenant_public_id,
                                                   std::string_view public_id, const crypto::key_ring& keys);
[[nodiscard]] std::string open_profile_credentials(const profile_row& row, const crypto::key_ring& keys);

void raise_profiles_version(session& db);

} // namespace sluice::storage
