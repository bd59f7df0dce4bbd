#pragma once

#include "core/record_link.hpp"
#include "core/rule.hpp"
#include "crypto/key_ring.hpp"
#include "storage/session.hpp"

#include <map>
#include <span>
#include <string>
#include <vector>

namespace sluice::storage {

/// What is known of the records that links of this rule name, in the links' order; without payloads.
[[nodiscard]] result<std::vector<core::link_facts>> read_link_facts(session& db, const core::sync_rule& rule,
                                                                    std::span<const core::record_link> links,
                                                                    const crypto::key_ring& keys);

/// Which records of the rule the target is known to hold under the links' remote ids: remote id to source id.
/// Reads every row of the rule.
[[nodiscard]] result<std::multimap<std::string, std::string>>
read_remote_id_holders(session& db, core::rule_id rule, std::span<const core::record_link> links);

} // namespace sluice::storage
