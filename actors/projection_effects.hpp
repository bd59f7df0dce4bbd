#pragma once

#include "core/notification_work.hpp"
#include "core/provider_report.hpp"
#include "core/time.hpp"
#include "storage/session.hpp"

#include <functional>

namespace sluice::actors {

/// What projecting brings about outside of the projections, in its transaction and each time: notifications
/// that events say were taken, contact points that are not to be used again. Where it fails nothing was
/// projected.
using projection_effects = std::function<storage::result<core::told_recorded>(
    storage::session&, const core::events_projected&, core::timestamp now)>;

} // namespace sluice::actors
