#pragma once

#include "crypto/key_ring.hpp"
#include "crypto/seal.hpp"

#include <expected>
#include <string>
#include <string_view>

namespace sluice::crypto {

/// An address of a person as it is kept: sealed, with the tenant and the contact point's id as the place it
/// belongs to, so that no row can be given another's address. `needs_resealing` says when a key has gone on.
[[nodiscard]] std::expected<std::string, seal_error> seal_contact(const key_ring& keys,
                                                                  std::string_view address,
                                                                  std::string_view tenant,
                                                                  std::string_view contact_id);

[[nodiscard]] std::expected<std::string, seal_error> open_contact(const key_ring& keys,
                                                                  std::string_view sealed,
                                                                  std::string_view tenant,
                                                                  std::string_view contact_id);

} // namespace sluice::crypto
