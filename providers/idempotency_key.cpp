#include "providers/idempotency_key.hpp"

#include "crypto/digest.hpp"
#include "crypto/encoding.hpp"

namespace sluice::providers {

namespace {

constexpr std::size_t key_bytes = 16;

} // namespace

std::string idempotency_key(std::string_view rule_public_id, std::string_view source_id,
                            std::int32_t create_generation) {
  // The rule's id and the number hold no colon, so no two triples share a text.
  std::string made_of(rule_public_id);
  made_of += ':';
  made_of += std::to_string(create_generation);
  made_of += ':';
  made_of += source_id;
  auto digest = crypto::sha256(made_of);
  return crypto::to_hex(crypto::as_bytes(digest).substr(0, key_bytes));
}

} // namespace sluice::providers
