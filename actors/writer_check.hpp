#pragma once

#include "core/rule.hpp"
#include "crypto/key_ring.hpp"
#include "storage/session.hpp"

#include <string>
#include <vector>

namespace sluice::actors {

/// Whether the rule's target can do what the rule will ask of it, without calling it: a sentence for each
/// fault of its settings, with the connection and the rule in front. A pull_in rule asks nothing.
[[nodiscard]] storage::result<std::vector<std::string>>
writer_faults(storage::session& db, const core::sync_rule& rule, const crypto::key_ring& keys);

} // namespace sluice::actors
