#pragma once

#include "core/explanation.hpp"

#include <string>

/// The sentences about where a record is and how it got there.
namespace sluice::core {

[[nodiscard]] std::string record_sentence(const explanation_facts& facts);
[[nodiscard]] std::string status_sentence(const explanation_facts& facts); ///< why its row is where it is
[[nodiscard]] std::string target_sentence(const ledger_row& row);
/// Of a record without a row: has nothing looked at it yet, or was it left behind?
[[nodiscard]] std::string unseen_sentence(const explanation_facts& facts);
[[nodiscard]] std::string intent_sentence(const intent& made);
/// Why the parent of a waiting record does not move; there are facts of the parent.
[[nodiscard]] std::string parent_sentence(const explanation_facts& facts);

} // namespace sluice::core
