#pragma once

#include "app/command_context.hpp"
#include "core/ledger.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace sluice::app {

struct ledger_options {
  std::string rule;
  std::optional<core::delivery_status> status;
  std::string error_class; ///< empty: any
  std::string after;       ///< a source id: the page behind it
  std::int64_t limit = 100;
  bool counts = false; ///< how many rows have which status, instead of rows
};

/// `sluice ledger`: what became of a rule's records, in source id order.
[[nodiscard]] int list_ledger(const command_context& context, const ledger_options& options);

} // namespace sluice::app
