#pragma once

#include <array>
#include <cstdint>
#include <expected>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::crypto {

/// A key as settings carry it.
struct named_key {
  std::string name; ///< 1 to 32 letters, digits, '-' or '_': it becomes the key id in sealed texts
  std::string text; ///< 32 bytes as base64 or as 64 hex digits
};

/// A 256-bit key. Its bytes are wiped when it goes; nothing prints them.
class secret_key {
public:
  static constexpr std::size_t size = 32;

  secret_key(std::string name, const std::array<std::uint8_t, size>& bytes);
  secret_key(const secret_key&) = default;
  secret_key(secret_key&&) = default;
  secret_key& operator=(const secret_key&) = default;
  secret_key& operator=(secret_key&&) = default;
  ~secret_key();

  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  [[nodiscard]] const unsigned char* data() const noexcept { return bytes_.data(); }

private:
  std::string name_;
  std::array<std::uint8_t, size> bytes_;
};

/// The keys of an installation: the first one seals, all of them open. A new key is put first, the old one
/// stays until nothing sealed with it is left.
class key_ring {
public:
  key_ring() = default; ///< without a key: seals and opens nothing

  /// The error is a sentence that names the key at fault and never shows any of its text.
  [[nodiscard]] static std::expected<key_ring, std::string> read(std::span<const named_key> keys);

  [[nodiscard]] const secret_key* sealing_key() const noexcept;
  [[nodiscard]] const secret_key* find(std::string_view name) const noexcept;
  [[nodiscard]] std::span<const secret_key> keys() const noexcept { return keys_; } ///< the first one seals
  [[nodiscard]] bool empty() const noexcept { return keys_.empty(); }

private:
  std::vector<secret_key> keys_;
};

} // namespace sluice::crypto
