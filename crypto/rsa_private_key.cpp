#include "crypto/rsa_private_key.hpp"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>

namespace sluice::crypto {

namespace {

constexpr std::size_t pem_bytes_max = std::size_t{16} << 10U;

/// Without it, OpenSSL asks the terminal for the password of an encrypted key.
int no_password(char* /*buffer*/, int /*size*/, int /*writing*/, void* /*unused*/) {
  return -1;
}

[[nodiscard]] bool is_usable(const EVP_PKEY* key) noexcept {
  const auto bits = static_cast<std::size_t>(EVP_PKEY_get_bits(key));
  return EVP_PKEY_is_a(key, "RSA") == 1 && bits >= rsa_private_key::modulus_bits_min
         && bits <= rsa_private_key::modulus_bits_max;
}

} // namespace

std::optional<rsa_private_key> rsa_private_key::from_pem(std::string_view text) {
  if (text.size() > pem_bytes_max)
    return std::nullopt;
  const std::unique_ptr<BIO, decltype(&BIO_free)> source{
      BIO_new_mem_buf(text.data(), static_cast<int>(text.size())), BIO_free};
  EVP_PKEY* const read =
      source ? PEM_read_bio_PrivateKey(source.get(), nullptr, no_password, nullptr) : nullptr;
  ERR_clear_error(); // a text that is no key leaves an error behind
  if (read == nullptr)
    return std::nullopt;
  std::shared_ptr<EVP_PKEY> key{read, EVP_PKEY_free};
  if (!is_usable(read))
    return std::nullopt;
  return rsa_private_key{std::move(key)};
}

std::optional<std::string> rsa_private_key::sign_sha256(std::string_view bytes) const {
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context{EVP_MD_CTX_new(), EVP_MD_CTX_free};
  EVP_PKEY_CTX* padding = nullptr; // the context's own
  std::string made(static_cast<std::size_t>(EVP_PKEY_get_size(key_.get())), '\0');
  std::size_t size = made.size();
  const bool good =
      context
      && EVP_DigestSignInit_ex(context.get(), &padding, "SHA256", nullptr, nullptr, key_.get(), nullptr) == 1
      && EVP_PKEY_CTX_set_rsa_padding(padding, RSA_PKCS1_PADDING) == 1
      && EVP_DigestSign(context.get(), reinterpret_cast<unsigned char*>(made.data()), &size,
                        reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size())
             == 1;
  ERR_clear_error();
  if (!good)
    return std::nullopt;
  made.resize(size);
  return made;
}

} // namespace sluice::crypto
