#include "crypto/aes_128_gcm.hpp"

#include <openssl/err.h>
#include <openssl/evp.h>

#include <climits>
#include <memory>

namespace sluice::crypto {

namespace {

using context_handle = std::unique_ptr<EVP_CIPHER_CTX, decltype(&EVP_CIPHER_CTX_free)>;

[[nodiscard]] const EVP_CIPHER* cipher() {
  static const EVP_CIPHER* const fetched = EVP_CIPHER_fetch(nullptr, "AES-128-GCM", nullptr);
  return fetched;
}

[[nodiscard]] const unsigned char* in(std::string_view bytes) noexcept {
  return reinterpret_cast<const unsigned char*>(bytes.data());
}

[[nodiscard]] unsigned char* out(std::string& bytes, std::size_t at) noexcept {
  return reinterpret_cast<unsigned char*>(bytes.data()) + at;
}

[[nodiscard]] bool sizes_fit(std::string_view key, std::string_view nonce, std::string_view text,
                             std::string_view associated) noexcept {
  return key.size() == aes_128_gcm_key_size && nonce.size() == aes_128_gcm_nonce_size
         && text.size() <= INT_MAX - aes_128_gcm_tag_size && associated.size() <= INT_MAX;
}

/// A context in which key, nonce and associated data are set; nothing where OpenSSL refuses.
[[nodiscard]] context_handle begun(bool encrypts, std::string_view key, std::string_view nonce,
                                   std::string_view associated) {
  context_handle context{EVP_CIPHER_CTX_new(), EVP_CIPHER_CTX_free};
  int length = 0;
  if (!context || cipher() == nullptr
      || EVP_CipherInit_ex2(context.get(), cipher(), in(key), in(nonce), encrypts ? 1 : 0, nullptr) != 1
      || (!associated.empty()
          && EVP_CipherUpdate(context.get(), nullptr, &length, in(associated),
                              static_cast<int>(associated.size()))
                 != 1))
    context.reset();
  return context;
}

} // namespace

std::optional<std::string> aes_128_gcm_seal(std::string_view key, std::string_view nonce,
                                            std::string_view plain, std::string_view associated) {
  if (!sizes_fit(key, nonce, plain, associated))
    return std::nullopt;
  const auto context = begun(true, key, nonce, associated);
  std::string made(plain.size() + aes_128_gcm_tag_size, '\0');
  int length = 0;
  if (!context
      || (!plain.empty()
          && EVP_EncryptUpdate(context.get(), out(made, 0), &length, in(plain),
                               static_cast<int>(plain.size()))
                 != 1)
      || EVP_EncryptFinal_ex(context.get(), out(made, plain.size()), &length) != 1
      || EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_AEAD_GET_TAG, aes_128_gcm_tag_size,
                             out(made, plain.size()))
             != 1) {
    ERR_clear_error();
    return std::nullopt;
  }
  return made;
}

std::optional<std::string> aes_128_gcm_open(std::string_view key, std::string_view nonce,
                                            std::string_view sealed, std::string_view associated) {
  if (sealed.size() < aes_128_gcm_tag_size || !sizes_fit(key, nonce, sealed, associated))
    return std::nullopt;
  const auto size = sealed.size() - aes_128_gcm_tag_size;
  const auto context = begun(false, key, nonce, associated);
  std::string tag{sealed.substr(size)};
  std::string made(size, '\0');
  int length = 0;
  if (!context
      || (size != 0
          && EVP_DecryptUpdate(context.get(), out(made, 0), &length, in(sealed), static_cast<int>(size)) != 1)
      || EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_AEAD_SET_TAG, aes_128_gcm_tag_size, tag.data()) != 1
      || EVP_DecryptFinal_ex(context.get(), out(made, size), &length) != 1) {
    ERR_clear_error();
    return std::nullopt;
  }
  return made;
}

} // namespace sluice::crypto
