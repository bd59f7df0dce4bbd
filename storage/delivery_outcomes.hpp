#pragma once

#include "core/event_delivery.hpp"
#include "storage/delivery_rows.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

// What deliveries of one subscription come to is written while its row is locked. All of it throws: use
// inside `guarded`.

namespace sluice::storage {

struct locked_subscription {
  core::subscription_id id{};
  std::string public_id;
  std::string tenant;
  core::subscription_mode mode = core::subscription_mode::push;
  core::subscription_status status = core::subscription_status::active;
  std::optional<core::disable_cause> cause;
  bool access_accepted = true;
  bool removed = false;
  std::int32_t consecutive_dead = 0;
  core::event_position starts_after{};
  core::event_position cursor{};
  core::event_position offered{};
};

/// Until the transaction ends nobody else claims, records or changes its status.
[[nodiscard]] std::optional<locked_subscription> lock_subscription(session& db, core::subscription_id id);

/// Nothing of a subscription begins anew that would fail at once: abandons the work as `not_found` where it
/// is removed, as `refused` where its tenant's events may not go to it.
void refuse_lost(bool removed, bool access_accepted);

/// The delivery begins anew, as an operator asks for it. Abandons the work as `refused` where it may not.
void restart_row(delivery_row& row, core::operator_request request, const locked_subscription& of,
                 core::timestamp now);

/// Counts dead deliveries as they come, and writes what that makes of the subscription.
class dead_tally {
public:
  dead_tally(const locked_subscription& of, std::int32_t threshold)
      : of_(of), threshold_(threshold), consecutive_(of.consecutive_dead) {}

  void add(const core::transition_effects& effects);
  void write(session& db, core::timestamp now) const;
  /// What has disabled the subscription; nothing where it was disabled before.
  [[nodiscard]] std::optional<core::disable_cause> disabled() const noexcept { return disables_; }

private:
  const locked_subscription& of_;
  std::int32_t threshold_;
  std::int32_t consecutive_;
  std::optional<core::disable_cause> disables_;
};

/// What was decided beside an attempt that may be on its way: it is its delivery's no more, and its own row
/// waits for its answer.
void write_decided(session& db, core::subscription_id subscription, open_claims& claims,
                   std::span<const delivery_row> rows, core::timestamp now);

/// As record_attempt_ends.
core::attempts_recorded record_ends(session& db, const locked_subscription& of, open_claims& claims,
                                    std::span<const core::ended_attempt> ended, std::int32_t threshold,
                                    core::timestamp now);

/// As next_delivery_due. Of what is due until `after` nothing is left.
[[nodiscard]] std::optional<core::timestamp> next_due(session& db, core::subscription_id subscription,
                                                      const open_claims& claims,
                                                      core::timestamp after = core::timestamp::min());

} // namespace sluice::storage
