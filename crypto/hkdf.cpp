#include "crypto/hkdf.hpp"

#include "crypto/digest.hpp"

#include <openssl/crypto.h>

#include <algorithm>

namespace sluice::crypto {

std::optional<std::string> hkdf_sha256(std::string_view key_material, std::string_view salt,
                                       std::string_view info, std::size_t size) {
  if (size > hkdf_sha256_size_max)
    return std::nullopt;
  digest_256 pseudo_random_key = hmac_sha256(salt, key_material);
  digest_256 block{};
  std::string made;
  made.reserve(size);
  std::string input; // the block before, the info, a counter
  for (unsigned counter = 1; made.size() < size; ++counter) {
    input.assign(counter == 1 ? std::string_view{} : as_bytes(block));
    input += info;
    input += static_cast<char>(counter);
    block = hmac_sha256(as_bytes(pseudo_random_key), input);
    made += as_bytes(block).substr(0, std::min(block.size(), size - made.size()));
  }
  OPENSSL_cleanse(pseudo_random_key.data(), pseudo_random_key.size());
  OPENSSL_cleanse(block.data(), block.size());
  OPENSSL_cleanse(input.data(), input.size());
  return made;
}

} // namespace sluice::crypto
