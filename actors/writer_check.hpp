#pragma once

#include "core/rule.hpp"
#include "crypto/key_ring.hpp"
#include "storage/session.hpp"

#include <string>
#include <vector>

namespace sluice::actors {

/// What a rule's target cannot do as it is set up.
struct writer_fault {
  std::string connection;
  std::string rule;
  std::string what;
};

/// Whether the rule's target can do what the rule will ask of it, without calling it. A pull_in rule asks
/// nothing.
[[nodiscard]] storage::result<std::vector<writer_fault>>
writer_faults(storage::session& db, const core::sync_rule& rule, const crypto::key_ring& keys);

/// As people are told of them, in the order of their first rules: what is wrong with one connection for many
/// rules is one sentence, which names some of them.
[[nodiscard]] std::vector<std::string> sentences_of(const std::vector<writer_fault>& faults);

} // namespace sluice::actors
