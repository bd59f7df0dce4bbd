#include "crypto/key_ring.hpp"

#include "crypto/encoding.hpp"

#include <openssl/crypto.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace sluice::crypto {

namespace {

constexpr std::size_t name_bytes_max = 32;
constexpr std::string_view name_characters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

[[nodiscard]] bool is_name(std::string_view name) noexcept {
  return !name.empty() && name.size() <= name_bytes_max
         && name.find_first_not_of(name_characters) == std::string_view::npos;
}

/// 64 characters are hex, 44 are base64 with its padding: no text is both.
[[nodiscard]] std::optional<secret_key> read_key(const named_key& from) {
  auto bytes = from.text.size() == 2 * secret_key::size ? from_hex(from.text) : from_base64(from.text);
  if (!bytes)
    return std::nullopt;
  std::optional<secret_key> key;
  if (bytes->size() == secret_key::size) {
    std::array<std::uint8_t, secret_key::size> copy{};
    std::transform(bytes->begin(), bytes->end(), copy.begin(),
                   [](char byte) { return static_cast<std::uint8_t>(byte); });
    key.emplace(from.name, copy);
    OPENSSL_cleanse(copy.data(), copy.size());
  }
  OPENSSL_cleanse(bytes->data(), bytes->size());
  return key;
}

} // namespace

secret_key::secret_key(std::string name, const std::array<std::uint8_t, size>& bytes)
    : name_(std::move(name)), bytes_(bytes) {}

secret_key::~secret_key() {
  OPENSSL_cleanse(bytes_.data(), bytes_.size());
}

std::expected<key_ring, std::string> key_ring::read(std::span<const named_key> keys) {
  if (keys.empty())
    return std::unexpected("At least one key is needed.");
  key_ring ring;
  ring.keys_.reserve(keys.size());
  for (std::size_t index = 0; index < keys.size(); ++index) {
    const named_key& from = keys[index];
    // A name that is none may be a key in the wrong place: it is not shown.
    if (!is_name(from.name))
      return std::unexpected("The name of key " + std::to_string(index + 1)
                             + " must be 1 to 32 letters, digits, '-' or '_'.");
    if (ring.find(from.name) != nullptr)
      return std::unexpected("The key name \"" + from.name + "\" is used twice.");
    auto key = read_key(from);
    if (!key)
      return std::unexpected("The key \"" + from.name
                             + "\" must be 32 bytes, written as base64 (44 characters) or hex (64 digits).");
    ring.keys_.push_back(std::move(*key));
  }
  return ring;
}

const secret_key* key_ring::sealing_key() const noexcept {
  return keys_.empty() ? nullptr : &keys_.front();
}

const secret_key* key_ring::find(std::string_view name) const noexcept {
  const auto found = std::ranges::find(keys_, name, &secret_key::name);
  return found == keys_.end() ? nullptr : &*found;
}

} // namespace sluice::crypto
