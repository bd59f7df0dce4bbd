#pragma once

#include "messages/overview.hpp"

/// The conversation with the tally, which keeps what was counted.
namespace sluice::messages {

// clang-format off
using tally = caf::typed_actor<
  caf::replies_to<count_ledger>::with<ledger_counted>>;
// clang-format on

} // namespace sluice::messages
