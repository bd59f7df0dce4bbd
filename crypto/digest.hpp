#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace sluice::crypto {

using digest_256 = std::array<std::uint8_t, 32>;
using digest_160 = std::array<std::uint8_t, 20>;

/// FIPS 180-4.
[[nodiscard]] digest_256 sha256(std::string_view bytes);

/// RFC 2104 with SHA-256.
[[nodiscard]] digest_256 hmac_sha256(std::string_view key, std::string_view bytes);

/// FIPS 180-4. Collisions can be made: only for protocols that ask for it.
[[nodiscard]] digest_160 sha1(std::string_view bytes);

/// RFC 2104 with SHA-1, which collisions do not touch.
[[nodiscard]] digest_160 hmac_sha1(std::string_view key, std::string_view bytes);

/// The digest's bytes, for the encoders.
[[nodiscard]] std::string_view as_bytes(const digest_256& digest) noexcept;
[[nodiscard]] std::string_view as_bytes(const digest_160& digest) noexcept;
std::string_view as_bytes(digest_256&&) = delete; // the view would outlive the digest
std::string_view as_bytes(digest_160&&) = delete;

/// Compares in a time that depends on the lengths alone.
[[nodiscard]] bool equal_in_constant_time(std::string_view left, std::string_view right) noexcept;

} // namespace sluice::crypto
