#pragma once

#include "core/provider_report.hpp"
#include "core/time.hpp"
#include "storage/session.hpp"

#include <functional>
#include <span>

namespace sluice::actors {

/// What projecting brings about outside of the projections, in its transaction: contact points that are not
/// to be used again. Where it fails nothing was projected.
using projection_effects = std::function<storage::result<void>(
    storage::session&, std::span<const core::suppression_told>, core::timestamp now)>;

} // namespace sluice::actors
