#pragma once

#include "core/delivery_claim.hpp"
#include "core/ids.hpp"
#include "core/time.hpp"
#include "storage/soci_session.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace sluice::storage {

/// An attempt that is on its way.
struct open_claim {
  core::event_position position{};
  std::int64_t number = 0;
  core::timestamp claimed_at{};
  core::timestamp lease_until{};
};

/// What is on its way of one subscription: one row of delivery_claims, written at a claim and at an outcome
/// in place of each delivery's. The row of a claimed delivery stays as it was before its claim; what the
/// claim made of it is decided once more when it is read.
///
/// Whoever changes claims holds the subscription's row; others read in one snapshot. All of it throws: use
/// inside `guarded`.
class open_claims {
public:
  open_claims() = default; ///< nothing is on its way
  /// Read after the subscription is locked, never with the same statement: a lock that had to wait would
  /// give claims from before it.
  open_claims(session& db, core::subscription_id subscription);
  /// As a row of delivery_claims holds it.
  open_claims(core::subscription_id subscription, const std::string& text);

  /// Of what the last claim left behind although it was due, the earliest; a hint that saves looking: it may
  /// be due no more.
  [[nodiscard]] std::optional<core::timestamp> left_due() const noexcept { return left_due_; }
  void leave_due(std::optional<core::timestamp> at);

  [[nodiscard]] bool empty() const noexcept { return claims_.empty(); }
  /// Nothing: none of this delivery is on its way.
  [[nodiscard]] std::optional<open_claim> find(core::event_position position) const;
  [[nodiscard]] std::vector<std::int64_t> positions() const;
  /// When the first lease lapses.
  [[nodiscard]] std::optional<core::timestamp> lapse_at() const;
  /// Those whose lease has lapsed, at most `limit`.
  [[nodiscard]] std::vector<open_claim> lapsed(core::timestamp now, std::int64_t limit) const;
  /// Makes of what a delivery's row holds what its claim made of it.
  void lay_on(core::delivery_progress& progress, core::event_position position) const;

  void add(core::event_position position, const core::attempt_claim& claim, core::timestamp claimed_at);
  /// An attempt that is on its way no more; nothing where another one is, or none.
  std::optional<open_claim> take_out(core::event_position position, std::int64_t number);
  std::optional<open_claim> take_out(core::event_position position);
  /// Where something has changed since they were read.
  void write(session& db);

private:
  void read(const std::string& text);
  [[nodiscard]] std::string text() const;

  core::subscription_id subscription_{};
  std::map<core::event_position, open_claim> claims_;
  std::optional<core::timestamp> left_due_;
  bool changed_ = false;
};

} // namespace sluice::storage
