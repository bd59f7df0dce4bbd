#pragma once

#include "app/command_context.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace sluice::app {

struct verify_options {
  std::string rule;
  std::optional<std::int64_t> sample; ///< so many records; absent: the node's default, or …
  bool all = false;                   ///< … all of them
};

/// `sluice rules verify`: what the target holds, looked up by the node, beside what the ledger says. Refused
/// where any record contradicts it, or could not be looked up.
[[nodiscard]] int verify_rule(const command_context& context, const verify_options& options);

} // namespace sluice::app
