#pragma once

#include "core/ledger.hpp"
#include "crypto/key_ring.hpp"

#include <string>
#include <string_view>

namespace sluice::storage {

/// The stored text of an intent's body, bound to its rule and record: in another row it does not open.
/// Without an idempotency key nobody could send the same bytes again: nothing is kept. Throws `abandoned`:
/// use inside `guarded`.
[[nodiscard]] std::string sealed_body(core::rule_id rule, const core::intent& one,
                                      const crypto::key_ring& keys);

[[nodiscard]] std::string opened_body(core::rule_id rule, std::string_view source_id,
                                      const std::string& sealed, const crypto::key_ring& keys);

} // namespace sluice::storage
