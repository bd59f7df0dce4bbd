#include "crypto/digest.hpp"

#include <openssl/crypto.h>
#include <openssl/evp.h>

#include <cstdio>
#include <cstdlib>
#include <memory>

namespace sluice::crypto {

namespace {

constexpr std::size_t block_size = 64; // of SHA-256, in bytes

/// SHA-256 fails only where OpenSSL itself cannot run; no caller could do anything about that.
void check(int result) {
  if (result == 1)
    return;
  std::fputs("OpenSSL cannot compute SHA-256.\n", stderr);
  std::abort();
}

[[nodiscard]] const EVP_MD* sha256_algorithm() {
  static const EVP_MD* const fetched = EVP_MD_fetch(nullptr, "SHA256", nullptr);
  check(fetched != nullptr ? 1 : 0);
  return fetched;
}

/// One context a thread: making one costs more than hashing a few hundred bytes.
[[nodiscard]] EVP_MD_CTX* thread_context() {
  thread_local const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context{EVP_MD_CTX_new(),
                                                                                     EVP_MD_CTX_free};
  check(context != nullptr ? 1 : 0);
  return context.get();
}

[[nodiscard]] digest_256 sha256_of_two(std::string_view first, std::string_view second) {
  EVP_MD_CTX* const context = thread_context();
  digest_256 digest{};
  check(EVP_DigestInit_ex2(context, sha256_algorithm(), nullptr));
  check(EVP_DigestUpdate(context, first.data(), first.size()));
  check(EVP_DigestUpdate(context, second.data(), second.size()));
  check(EVP_DigestFinal_ex(context, digest.data(), nullptr));
  return digest;
}

} // namespace

digest_256 sha256(std::string_view bytes) {
  return sha256_of_two(bytes, {});
}

// RFC 2104: H(key ^ opad, H(key ^ ipad, bytes)). Written out because EVP_MAC copies and fetches at each use.
digest_256 hmac_sha256(std::string_view key, std::string_view bytes) {
  digest_256 short_key{};
  if (key.size() > block_size) {
    short_key = sha256(key);
    key = as_bytes(short_key);
  }
  std::array<char, block_size> inner;
  std::array<char, block_size> outer;
  inner.fill(0x36);
  outer.fill(0x5c);
  for (std::size_t at = 0; at < key.size(); ++at) {
    inner[at] = static_cast<char>(inner[at] ^ key[at]);
    outer[at] = static_cast<char>(outer[at] ^ key[at]);
  }
  const digest_256 inside = sha256_of_two({inner.data(), inner.size()}, bytes);
  const digest_256 digest = sha256_of_two({outer.data(), outer.size()}, as_bytes(inside));
  OPENSSL_cleanse(inner.data(), inner.size());
  OPENSSL_cleanse(outer.data(), outer.size());
  OPENSSL_cleanse(short_key.data(), short_key.size());
  return digest;
}

std::string_view as_bytes(const digest_256& digest) noexcept {
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

bool equal_in_constant_time(std::string_view left, std::string_view right) noexcept {
  return left.size() == right.size() && CRYPTO_memcmp(left.data(), right.data(), left.size()) == 0;
}

} // namespace sluice::crypto
