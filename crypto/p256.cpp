#include "crypto/p256.hpp"

#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>
#include <openssl/pem.h>

#include <array>
#include <climits>
#include <utility>

namespace sluice::crypto {

namespace {

template <auto Free>
struct freed_by {
  void operator()(auto* held) const noexcept { Free(held); }
};

using big_number = std::unique_ptr<BIGNUM, freed_by<BN_clear_free>>;
using curve_point = std::unique_ptr<EC_POINT, freed_by<EC_POINT_free>>;
using key_handle = std::unique_ptr<EVP_PKEY, freed_by<EVP_PKEY_free>>;
using key_context = std::unique_ptr<EVP_PKEY_CTX, freed_by<EVP_PKEY_CTX_free>>;
using digest_context = std::unique_ptr<EVP_MD_CTX, freed_by<EVP_MD_CTX_free>>;
using signature_pair = std::unique_ptr<ECDSA_SIG, freed_by<ECDSA_SIG_free>>;
using parameters = std::unique_ptr<OSSL_PARAM, freed_by<OSSL_PARAM_free>>;
using parameter_builder = std::unique_ptr<OSSL_PARAM_BLD, freed_by<OSSL_PARAM_BLD_free>>;
using memory_file = std::unique_ptr<BIO, freed_by<BIO_free>>;

constexpr const char* curve_name = "P-256";
constexpr std::size_t number_size = 32;
constexpr std::size_t der_size_max = 72;

[[nodiscard]] const unsigned char* in(std::string_view bytes) noexcept {
  return reinterpret_cast<const unsigned char*>(bytes.data());
}

[[nodiscard]] unsigned char* out(std::string& bytes) noexcept {
  return reinterpret_cast<unsigned char*>(bytes.data());
}

[[nodiscard]] const EC_GROUP* curve() {
  static const EC_GROUP* const group = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1);
  return group;
}

[[nodiscard]] key_handle key_from(int selection, OSSL_PARAM* wanted) {
  const key_context context{EVP_PKEY_CTX_new_from_name(nullptr, "EC", nullptr)};
  EVP_PKEY* made = nullptr;
  if (context && EVP_PKEY_fromdata_init(context.get()) == 1)
    EVP_PKEY_fromdata(context.get(), &made, selection, wanted);
  return key_handle{made};
}

/// Nothing where the bytes are no point of the curve: OpenSSL checks that when it reads them.
[[nodiscard]] key_handle public_handle(std::string_view bytes) {
  constexpr char uncompressed = 0x04;
  if (bytes.size() != p256_public_key_size || bytes.front() != uncompressed)
    return nullptr;
  std::string copy{bytes};
  std::string name{curve_name};
  std::array wanted{OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, name.data(), 0),
                    OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY, copy.data(), copy.size()),
                    OSSL_PARAM_construct_end()};
  return key_from(EVP_PKEY_PUBLIC_KEY, wanted.data());
}

[[nodiscard]] std::string public_key_of(const BIGNUM* scalar) {
  const curve_point point{EC_POINT_new(curve())};
  std::string made(p256_public_key_size, '\0');
  const bool written = point && EC_POINT_mul(curve(), point.get(), scalar, nullptr, nullptr, nullptr) == 1
                       && EC_POINT_point2oct(curve(), point.get(), POINT_CONVERSION_UNCOMPRESSED, out(made),
                                             made.size(), nullptr)
                              == made.size();
  return written ? made : std::string{};
}

[[nodiscard]] key_handle private_handle(const BIGNUM* scalar, const std::string& public_key) {
  const parameter_builder builder{OSSL_PARAM_BLD_new()};
  if (!builder
      || OSSL_PARAM_BLD_push_utf8_string(builder.get(), OSSL_PKEY_PARAM_GROUP_NAME, curve_name, 0) != 1
      || OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_PRIV_KEY, scalar) != 1
      || OSSL_PARAM_BLD_push_octet_string(builder.get(), OSSL_PKEY_PARAM_PUB_KEY, public_key.data(),
                                          public_key.size())
             != 1)
    return nullptr;
  const parameters wanted{OSSL_PARAM_BLD_to_param(builder.get())};
  return wanted ? key_from(EVP_PKEY_KEYPAIR, wanted.get()) : nullptr;
}

[[nodiscard]] EVP_PKEY* handle_of(const std::shared_ptr<void>& key) noexcept {
  return static_cast<EVP_PKEY*>(key.get());
}

[[nodiscard]] std::shared_ptr<void> shared(key_handle key) {
  return std::shared_ptr<EVP_PKEY>{std::move(key)};
}

/// An encrypted key is refused; OpenSSL would ask for its password on the terminal.
int no_password(char*, int, int, void*) {
  return -1;
}

} // namespace

p256_key::p256_key(std::shared_ptr<void> key, std::string public_key)
    : key_(std::move(key)), public_key_(std::move(public_key)) {}

std::optional<p256_key> p256_key::from_bytes(std::string_view scalar) {
  if (scalar.size() != p256_private_key_size || curve() == nullptr)
    return std::nullopt;
  const big_number number{BN_secure_new()};
  if (!number || BN_bin2bn(in(scalar), static_cast<int>(scalar.size()), number.get()) == nullptr
      || BN_is_zero(number.get()) == 1 || BN_cmp(number.get(), EC_GROUP_get0_order(curve())) >= 0)
    return std::nullopt;
  auto public_key = public_key_of(number.get());
  auto key = public_key.empty() ? nullptr : private_handle(number.get(), public_key);
  ERR_clear_error();
  if (!key)
    return std::nullopt;
  return p256_key{shared(std::move(key)), std::move(public_key)};
}

