#include "crypto/digest.hpp"

#include <openssl/crypto.h>
#include <openssl/evp.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <tuple>

namespace sluice::crypto {

namespace {

constexpr std::size_t block_size = 64; // of SHA-1 and SHA-256, in bytes

/// These digests fail only where OpenSSL itself cannot run; no caller could do anything about that.
void check(int result) {
  if (result == 1)
    return;
  std::fputs("OpenSSL cannot compute SHA-1 or SHA-256.\n", stderr);
  std::abort();
}

[[nodiscard]] const EVP_MD* fetch(const char* name) {
  const EVP_MD* const fetched = EVP_MD_fetch(nullptr, name, nullptr);
  check(fetched != nullptr ? 1 : 0);
  return fetched;
}

template <class Digest>
[[nodiscard]] const EVP_MD* algorithm() {
  static const EVP_MD* const fetched = fetch(std::tuple_size_v<Digest> == 20 ? "SHA1" : "SHA256");
  return fetched;
}

/// One context a thread: making one costs more than hashing a few hundred bytes.
[[nodiscard]] EVP_MD_CTX* thread_context() {
  thread_local const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context{EVP_MD_CTX_new(),
                                                                                     EVP_MD_CTX_free};
  check(context != nullptr ? 1 : 0);
  return context.get();
}

template <class Digest>
[[nodiscard]] Digest hash_of_two(std::string_view first, std::string_view second) {
  EVP_MD_CTX* const context = thread_context();
  Digest digest{};
  check(EVP_DigestInit_ex2(context, algorithm<Digest>(), nullptr));
  check(EVP_DigestUpdate(context, first.data(), first.size()));
  check(EVP_DigestUpdate(context, second.data(), second.size()));
  check(EVP_DigestFinal_ex(context, digest.data(), nullptr));
  return digest;
}

// RFC 2104: H(key ^ opad, H(key ^ ipad, bytes)). Written out because EVP_MAC copies and fetches at each use.
template <class Digest>
[[nodiscard]] Digest hmac(std::string_view key, std::string_view bytes) {
  Digest short_key{};
  if (key.size() > block_size) {
    short_key = hash_of_two<Digest>(key, {});
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
  const auto inside = hash_of_two<Digest>({inner.data(), inner.size()}, bytes);
  const auto digest = hash_of_two<Digest>({outer.data(), outer.size()}, as_bytes(inside));
  OPENSSL_cleanse(inner.data(), inner.size());
  OPENSSL_cleanse(outer.data(), outer.size());
  OPENSSL_cleanse(short_key.data(), short_key.size());
  return digest;
}

} // namespace

digest_256 sha256(std::string_view bytes) {
  return hash_of_two<digest_256>(bytes, {});
}

digest_256 hmac_sha256(std::string_view key, std::string_view bytes) {
  return hmac<digest_256>(key, bytes);
}

digest_160 sha1(std::string_view bytes) {
  return hash_of_two<digest_160>(bytes, {});
}

digest_160 hmac_sha1(std::string_view key, std::string_view bytes) {
  return hmac<digest_160>(key, bytes);
}

std::string_view as_bytes(const digest_256& digest) noexcept {
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

std::string_view as_bytes(const digest_160& digest) noexcept {
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

bool equal_in_constant_time(std::string_view left, std::string_view right) noexcept {
  return left.size() == right.size() && CRYPTO_memcmp(left.data(), right.data(), left.size()) == 0;
}

} // namespace sluice::crypto
