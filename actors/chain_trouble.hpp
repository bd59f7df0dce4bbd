#pragma once

#include "core/run.hpp"
#include "core/time.hpp"

#include <functional>
#include <optional>
#include <string>

namespace sluice::actors {

/// Why a chain cannot go on.
struct chain_trouble {
  core::run_ending ending = core::run_ending::faulted;
  std::string reason;
  std::optional<core::timestamp> retry_at; ///< when it is worth trying again, where that is known
};

using trouble_sink = std::function<void(chain_trouble)>;

} // namespace sluice::actors