std::optional<p256_key> p256_key::from_pem(std::string_view pem) {
  if (pem.size() > INT_MAX)
    return std::nullopt;
  const memory_file file{BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size()))};
  const key_handle read{file ? PEM_read_bio_PrivateKey(file.get(), nullptr, no_password, nullptr) : nullptr};
  std::array<char, 32> name{};
  BIGNUM* scalar = nullptr;
  const bool fits = read && EVP_PKEY_get_group_name(read.get(), name.data(), name.size(), nullptr) == 1
                    && std::string_view{name.data()} == SN_X9_62_prime256v1
                    && EVP_PKEY_get_bn_param(read.get(), OSSL_PKEY_PARAM_PRIV_KEY, &scalar) == 1;
  const big_number number{scalar};
  ERR_clear_error();
  std::string bytes(p256_private_key_size, '\0');
  if (!fits || BN_bn2binpad(number.get(), out(bytes), static_cast<int>(bytes.size())) < 0)
    return std::nullopt;
  auto made = from_bytes(bytes);
  OPENSSL_cleanse(bytes.data(), bytes.size());
  return made;
}

std::optional<p256_key> p256_key::generate() {
  key_handle key{EVP_EC_gen(curve_name)};
  std::string public_key(p256_public_key_size, '\0');
  std::size_t size = 0;
  if (!key
      || EVP_PKEY_get_octet_string_param(key.get(), OSSL_PKEY_PARAM_PUB_KEY, out(public_key),
                                         public_key.size(), &size)
             != 1
      || size != public_key.size()) {
    ERR_clear_error();
    return std::nullopt;
  }
  return p256_key{shared(std::move(key)), std::move(public_key)};
}

std::optional<std::string> p256_key::sign(std::string_view bytes) const {
  const digest_context context{EVP_MD_CTX_new()};
  std::array<unsigned char, der_size_max> der{};
  std::size_t size = der.size();
  const bool signed_so =
      context
      && EVP_DigestSignInit_ex(context.get(), nullptr, "SHA256", nullptr, nullptr, handle_of(key_), nullptr)
             == 1
      && EVP_DigestSign(context.get(), der.data(), &size, in(bytes), bytes.size()) == 1;
  const unsigned char* at = der.data();
  const signature_pair pair{signed_so ? d2i_ECDSA_SIG(nullptr, &at, static_cast<long>(size)) : nullptr};
  std::string made(p256_signature_size, '\0');
  if (!pair || BN_bn2binpad(ECDSA_SIG_get0_r(pair.get()), out(made), number_size) < 0
      || BN_bn2binpad(ECDSA_SIG_get0_s(pair.get()), out(made) + number_size, number_size) < 0) {
    ERR_clear_error();
    return std::nullopt;
  }
  return made;
}

std::optional<std::string> p256_key::agree(std::string_view other_public_key) const {
  const auto other = public_handle(other_public_key);
  const key_context context{EVP_PKEY_CTX_new_from_pkey(nullptr, handle_of(key_), nullptr)};
  std::string made(p256_shared_secret_size, '\0');
  std::size_t size = made.size();
  // The peer was checked when it was read, and the curve's cofactor is 1: every point but infinity will do.
  if (!other || !context || EVP_PKEY_derive_init(context.get()) != 1
      || EVP_PKEY_derive_set_peer_ex(context.get(), other.get(), 0) != 1
      || EVP_PKEY_derive(context.get(), out(made), &size) != 1 || size != made.size()) {
    ERR_clear_error();
    return std::nullopt;
  }
  return made;
}

bool is_p256_public_key(std::string_view bytes) {
  const bool good = public_handle(bytes) != nullptr;
  ERR_clear_error();
  return good;
}

bool p256_verify(std::string_view public_key, std::string_view bytes, std::string_view signature) {
  if (signature.size() != p256_signature_size)
    return false;
  const signature_pair pair{ECDSA_SIG_new()};
  big_number r{BN_bin2bn(in(signature), number_size, nullptr)};
  big_number s{BN_bin2bn(in(signature) + number_size, number_size, nullptr)};
  if (!pair || !r || !s || ECDSA_SIG_set0(pair.get(), r.get(), s.get()) != 1)
    return false;
  static_cast<void>(r.release()); // the pair has them now
  static_cast<void>(s.release());
  std::string der(der_size_max, '\0');
  unsigned char* at = out(der);
  const int size = i2d_ECDSA_SIG(pair.get(), &at);
  return size > 0 && p256_verify_der(public_key, bytes, der.substr(0, static_cast<std::size_t>(size)));
}

bool p256_verify_der(std::string_view public_key, std::string_view bytes, std::string_view signature) {
  const auto key = public_handle(public_key);
  const digest_context context{EVP_MD_CTX_new()};
  const bool good =
      key && context
      && EVP_DigestVerifyInit_ex(context.get(), nullptr, "SHA256", nullptr, nullptr, key.get(), nullptr) == 1
      && EVP_DigestVerify(context.get(), in(signature), signature.size(), in(bytes), bytes.size()) == 1;
  ERR_clear_error(); // a signature that is none leaves an error behind
  return good;
}

} // namespace sluice::crypto
