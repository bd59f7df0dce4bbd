#include "crypto/rsa_public_key.hpp"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>

namespace sluice::crypto {

namespace {

constexpr std::size_t pem_bytes_max = std::size_t{16} << 10U;

[[nodiscard]] const unsigned char* in(std::string_view bytes) noexcept {
  return reinterpret_cast<const unsigned char*>(bytes.data());
}

[[nodiscard]] bool is_usable(const EVP_PKEY* key) noexcept {
  const auto bits = static_cast<std::size_t>(EVP_PKEY_get_bits(key));
  return EVP_PKEY_is_a(key, "RSA") == 1 && bits >= rsa_public_key::modulus_bits_min
         && bits <= rsa_public_key::modulus_bits_max;
}

} // namespace

std::optional<rsa_public_key> rsa_public_key::from_handle(evp_pkey_st* key) {
  if (key == nullptr)
    return std::nullopt;
  std::shared_ptr<EVP_PKEY> held{key, EVP_PKEY_free};
  if (!is_usable(key))
    return std::nullopt;
  return rsa_public_key{std::move(held)};
}

std::optional<rsa_public_key> rsa_public_key::from_pem(std::string_view text) {
  if (text.size() > pem_bytes_max)
    return std::nullopt;
  const std::unique_ptr<BIO, decltype(&BIO_free)> source{
      BIO_new_mem_buf(text.data(), static_cast<int>(text.size())), BIO_free};
  auto read =
      source ? from_handle(PEM_read_bio_PUBKEY(source.get(), nullptr, nullptr, nullptr)) : std::nullopt;
  ERR_clear_error();
  return read;
}

bool rsa_public_key::verify(signature_digest digest, std::string_view bytes,
                            std::string_view signature) const {
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context{EVP_MD_CTX_new(), EVP_MD_CTX_free};
  const char* const name = digest == signature_digest::sha1 ? "SHA1" : "SHA256";
  EVP_PKEY_CTX* padding = nullptr; // the context's own
  const bool good =
      context
      && EVP_DigestVerifyInit_ex(context.get(), &padding, name, nullptr, nullptr, key_.get(), nullptr) == 1
      && EVP_PKEY_CTX_set_rsa_padding(padding, RSA_PKCS1_PADDING) == 1
      && EVP_DigestVerify(context.get(), in(signature), signature.size(), in(bytes), bytes.size()) == 1;
  ERR_clear_error(); // a signature that is none leaves an error behind
  return good;
}

} // namespace sluice::crypto
