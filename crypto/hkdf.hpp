#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace sluice::crypto {

inline constexpr std::size_t hkdf_sha256_size_max = std::size_t{255} * 32;

/// RFC 5869 with SHA-256: extract, then expand to `size` bytes. Nothing where more are wanted than it can
/// give (section 2.3).
[[nodiscard]] std::optional<std::string> hkdf_sha256(std::string_view key_material, std::string_view salt,
                                                     std::string_view info, std::size_t size);

} // namespace sluice::crypto
