#pragma once

#include "crypto/key_ring.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::crypto {

/// HMAC-SHA256 (RFC 2104) over the kind of a value and its normalised text, as text:
/// "f1.<key name>.<base64url of 32 bytes>". It finds a sealed value without opening it: the same value has
/// the same fingerprint, and without the key nobody can try all phone numbers. Its keys are a ring of their
/// own and seal nothing (shares_a_key); the first one makes new fingerprints. Nothing where the ring is
/// empty.
[[nodiscard]] std::optional<std::string> fingerprint(const key_ring& keys, std::string_view kind,
                                                     std::string_view value);

/// What a value may be found by: its fingerprint under every key of the ring, the first key's first.
[[nodiscard]] std::vector<std::string> fingerprints(const key_ring& keys, std::string_view kind,
                                                    std::string_view value);

/// Whether the fingerprint was made with another key than the ring's first, or is none. False for an empty
/// ring.
[[nodiscard]] bool needs_new_fingerprint(const key_ring& keys, std::string_view fingerprint) noexcept;

/// The name of a key that stands, with whatever name, in both rings.
[[nodiscard]] std::optional<std::string> shares_a_key(const key_ring& sealing, const key_ring& fingerprints);

} // namespace sluice::crypto
