#include "crypto/fingerprint.hpp"

#include "crypto/digest.hpp"
#include "crypto/encoding.hpp"

namespace sluice::crypto {

namespace {

constexpr std::string_view version_mark = "f1.";

std::string_view bytes_of(const secret_key& key) noexcept {
  return {reinterpret_cast<const char*>(key.data()), secret_key::size};
}

std::string beginning_of(const secret_key& key) {
  return std::string{version_mark}.append(key.name()).append(1, '.');
}

std::string fingerprint_under(const secret_key& key, std::string_view kind, std::string_view value) {
  const auto subject = std::to_string(kind.size()).append(1, ':').append(kind).append(value);
  const auto digest = hmac_sha256(bytes_of(key), subject);
  return beginning_of(key) + to_base64url(as_bytes(digest));
}

} // namespace

std::optional<std::string> fingerprint(const key_ring& keys, std::string_view kind, std::string_view value) {
  const secret_key* const key = keys.sealing_key();
  if (key == nullptr)
    return std::nullopt;
  return fingerprint_under(*key, kind, value);
}

std::vector<std::string> fingerprints(const key_ring& keys, std::string_view kind, std::string_view value) {
  std::vector<std::string> made;
  made.reserve(keys.keys().size());
  for (const auto& key : keys.keys())
    made.push_back(fingerprint_under(key, kind, value));
  return made;
}

bool needs_new_fingerprint(const key_ring& keys, std::string_view fingerprint) noexcept {
  const secret_key* const key = keys.sealing_key();
  if (key == nullptr)
    return false;
  if (!fingerprint.starts_with(version_mark))
    return true;
  fingerprint.remove_prefix(version_mark.size());
  return fingerprint.substr(0, fingerprint.find('.')) != key->name();
}

std::optional<std::string> shares_a_key(const key_ring& sealing, const key_ring& fingerprints) {
  for (const auto& one : sealing.keys())
    for (const auto& other : fingerprints.keys())
      if (equal_in_constant_time(bytes_of(one), bytes_of(other)))
        return other.name();
  return std::nullopt;
}

} // namespace sluice::crypto
