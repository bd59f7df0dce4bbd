#include "crypto/ed25519.hpp"

#include <openssl/err.h>
#include <openssl/evp.h>

#include <memory>

namespace sluice::crypto {

namespace {

using key_handle = std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)>;
using context_handle = std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)>;

[[nodiscard]] const unsigned char* in(std::string_view bytes) noexcept {
  return reinterpret_cast<const unsigned char*>(bytes.data());
}

[[nodiscard]] unsigned char* out(std::string& bytes) noexcept {
  return reinterpret_cast<unsigned char*>(bytes.data());
}

[[nodiscard]] key_handle private_key(std::string_view seed) {
  if (seed.size() != ed25519_seed_size)
    return {nullptr, EVP_PKEY_free};
  return {EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nullptr, in(seed), seed.size()), EVP_PKEY_free};
}

[[nodiscard]] context_handle new_context() {
  return {EVP_MD_CTX_new(), EVP_MD_CTX_free};
}

} // namespace

std::optional<std::string> ed25519_public_key(std::string_view seed) {
  const auto key = private_key(seed);
  std::string made(ed25519_public_key_size, '\0');
  std::size_t size = made.size();
  if (!key || EVP_PKEY_get_raw_public_key(key.get(), out(made), &size) != 1 || size != made.size()) {
    ERR_clear_error();
    return std::nullopt;
  }
  return made;
}

std::optional<std::string> ed25519_sign(std::string_view seed, std::string_view bytes) {
  const auto key = private_key(seed);
  const auto context = new_context();
  std::string made(ed25519_signature_size, '\0');
  std::size_t size = made.size();
  if (!key || !context || EVP_DigestSignInit(context.get(), nullptr, nullptr, nullptr, key.get()) != 1
      || EVP_DigestSign(context.get(), out(made), &size, in(bytes), bytes.size()) != 1
      || size != made.size()) {
    ERR_clear_error();
    return std::nullopt;
  }
  return made;
}

bool ed25519_verify(std::string_view public_key, std::string_view bytes, std::string_view signature) {
  if (public_key.size() != ed25519_public_key_size || signature.size() != ed25519_signature_size)
    return false;
  const key_handle key{
      EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nullptr, in(public_key), public_key.size()),
      EVP_PKEY_free};
  const auto context = new_context();
  const bool good =
      key && context && EVP_DigestVerifyInit(context.get(), nullptr, nullptr, nullptr, key.get()) == 1
      && EVP_DigestVerify(context.get(), in(signature), signature.size(), in(bytes), bytes.size()) == 1;
  ERR_clear_error(); // a signature that is none leaves an error behind
  return good;
}

} // namespace sluice::crypto
