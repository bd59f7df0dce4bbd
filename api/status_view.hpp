#pragma once

#include "api/operation_parts.hpp"
#include "core/rule_state.hpp"
#include "messages/operator_reads.hpp"

namespace sluice::api {

/// The tile, how many rules are in which state, and the rules: those that are not well, or all of them.
/// The global state is the installation's, whoever asks.
[[nodiscard]] json status_view(const messages::health_read& read, const seen_names& called,
                               const core::health_settings& settings, core::timestamp now, bool all);

} // namespace sluice::api
