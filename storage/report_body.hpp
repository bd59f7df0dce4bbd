#pragma once

#include "core/ids.hpp"
#include "crypto/key_ring.hpp"

#include <string>
#include <string_view>

// What a provider sent holds addresses: it is kept sealed. Both throw: use inside `guarded`.

namespace sluice::storage {

/// It opens only as the body of the profile's report of this digest.
[[nodiscard]] std::string sealed_report(core::provider_profile_id profile, std::string_view digest,
                                        std::string_view body, const crypto::key_ring& keys);
[[nodiscard]] std::string opened_report(core::provider_profile_id profile, std::string_view digest,
                                        std::string_view sealed, const crypto::key_ring& keys);

} // namespace sluice::storage
