#include "storage/intent_body.hpp"

#include "crypto/seal.hpp"
#include "storage/soci_session.hpp"

namespace sluice::storage {

namespace {

std::string place_of(core::rule_id rule, std::string_view source_id) {
  return "intent " + std::to_string(rule.value) + " " + std::string(source_id);
}

} // namespace

std::string sealed_body(core::rule_id rule, const core::intent& one, const crypto::key_ring& keys) {
  if (one.idempotency_key.empty() || one.body.empty())
    return {};
  auto sealed = crypto::seal(keys, one.body, place_of(rule, one.source_id));
  if (!sealed)
    throw abandoned{{error::sealed, "A request body could not be sealed: "
                                        + std::string(crypto::to_string(sealed.error())) + "."}};
  return std::move(*sealed);
}

std::string opened_body(core::rule_id rule, std::string_view source_id, const std::string& sealed,
                        const crypto::key_ring& keys) {
  if (sealed.empty())
    return {};
  auto opened = crypto::open(keys, sealed, place_of(rule, source_id));
  if (!opened)
    throw abandoned{{error::sealed, "A stored request body cannot be opened: "
                                        + std::string(crypto::to_string(opened.error())) + "."}};
  return std::move(*opened);
}

} // namespace sluice::storage
