#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sluice::providers {

/// The key under which every try of one creation is one creation at the target: made of the rule, the record
/// and the create generation, so it changes only once the record was withdrawn. 32 hexadecimal digits, safe
/// in a header.
[[nodiscard]] std::string idempotency_key(std::string_view rule_public_id, std::string_view source_id,
                                          std::int32_t create_generation);

} // namespace sluice::providers
