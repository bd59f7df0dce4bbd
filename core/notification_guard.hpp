#pragma once

#include "core/notification_progress.hpp"
#include "core/transition_refusal.hpp"

#include <expected>

namespace sluice::core {

/// What a transition requires beyond the state it leaves and who causes it. Part of can_apply.
[[nodiscard]] std::expected<void, transition_refusal> check_guard(const notification_progress& progress,
                                                                  const notification_terms& terms,
                                                                  notification_transition transition,
                                                                  const notification_facts& facts);

/// Whether no profile of the route comes after the one whose turn it is.
[[nodiscard]] bool is_last_place(const notification_progress& progress,
                                 const notification_terms& terms) noexcept;

} // namespace sluice::core
